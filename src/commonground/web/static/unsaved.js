// Unsaved changes: the browser asks before it leaves the page.

const trackers = [];

// Counts changes of one kind, and how many of them are saved or exported.
export class Unsaved {
  #changes = 0;
  #saved = 0;

  constructor() {
    trackers.push(this);
  }

  get now() {
    return this.#changes;
  }

  get any() {
    return this.#changes > this.#saved;
  }

  changed() {
    this.#changes += 1;
  }

  // The changes up to this number are saved.
  savedUpTo(now) {
    this.#saved = Math.max(this.#saved, now);
  }

  // All changes are saved or discarded.
  forget() {
    this.#saved = this.#changes;
  }
}

addEventListener("beforeunload", (event) => {
  if (!trackers.some((tracker) => tracker.any)) return;
  event.preventDefault();
  event.returnValue = "unsaved"; // for older browsers, which show their own message
});
