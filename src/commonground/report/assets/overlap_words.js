// A tooltip for marked words: how likely each other text states them, and its nearest sentence.
// The arrow keys move from mark to mark in a text.
(() => {
  const MARKED = ".run.all, .run.some, .run.own, .value";
  const LONGEST = 160; // characters of a quotation

  const tip = () => document.getElementById("tip");
  const make = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });

  const letters = () => [...document.querySelectorAll(".narrative > h2 .letter")].map((one) => one.textContent);

  function short(text) {
    const flat = text.replace(/\s+/g, " ").trim();
    return flat.length > LONGEST ? `${flat.slice(0, LONGEST)} …` : flat;
  }

  // One line for each other text: its letter, the probability, and the sentence that says it.
  function rowsOf(run) {
    const index = [...document.querySelectorAll(".narrative")].indexOf(run.closest(".narrative"));
    const others = letters().filter((_, n) => n !== index);
    const near = run.closest(".sentence")?.dataset.near?.split(" ") ?? [];
    return (run.dataset.p ?? "").split(" ").map((chance, n) => {
      const row = document.createElement("div");
      const isStated = Number(chance) >= Number(document.getElementById("strictness").value);
      const sentence = isStated && document.getElementById(near[n]);
      row.append(make("b", "letter", others[n]), make("span", "chance", `${chance}%`));
      const doubt = Number(chance) < 10 ? "does not say this" : "probably does not say this";
      row.append(make("span", "quote", sentence ? short(sentence.textContent) : doubt));
      return row;
    });
  }

  const TITLES = { all: "Also said by", some: "Also said by some", own: "Only in this text" };

  function fill(mark) {
    const value = mark.closest(".value");
    const run = mark.closest(".run");
    const item = value && document.getElementById(value.dataset.key);
    const kind = run && Object.keys(TITLES).find((name) => run.classList.contains(name));
    const parts = [];
    if (item) parts.push(make("p", "title differ", "Disputed"), make("p", "", item.querySelector(".what").textContent.trim()));
    else if (kind) parts.push(make("p", "title", TITLES[kind]), ...rowsOf(run));
    tip().replaceChildren(...parts);
    return parts.length > 0;
  }

  function show(mark) {
    if (!fill(mark)) return hide();
    const box = tip();
    box.hidden = false;
    described()?.removeAttribute("aria-describedby");
    mark.setAttribute("aria-describedby", "tip");
    const place = mark.getClientRects()[0];
    const left = Math.min(Math.max(8, place.left), innerWidth - box.offsetWidth - 8);
    const below = place.bottom + 8;
    const top = below + box.offsetHeight > innerHeight ? place.top - box.offsetHeight - 8 : below;
    box.style.left = `${left}px`;
    box.style.top = `${Math.max(8, top)}px`;
  }

  function hide() {
    const box = tip();
    if (!box || box.hidden) return;
    box.hidden = true;
    described()?.removeAttribute("aria-describedby");
  }

  const described = () => document.querySelector('[aria-describedby="tip"]');
  const isFocused = () => described() && described() === document.activeElement;

  // Move the focus to the next mark of a text: `step` is 1 or -1.
  function move(text, step) {
    const marks = [...text.querySelectorAll(MARKED)].filter((mark) => !mark.parentElement.closest(MARKED));
    const at = marks.indexOf(document.activeElement);
    const next = marks[at < 0 ? (step > 0 ? 0 : marks.length - 1) : at + step];
    if (!next) return;
    next.tabIndex = -1;
    next.focus();
    show(next);
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const mark = event.target.closest?.(".text :is(.run, .value)");
    if (mark) show(mark);
    else if (!event.target.closest?.(".tip") && !isFocused()) hide();
  });
  document.addEventListener("keydown", (event) => {
    const text = event.target.closest?.(".overlap .text");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (text && step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      move(text, step);
    } else if (event.key === "Escape") {
      hide();
      text?.focus();
    }
  });
  document.addEventListener("focusout", hide);
  // A mark that has the focus moves with its text.
  document.addEventListener("scroll", () => {
    if (isFocused()) show(described());
    else hide();
  }, true);
})();
