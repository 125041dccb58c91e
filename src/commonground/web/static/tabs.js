// Tabs: buttons [role=tab], each with the panel that it controls.

export class Tabs {
  // `changed(id)` is called with the id of the panel that is shown.
  constructor(list, changed) {
    Object.assign(this, { list, changed });
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) this.open(panelOf(tab).id);
    });
    list.addEventListener("keydown", (event) => {
      const tabs = this.#tabs.filter((tab) => !tab.hidden);
      const index = tabs.indexOf(document.activeElement);
      const places = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
      if (!(event.key in places)) return;
      event.preventDefault();
      const tab = tabs.at(places[event.key] % tabs.length);
      this.open(panelOf(tab).id);
      tab.focus();
    });
  }

  get #tabs() {
    return [...this.list.querySelectorAll("[role=tab]")];
  }

  // The id of the panel on show.
  get current() {
    return panelOf(this.#tabs.find((tab) => tab.ariaSelected === "true")).id;
  }

  open(id) {
    for (const tab of this.#tabs) {
      const chosen = panelOf(tab).id === id;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      panelOf(tab).hidden = !chosen;
    }
    this.changed(id);
  }
}

const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
