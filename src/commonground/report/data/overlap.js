// What is pointed at, tapped or focused lights up wherever it stands: in the list of statements
// and in every narrative. Without this script the page still shows it all, only less at once.
(() => {
  const keyed = (node) => {
    const keys = new Set();
    for (let one = node; one && one.closest; one = one.parentElement) {
      one = one.closest("[data-key]");
      if (!one) break;
      keys.add(one.dataset.key);
    }
    return keys;
  };
  let kept = new Set();
  const light = (keys) => {
    for (const one of document.querySelectorAll("[data-key]")) {
      one.classList.toggle("lit", keys.has(one.dataset.key));
    }
  };
  // Only a narrative that scrolls by itself is moved, so the page stays where the reader is.
  const reveal = (keys, except) => {
    for (const text of document.querySelectorAll(".narrative .text")) {
      if (text.scrollHeight <= text.clientHeight || text.contains(except)) continue;
      const mark = [...text.querySelectorAll("[data-key]")].find((one) => keys.has(one.dataset.key));
      if (!mark) continue;
      const above = mark.getBoundingClientRect().top - text.getBoundingClientRect().top;
      text.scrollTop += above - text.clientHeight / 3;
    }
  };
  const keep = (keys, from) => {
    kept = keys;
    light(kept);
    reveal(kept, from);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const keys = keyed(event.target);
    light(keys.size ? keys : kept);
  });
  document.addEventListener("focusin", (event) => {
    const keys = keyed(event.target);
    if (keys.size && event.target.matches(":focus-visible")) keep(keys, event.target);
  });
  document.addEventListener("click", (event) => keep(keyed(event.target), event.target));
  // The slider hides statements that are less likely, and their marks.
  document.documentElement.classList.add("scripted");
  document.addEventListener("input", (event) => {
    if (!event.target.matches(".strict input")) return;
    const least = Number(event.target.value);
    event.target.closest(".strict").querySelector("output").textContent = least;
    for (const one of document.querySelectorAll("[data-likely]")) {
      one.hidden = Number(one.dataset.likely) < least;
      const { key } = one.querySelector("[data-key]").dataset;
      for (const mark of document.querySelectorAll(`.text [data-key="${key}"]`)) {
        mark.classList.toggle("off", one.hidden);
      }
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") keep(new Set(), null);
  });
})();
