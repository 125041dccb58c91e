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
        parent: element.parentElement,
      })),
    );
    known = { overlap, texts, shares: [...overlap.querySelectorAll(".shares li")] };
  }

  function markWords(strictness) {
    known.texts.forEach((runs, index) => {
      const counts = { all: 0, some: 0, own: 0 };
      for (const run of runs) {
        if (!run.support) continue;
        run.kind = kindOf(run.support, strictness);
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
    `Nothing here is ${strictness}% likely or more. ${count} less likely: lower the strictness.`;

  const NOUNS = { s: "shared", u: "only in one", c: "differ" };
  const listed = (counts) =>
    Object.keys(NOUNS)
      .filter((kind) => counts[kind])
      .map((kind) => `${counts[kind]} ${NOUNS[kind]}`)
      .join(", ");

  // The line below the slider: what is hidden, and what is shown although it is less likely.
  function sayHidden(overlap, strictness, hidden, doubtful) {
    const slider = overlap.querySelector("#strictness");
    const lines = [listed(hidden) ? `Hidden, less likely than ${strictness}%: ${listed(hidden)}.` : "Nothing found is hidden."];
    if (listed(doubtful)) lines.push(`Less likely, but shown: ${listed(doubtful)}.`);
    if (strictness === Number(slider.min)) lines.push(`Nothing below ${strictness}% is kept.`);
    overlap.querySelector("#strict-hint").textContent = lines.join(" ");
    overlap.querySelector(".strict output").textContent = `${strictness}%`;
    slider.setAttribute("aria-valuetext", `${strictness}%`);
  }

  // At the strictness of the result, and below, all its findings are shown.
  function isShown(overlap, item, strictness) {
    const isFound = strictness <= Number(overlap.dataset.strictness) && !item.classList.contains("less");
    return isFound || Number(item.dataset.likely) >= strictness;
  }

  // Return the number of findings of each kind that are shown, after saying what is hidden.
  function counted(overlap, strictness) {
    const [shown, hidden, doubtful] = [{ s: 0, u: 0, c: 0 }, { s: 0, u: 0, c: 0 }, { s: 0, u: 0, c: 0 }];
    for (const item of overlap.querySelectorAll(".item")) {
      const kind = item.id[0];
      if (!isShown(overlap, item, strictness)) hidden[kind] += 1;
      else {
        shown[kind] += 1;
        if (Number(item.dataset.likely) < strictness) doubtful[kind] += 1;
      }
    }
    sayHidden(overlap, strictness, hidden, doubtful);
    return shown;
  }

  function filter(overlap, strictness) {
    const totals = counted(overlap, strictness);
    for (const item of overlap.querySelectorAll(".item")) {
      item.hidden = !isShown(overlap, item, strictness);
      const links = `.text .badge[href="#${item.id}"]`;
      for (const badge of overlap.querySelectorAll(links)) badge.hidden = item.hidden;
      const row = overlap.querySelector(`[data-item="${item.id}"]`);
      if (row) row.hidden = item.hidden;
    }
    for (const value of overlap.querySelectorAll(".text .value")) {
      value.classList.toggle("off", document.getElementById(value.dataset.key).hidden);
    }
    for (const total of overlap.querySelectorAll("[data-total]")) {
      total.textContent = totals[total.dataset.total];
    }
    for (const kind of "suc") {
      const nothing = document.querySelector(`#panel-${kind} .nothing`);
      nothing.hidden = totals[kind] > 0;
      const unlikely = overlap.querySelectorAll(`#panel-${kind} .item`).length;
      if (unlikely) nothing.textContent = below(unlikely, strictness);
    }
    const none = overlap.querySelector(".matters .none");
    if (!none) return;
    const conflicts = overlap.querySelectorAll("#panel-c .item").length;
    none.hidden = totals.c > 0;
    none.textContent = below(conflicts, strictness);
  }

  function draw(overlap, strictness) {
    if (known?.overlap !== overlap) read(overlap);
    filter(overlap, strictness);
    markWords(strictness);
    document.dispatchEvent(new Event("relit"));
  }

  // The page is drawn at the strictness of the result; the slider may stand elsewhere.
  function begin() {
    const overlap = root();
    if (!overlap) return;
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
