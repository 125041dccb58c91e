// The strictness slider: hides what is less likely, shows less likely statements, and marks the
// words again, all from what is on the page. report/overlap_words.py marks them first.
(() => {
  const root = () => document.querySelector(".overlap");
  let known = null; // the runs of each text: {texts, shares}

  const kindOf = (support, strictness) => {
    const stated = support.filter((chance) => chance >= strictness).length;
    if (stated) return stated === support.length ? "all" : "some";
    const alone = Math.max(...support) < Math.min(strictness, 100 - strictness);
    return support.length && alone ? "own" : "";
  };

  // Read once what never changes: the elements with their probabilities.
  function read(overlap) {
    const texts = [...overlap.querySelectorAll(".text")].map((text) =>
      [...text.querySelectorAll(".run, .gap")].map((element) => ({
        element,
        words: Number(element.dataset.n ?? 0),
        support: element.dataset.p?.split(" ").map(Number),
        sentence: element.closest(".sentence"),
      })),
    );
    known = { overlap, texts, shares: [...overlap.querySelectorAll(".shares li")] };
  }

  function markWords(strictness) {
    known.texts.forEach((runs, index) => {
      const counts = { all: 0, some: 0, own: 0 };
      const read = runs.filter((run) => run.support);
      for (const run of read) run.kind = kindOf(run.support, strictness);
      decide(read);
      for (const run of read) {
        if (run.kind) counts[run.kind] += run.words;
        setKind(run.element, "run", run.kind);
      }
      runs.forEach((run, n) => {
        if (run.support) return;
        const before = runs[n - 1]?.kind;
        setKind(run.element, "gap", before === runs[n + 1]?.kind ? before : "");
      });
      drawShares(known.shares[index], counts);
    });
  }

  // A sentence that shows a statement is not only here, even if none of its words is shared by itself.
  function decide(runs) {
    const shared = new Set(runs.filter(({ kind }) => kind === "all" || kind === "some").map(({ sentence }) => sentence));
    for (const run of runs) {
      if (shared.has(run.sentence)) continue;
      if (run.sentence?.querySelector(":scope > .badge.shared:not([hidden])")) run.kind = "";
    }
  }

  function setKind(element, base, kind) {
    const name = kind ? `${base} ${kind}` : base;
    if (element.className !== name) element.className = name;
  }

  function drawShares(row, counts) {
    if (!row) return;
    const words = Math.max(Number(row.dataset.words), counts.all + counts.some + counts.own, 1);
    let left = 0;
    for (const [kind, count] of Object.entries(counts)) {
      const share = (100 * count) / words;
      const bar = row.querySelector(`rect.${kind}`);
      bar.setAttribute("x", left.toFixed(2));
      bar.setAttribute("width", share.toFixed(2));
      left += share;
    }
    row.querySelector(".portion b").textContent = `${Math.round((100 * (counts.all + counts.some)) / words)}%`;
  }

  // What is hidden must not look as if it had not been found.
  const below = (count, strictness) =>
    `${count} ${count === 1 ? "is" : "are"} below ${strictness}%. Lower the strictness to see ${count === 1 ? "it" : "them"}.`;

  const NOUNS = { s: "shared", u: "only in one" };
  const listed = (counts) =>
    Object.keys(NOUNS)
      .filter((kind) => counts[kind])
      .map((kind) => `${counts[kind]} ${NOUNS[kind]}`)
      .join(", ");

  function sayHidden(overlap, strictness, hidden) {
    const slider = overlap.querySelector("#strictness");
    const lines = [listed(hidden) ? `Hidden below ${strictness}%: ${listed(hidden)}.` : "Nothing is hidden."];
    if (strictness === Number(slider.min)) lines.push(`Statements below ${strictness}% are not kept.`);
    overlap.querySelector("#strict-hint").textContent = lines.join(" ");
    overlap.querySelector(".strict output").textContent = `${strictness}%`;
    slider.setAttribute("aria-valuetext", `${strictness}%`);
  }

  // At the strictness of the result, and below, all its findings are shown; conflicts always are.
  function isShown(overlap, item, strictness) {
    if (item.id.startsWith("c")) return true;
    const isFound = strictness <= Number(overlap.dataset.strictness) && !item.classList.contains("less");
    return isFound || Number(item.dataset.likely) >= strictness;
  }

  // Return the number of findings of each kind that are shown, after saying what is hidden.
  function counted(overlap, strictness) {
    const [shown, hidden] = [{ s: 0, u: 0, c: 0 }, { s: 0, u: 0 }];
    for (const item of overlap.querySelectorAll(".item")) {
      (isShown(overlap, item, strictness) ? shown : hidden)[item.id[0]] += 1;
    }
    sayHidden(overlap, strictness, hidden);
    return shown;
  }

  function filter(overlap, strictness) {
    const totals = counted(overlap, strictness);
    for (const item of overlap.querySelectorAll(".item")) {
      item.hidden = !isShown(overlap, item, strictness);
      const links = `.text .badge[href="#${item.id}"]`;
      for (const badge of overlap.querySelectorAll(links)) badge.hidden = item.hidden;
    }
    for (const total of overlap.querySelectorAll("[data-total]")) {
      total.textContent = totals[total.dataset.total];
    }
    for (const kind of "su") {
      const nothing = document.querySelector(`#panel-${kind} .nothing`);
      nothing.hidden = totals[kind] > 0;
      const unlikely = overlap.querySelectorAll(`#panel-${kind} .item`).length;
      if (unlikely) nothing.textContent = below(unlikely, strictness);
    }
  }

  function draw(overlap, strictness) {
    if (known?.overlap !== overlap) read(overlap);
    filter(overlap, strictness);
    markWords(strictness);
    document.dispatchEvent(new Event("relit"));
  }

  // Without this script, findings that are less likely are folded; with it, the slider hides them.
  function unfold(overlap) {
    for (const folded of overlap.querySelectorAll(".unlikely")) {
      const list = folded.previousElementSibling;
      const items = [...folded.querySelectorAll(".item")];
      for (const item of items) item.hidden = true;
      const inOrder = [...list.children, ...items].sort((a, b) => a.id.slice(1) - b.id.slice(1));
      list.append(...inOrder);
      folded.remove();
    }
  }

  // The page is drawn where the slider stands, unless the reader has moved it before.
  function begin() {
    const overlap = root();
    if (!overlap) return;
    unfold(overlap);
    const strictness = Number(overlap.querySelector("#strictness").value);
    if (strictness === Number(overlap.dataset.strictness)) counted(overlap, strictness);
    else draw(overlap, strictness);
    const named = overlap.querySelector(".item.chosen"); // by the link
    if (named) named.hidden = false;
  }

  document.addEventListener("overlap", begin);
  begin();
  document.addEventListener("input", (event) => {
    if (event.target.id !== "strictness") return;
    draw(root(), Number(event.target.value));
  });
})();
