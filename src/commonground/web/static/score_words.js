// Words that both sides have, as ROUGE-1 compares them: letters a to z and digits, in any case.

const WORD = /[a-z0-9]+/gi;

// The words of texts ({text}), in lower case.
export function wordsOf(texts) {
  return new Set(texts.flatMap(({ text }) => text.toLowerCase().match(WORD) ?? []));
}

// Return a text as nodes, with a mark around each run of words that are in `said`.
export function marked(text, said) {
  const nodes = [];
  let [from, start, end] = [0, 0, 0]; // the run is start to end; nodes reach up to from
  const close = () => {
    if (start === end) return;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    nodes.push(text.slice(from, start), mark);
    from = end;
    start = end = 0;
  };
  for (const found of text.matchAll(WORD)) {
    if (!said.has(found[0].toLowerCase())) close();
    else {
      if (start === end) start = found.index;
      end = found.index + found[0].length;
    }
  }
  close();
  return [...nodes, text.slice(from)];
}
