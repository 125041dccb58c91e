// A result that no longer belongs to the texts beside it: a line says so, and it cannot be shared
// or saved.

import { at } from "./dom.js";

export class Outdated {
  #written;
  #buttons;
  #computed;

  // `written()` returns the texts as they are now; the first result is of those at the start.
  constructor(written, buttons) {
    this.#written = written;
    this.#buttons = buttons;
    this.resultIs(written());
  }

  // The result is of these texts.
  resultIs(texts) {
    this.#computed = JSON.stringify(texts);
  }

  // Follow a change of the texts or of the result.
  update(hasResult) {
    const isOutdated = hasResult && JSON.stringify(this.#written()) !== this.#computed;
    at("outdated").hidden = !isOutdated;
    for (const button of this.#buttons) button.disabled = isOutdated;
  }
}
