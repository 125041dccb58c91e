// Highlight what is pointed at, tapped or focused everywhere: in the list of statements and in
// every narrative. Without this script the page still shows everything.
(() => {
  let selected = new Set(); // keys that stay highlighted
  // The keys of an element and of all elements around it.
  const keysOf = (element) => {
    const keys = new Set();
    let keyed = element?.closest?.("[data-key]");
    while (keyed) {
      keys.add(keyed.dataset.key);
      keyed = keyed.parentElement?.closest("[data-key]");
    }
    return keys;
  };
  const highlight = (keys) => {
    for (const element of document.querySelectorAll("[data-key]")) {
      element.classList.toggle("lit", keys.has(element.dataset.key));
    }
  };
  // Scroll inside narratives only, so that the page stays where the reader is.
  const reveal = (keys, except) => {
    for (const text of document.querySelectorAll(".narrative .text")) {
      if (text.scrollHeight <= text.clientHeight || text.contains(except)) continue;
      const marks = [...text.querySelectorAll("[data-key]")];
      const mark = marks.find(({ dataset }) => keys.has(dataset.key));
      if (!mark) continue;
      const above = mark.getBoundingClientRect().top - text.getBoundingClientRect().top;
      text.scrollTop += above - text.clientHeight / 3;
    }
  };
  const select = (keys, target) => {
    selected = keys;
    highlight(selected);
    reveal(selected, target);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const keys = keysOf(event.target);
    highlight(keys.size ? keys : selected);
  });
  document.addEventListener("focusin", (event) => {
    const keys = keysOf(event.target);
    if (keys.size && event.target.matches(":focus-visible")) select(keys, event.target);
  });
  document.addEventListener("click", (event) => select(keysOf(event.target), event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select(new Set(), null);
  });
  // The slider hides statements that are less likely, and their marks.
  document.documentElement.classList.add("scripted");
  document.addEventListener("input", (event) => {
    if (!event.target.matches(".strict input")) return;
    const threshold = Number(event.target.value);
    event.target.closest(".strict").querySelector("output").textContent = threshold;
    for (const statement of document.querySelectorAll("[data-likely]")) {
      statement.hidden = Number(statement.dataset.likely) < threshold;
      const { key } = statement.querySelector("[data-key]").dataset;
      for (const mark of document.querySelectorAll(`.text [data-key="${key}"]`)) {
        mark.classList.toggle("off", statement.hidden);
      }
    }
  });
})();
