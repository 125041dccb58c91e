// What was typed but not saved, kept by this browser: it survives a reload and going back.

// Drafts of labels and comments that the server does not have yet; see annotate_sending.js.
export const UNSENT = "labels-";

export class Draft {
  #key;

  constructor(page) {
    this.#key = `draft:${page}`;
  }

  // Return whether the browser keeps it.
  save(values) {
    return stored((storage) => (storage.setItem(this.#key, JSON.stringify(values)), true), false);
  }

  // Return the values, or null.
  load() {
    return stored((storage) => JSON.parse(storage.getItem(this.#key)), null);
  }

  discard() {
    stored((storage) => storage.removeItem(this.#key));
  }
}

// Return the names of the drafts that begin so.
export function draftNames(start) {
  const names = stored((storage) => Object.keys(storage), []);
  return names.filter((key) => key.startsWith(`draft:${start}`)).map((key) => key.slice("draft:".length));
}

// Forget all drafts: the next person at this browser must not see them.
export function discardDrafts() {
  for (const name of draftNames("")) new Draft(name).discard();
}

// Storage may be full or switched off: then `otherwise` is returned.
function stored(act, otherwise) {
  try {
    return act(localStorage);
  } catch {
    return otherwise;
  }
}
