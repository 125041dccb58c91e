// What was typed but not saved, kept by this browser: it survives a reload and going back.

export class Draft {
  #key;

  constructor(page) {
    this.#key = `draft:${page}`;
  }

  // Return whether the browser keeps it.
  save(values) {
    try {
      localStorage.setItem(this.#key, JSON.stringify(values));
      return true;
    } catch {
      return false; // no room, or storage is switched off
    }
  }

  // Return the values, or null.
  load() {
    try {
      return JSON.parse(localStorage.getItem(this.#key));
    } catch {
      return null;
    }
  }

  discard() {
    localStorage.removeItem(this.#key);
  }
}

// Return the names of the drafts that begin so.
export function draftNames(start) {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(`draft:${start}`));
    return names.map((key) => key.slice("draft:".length));
  } catch {
    return []; // storage is switched off
  }
}

// Forget all drafts: the next person at this browser must not see them.
export function discardDrafts() {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("draft:")) localStorage.removeItem(key);
  }
}
