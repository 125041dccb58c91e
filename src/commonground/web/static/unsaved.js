// What would be lost with the page: the browser asks before it goes.

const all = [];

// Changes of one kind, counted, and how many of them are kept or exported.
export class Unsaved {
  #changes = 0;
  #saved = 0;

  constructor() {
    all.push(this);
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

  // Those that had been made when `now` was this much are safe.
  savedUpTo(now) {
    this.#saved = Math.max(this.#saved, now);
  }

  // None of them matters any more.
  forget() {
    this.#saved = this.#changes;
  }
}

addEventListener("beforeunload", (event) => {
  if (!all.some((one) => one.any)) return;
  event.preventDefault();
  event.returnValue = "unsaved"; // for older browsers, which show words of their own
});
