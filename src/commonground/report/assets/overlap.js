// The list of findings and the texts beside it: choosing a finding lights its evidence in every
// text. Without this script the page still shows everything. A page that replaces the overlap
// sends the event "overlap" to the document.
(() => {
  const narrow = matchMedia("(max-width: 64rem)");
  const phone = matchMedia("(max-width: 47.9rem)");
  const root = () => document.querySelector(".overlap");
  const all = (selector) => [...(root()?.querySelectorAll(selector) ?? [])];
  const chosen = () => root()?.querySelector(".item.chosen");

  // -- Tabs ---------------------------------------------------------------------------------------

  function openTab(tab) {
    for (const one of all("[role=tab]")) {
      const isOpen = one === tab;
      one.setAttribute("aria-selected", isOpen);
      one.tabIndex = isOpen ? 0 : -1;
      document.getElementById(one.getAttribute("aria-controls")).classList.toggle("open", isOpen);
    }
  }

  const tabOf = (item) => document.getElementById(item.closest(".panel").getAttribute("aria-labelledby"));

  // -- Choosing -----------------------------------------------------------------------------------

  // The sentences or passages that show a finding.
  const evidenceOf = (item) =>
    [...item.querySelectorAll(".evidence a[href]:not([hidden])")]
      .map((link) => document.getElementById(link.hash.slice(1)))
      .filter(Boolean);

  function light(item) {
    for (const old of all(".lit")) old.classList.remove("lit");
    for (const part of item ? evidenceOf(item) : []) part.classList.add("lit");
    const key = item?.id ?? "";
    for (const value of all(".value")) value.classList.toggle("lit", value.dataset.key === key);
  }

  function choose(item, { scroll = true, focus = false } = {}) {
    chosen()?.querySelector(".pick").removeAttribute("aria-current");
    chosen()?.classList.remove("chosen");
    light(item);
    setHash(item ? `#${item.id}` : "");
    const now = root().querySelector(".now");
    now.textContent = item ? item.querySelector(".what").firstElementChild.textContent : "Choose a finding";
    if (!item) return;
    item.classList.add("chosen");
    const pick = item.querySelector(".pick");
    pick.setAttribute("aria-current", "true");
    openTab(tabOf(item));
    closeDrawer();
    const parts = evidenceOf(item);
    showTextOf(parts);
    if (scroll) {
      parts.forEach(reveal);
      bringUp(parts);
    }
    if (focus && !phone.matches) pick.focus({ preventScroll: true });
    within(item, item.closest(".panel"));
  }

  // Scroll inside a text only, so that the page stays where the reader is; a phone has one scroll.
  function reveal(part) {
    const text = part.closest(".text");
    if (text.scrollHeight <= text.clientHeight + 1) {
      if (phone.matches && text.offsetParent) part.scrollIntoView({ block: "center" });
      return;
    }
    const above = part.getBoundingClientRect().top - text.getBoundingClientRect().top;
    text.scrollTop += above - text.clientHeight / 4;
  }

  // Rows of texts may be below the window, or with many texts below the frame.
  function bringUp(parts) {
    if (narrow.matches || !parts.length) return;
    const isBelow = (part) => part.getBoundingClientRect().bottom > innerHeight;
    const columns = root().querySelector(".columns");
    columns.scrollTop += parts[0].closest(".narrative").getBoundingClientRect().top - columns.getBoundingClientRect().top;
    if (parts.some(isBelow)) root().querySelector(".workspace").scrollIntoView({ block: "nearest" });
  }

  function within(item, panel) {
    const box = item.getBoundingClientRect();
    const frame = panel.getBoundingClientRect();
    if (box.top < frame.top) panel.scrollTop += box.top - frame.top - 12;
    else if (box.bottom > frame.bottom) panel.scrollTop += box.bottom - frame.bottom + 12;
  }

  function setHash(hash) {
    try {
      history.replaceState(history.state, "", hash || location.pathname + location.search);
    } catch {
      // In a frame of a notebook there is no address.
    }
  }

  function walk(step) {
    const open = root().querySelector(".panel.open");
    const items = [...open.querySelectorAll(".item:not([hidden])")];
    if (!items.length) return;
    const at = items.indexOf(chosen());
    const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step;
    const item = items[Math.max(0, Math.min(items.length - 1, next))];
    choose(item, { focus: true });
  }

  // -- Views --------------------------------------------------------------------------------------

  function setView(view) {
    root().dataset.view = view;
    for (const button of all("[data-show]")) button.setAttribute("aria-pressed", button.dataset.show === view);
    fit();
  }

  function showText(index) {
    all(".narrative").forEach((one, n) => one.classList.toggle("active", n === index));
    for (const button of all("[data-text]")) {
      button.setAttribute("aria-pressed", Number(button.dataset.text) === index);
    }
  }

  // One at a time, a text without evidence gives way to one that has some.
  function showTextOf(parts) {
    const texts = parts.map((part) => part.closest(".narrative"));
    if (!texts.length || texts.some((one) => one.classList.contains("active"))) return;
    showText(all(".narrative").indexOf(texts[0]));
  }

  function closeDrawer() {
    root().classList.remove("drawer");
    root().querySelector(".open-list").setAttribute("aria-expanded", "false");
  }

  function toggleDrawer() {
    const isOpen = root().classList.toggle("drawer");
    root().querySelector(".open-list").setAttribute("aria-expanded", isOpen);
    if (isOpen) root().querySelector("[role=tab][aria-selected=true]").focus();
  }

  // The list and the texts fill the window from where they begin, so that both are seen together.
  function fit() {
    const space = root()?.querySelector(".workspace");
    if (!space) return;
    const top = Math.max(space.getBoundingClientRect().top, 0);
    root().style.setProperty("--above", `${Math.min(top, innerHeight / 2) + 16}px`);
  }

  // -- Events -------------------------------------------------------------------------------------

  function onClick(event) {
    if (!root()?.contains(event.target)) {
      return;
    }
    const target = event.target.closest("a[href^='#'], button, .sentence, .part");
    if (!target) return;
    if (target.matches("[role=tab]")) openTab(target);
    else if (target.dataset.show) setView(target.dataset.show);
    else if (target.dataset.text) showText(Number(target.dataset.text));
    else if (target.dataset.walk) walk(Number(target.dataset.walk));
    else if (target.matches(".open-list")) toggleDrawer();
    else if (target.matches("a")) follow(event, target);
    else chooseFrom(event.target, target);
  }

  // A link to a finding chooses it; a link to its evidence chooses it and shows that text.
  function follow(event, link) {
    const goal = document.getElementById(link.hash.slice(1));
    const item = goal?.matches(".item") ? goal : link.closest(".item");
    if (!goal || !item) return;
    event.preventDefault();
    if (goal !== item) showTextOf([goal]);
    choose(item);
  }

  // A click on a marked sentence chooses what it shows; a second click chooses the next one.
  function chooseFrom(element, part) {
    if (String(getSelection())) return;
    const value = element.closest(".value");
    const links = [...part.querySelectorAll(":scope > .badge:not([hidden])")];
    const own = all(`.evidence a[href="#${part.id}"]`).map((link) => link.closest(".item"));
    const items = links.map((link) => document.getElementById(link.hash.slice(1)));
    const shown = [value && document.getElementById(value.dataset.key), ...items, ...own]
      .filter((item, n, list) => item && !item.hidden && list.indexOf(item) === n);
    if (!shown.length) return;
    choose(shown[(shown.indexOf(chosen()) + 1) % shown.length]);
  }

  const isWriting = (element) => element.matches?.("input:not([type=range]), textarea, select, [contenteditable]");

  function onKey(event) {
    if (!root() || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    const inList = event.target.closest?.(".list .panel");
    const free = event.target === document.body || inList;
    if (event.key === "Escape") {
      if (root().classList.contains("drawer")) closeDrawer();
      else if (chosen()) choose(null);
    } else if (event.key === "j" || (event.key === "ArrowDown" && free)) {
      event.preventDefault();
      walk(1);
    } else if (event.key === "k" || (event.key === "ArrowUp" && free)) {
      event.preventDefault();
      walk(-1);
    } else if (event.target.matches?.("[role=tab]")) {
      const tabs = all("[role=tab]");
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs.at((tabs.indexOf(event.target) + step) % tabs.length);
      openTab(next);
      next.focus();
    }
  }

  function fromHash() {
    const item = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (item && item.matches(".item") && root().contains(item)) {
      item.hidden = false; // a less likely one, named by its link
      choose(item);
    }
  }

  function begin() {
    if (!root()) return;
    document.documentElement.classList.add("scripted");
    openTab(all("[role=tab]")[0]);
    setView(narrow.matches ? "one" : "side");
    fromHash();
  }

  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  document.addEventListener("overlap", begin);
  document.addEventListener("relit", () => chosen() && light(chosen()));
  narrow.addEventListener("change", () => root() && setView(narrow.matches ? "one" : "side"));
  addEventListener("resize", fit);
  addEventListener("scrollend", (event) => event.target === document && fit());
  addEventListener("hashchange", () => root() && fromHash());
  begin();
})();
