// Notes of the review. A note is saved with its decision; until then this browser keeps it.

import { Draft } from "./draft.js";
import { attempt } from "./panel.js";
import { Unsaved } from "./unsaved.js";

export class ReviewNotes {
  #units; // by key
  #draft;
  #waiting; // notes that the server does not have, by the key of their unit
  #typed = new Unsaved(); // changes that this browser could not keep
  #last = null; // the unit that was just decided, until the user goes elsewhere
  #back = null; // the element in focus before N

  // `kept` names the draft; `save(key)` saves the note of a unit if that is decided.
  constructor(root, { kept, save }) {
    this.save = save;
    this.#units = new Map([...root.querySelectorAll(".unit")].map((unit) => [unit.dataset.unit, unit]));
    this.#draft = new Draft(kept);
    this.#waiting = this.#draft.load() ?? {};
    for (const key of this.#units.keys()) this.#wire(key);
    for (const type of ["focusin", "pointerdown"]) {
      document.addEventListener(type, () => (this.#last = null));
    }
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  // The note of a unit as it is on the page.
  of(key) {
    return this.#box(key).value;
  }

  // A unit was decided and the focus went on: N still means this one.
  decided(key) {
    this.#last = key;
  }

  // The server has this note.
  saved(key, note) {
    this.#box(key).dataset.saved = note;
    this.#keep(key);
    this.#say(key, "");
  }

  // Show the notes that wait since an earlier visit.
  restore() {
    for (const [key, note] of Object.entries(this.#waiting)) {
      if (!this.#units.has(key)) continue;
      this.#box(key).value = note;
      attempt(() => this.#settle(key))();
    }
  }

  #box(key) {
    return this.#units.get(key).querySelector(".note-box input");
  }

  #isWaiting(key) {
    const note = this.#box(key);
    return note.value.trim() !== note.dataset.saved.trim();
  }

  #wire(key) {
    const note = this.#box(key);
    note.addEventListener("input", () => this.#keep(key));
    note.addEventListener("change", attempt(() => this.#settle(key)));
    note.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      const own = this.#units.get(key).querySelector(".choices input:checked, .choices input, #written");
      (this.#back ?? own).focus();
    });
    note.addEventListener("blur", () => (this.#back = null));
  }

  #onKey(event) {
    if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("textarea, input:not([type=radio])")) return;
    const key = this.#last ?? event.target.closest(".unit")?.dataset.unit;
    if (key === undefined) return;
    event.preventDefault();
    const back = document.activeElement;
    this.#box(key).focus();
    this.#back = back;
  }

  async #settle(key) {
    if (!this.#isWaiting(key)) return;
    await this.save(key);
    this.#say(key, this.#isWaiting(key) ? "Kept in this browser; saved with your decision." : "Note saved.");
  }

  #keep(key) {
    if (this.#isWaiting(key)) this.#waiting[key] = this.of(key);
    else delete this.#waiting[key];
    if (!Object.keys(this.#waiting).length) this.#draft.discard();
    else if (!this.#draft.save(this.#waiting)) return this.#typed.changed();
    this.#typed.forget();
  }

  #say(key, words) {
    this.#units.get(key).querySelector(".note-state").textContent = words;
  }
}
