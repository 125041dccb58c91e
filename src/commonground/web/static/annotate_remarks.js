// Flags and comments on questions; `send(remark, onTrouble)` saves one and returns a promise.

import { complain } from "./api.js";

const PAUSE = 1200; // after the last key of a comment, in milliseconds

export function remarks(root, item, send) {
  const boxes = [...root.querySelectorAll(".unit")].map((unit) => new Remark(unit, item, send));
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("textarea, input:not([type=radio])")) return;
    const remark = boxes.find(({ unit }) => unit.contains(event.target));
    const key = event.key.toLowerCase();
    if (!remark || (key !== "f" && key !== "c")) return;
    event.preventDefault();
    if (key === "f") remark.flag();
    else remark.open();
  });
  return {
    restore: (saved) => boxes.find(({ unit }) => unit.dataset.unit === saved.unit)?.restore(saved),
    unsaved: () => boxes.some((box) => box.isChanged()),
    saveAll: () => Promise.all(boxes.filter((box) => box.isChanged()).map((box) => box.save())),
  };
}

class Remark {
  constructor(unit, item, send) {
    const box = unit.querySelector(".comment-box");
    const find = (name) => unit.querySelector(name);
    Object.assign(this, { unit, item, send, box, text: box.querySelector("textarea") });
    this.flagButton = find(".flag");
    this.openButton = find(".remark .comment");
    this.state = box.querySelector(".remark-state");
    this.saved = this.text.value;
    this.over = { flagged: this.isFlagged(), comment: this.saved }; // what the server has
    this.flagButton.addEventListener("click", () => this.flag());
    this.openButton.addEventListener("click", () => (this.box.hidden ? this.open() : this.close()));
    this.text.addEventListener("input", () => {
      this.state.textContent = "not saved yet";
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), PAUSE);
    });
    this.text.addEventListener("change", () => this.text.value !== this.given && this.isChanged() && this.save());
    this.text.addEventListener("keydown", (event) => {
      const isDone = event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
      if (!isDone) return;
      event.preventDefault();
      if (this.isChanged()) this.save();
      if (!this.text.value.trim()) this.close();
      find("input:checked, .choices input, #written").focus();
    });
  }

  isFlagged() {
    return this.flagButton.getAttribute("aria-pressed") === "true";
  }

  isChanged() {
    return this.text.value.trim() !== this.saved.trim();
  }

  open() {
    this.box.hidden = false;
    this.openButton.setAttribute("aria-expanded", "true");
    this.text.focus();
  }

  close() {
    this.box.hidden = true;
    this.openButton.setAttribute("aria-expanded", "false");
  }

  flag() {
    this.flagButton.setAttribute("aria-pressed", String(!this.isFlagged()));
    return this.save();
  }

  // Show what was said at an earlier visit, unless the user has typed or flagged by now.
  restore({ flagged, comment }) {
    if (this.isChanged() || this.isFlagged() !== this.over.flagged) return;
    this.flagButton.setAttribute("aria-pressed", String(flagged));
    this.text.value = this.saved = comment;
    this.over = { flagged, comment };
    if (comment) this.box.hidden = false;
    this.openButton.setAttribute("aria-expanded", String(!this.box.hidden));
  }

  async save() {
    clearTimeout(this.timer);
    const [flagged, comment] = [this.isFlagged(), this.text.value];
    this.given = comment; // sent once, however often the box loses the focus
    const remark = { item: this.item, unit: this.unit.dataset.unit, flagged, comment, over: this.over };
    this.#say("saving …");
    try {
      const kept = await this.send(remark, () => this.#say("not saved, trying again …", true));
      this.over = { flagged: kept.flagged, comment: kept.comment };
      this.saved = comment;
      this.#say(this.isChanged() ? "not saved yet" : "saved");
    } catch (error) {
      this.given = null;
      this.#say("not saved", true);
      complain(error);
    }
  }

  #say(words, lost = false) {
    this.state.textContent = words;
    this.state.classList.toggle("lost", lost);
  }
}
