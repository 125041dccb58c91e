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

  // At the strictness of the result, and below, all its findings are shown.
  function filter(overlap, strictness) {
    const usual = Number(overlap.dataset.strictness);
    const totals = { s: 0, u: 0, c: 0 };
    for (const item of overlap.querySelectorAll(".item")) {
      const likely = Number(item.dataset.likely);
      const isShown = likely >= strictness || (strictness <= usual && !item.classList.contains("less"));
      item.hidden = !isShown;
      if (isShown) totals[item.id[0]] += 1;
      const links = `.text .badge[href="#${item.id}"]`;
      for (const badge of overlap.querySelectorAll(links)) badge.hidden = !isShown;
      const row = overlap.querySelector(`[data-item="${item.id}"]`);
      if (row) row.hidden = !isShown;
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

  document.addEventListener("input", (event) => {
    if (event.target.id !== "strictness") return;
    const overlap = root();
    const strictness = Number(event.target.value);
    if (known?.overlap !== overlap) read(overlap);
    overlap.querySelector(".strict output").textContent = `${strictness}%`;
    filter(overlap, strictness);
    markWords(strictness);
    document.dispatchEvent(new Event("relit"));
  });
})();
