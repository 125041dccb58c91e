// What pages with a result have in common: failures as a line, work that shows how far it is and
// can be cancelled, a link under which a result is kept, and all of it on paper.

import { api, complain, hush, say } from "./api.js";
import { at } from "./dom.js";
import { run } from "./job.js";

// A handler whose failures are said to the user.
export const attempt = (act) => async (event) => {
  try {
    hush();
    await act(event);
  } catch (error) {
    complain(error);
  }
};

export const onClick = (id, act) => at(id)?.addEventListener("click", attempt(act));

// Work in the server, one piece at a time: new work ends what is under way. `box` has a
// <progress>, a `.doing` and a `.cancel`; `stale` is pale until the work is done.
export class Work {
  #now = null;

  constructor(box, stale = null) {
    Object.assign(this, { box, stale });
    box.querySelector(".cancel").addEventListener("click", () => {
      this.#now.abort();
      this.#show("Cancelling", null);
    });
  }

  // The result, or an AbortError where it was cancelled or something newer has begun.
  async run(url, payload) {
    return this.#only(async (signal, isNow) => {
      this.#show("Starting", 0);
      this.stale?.classList.add("stale");
      const onProgress = (share, words) => {
        if (isNow()) this.#show(words, signal.aborted ? null : share);
      };
      return run(url, payload, { signal, onProgress, onTooLate: complain });
    });
  }

  // Do something with each of many, one after the other: [{value} or {error}]. `act` is given the
  // item and {signal}; cancelling throws an AbortError.
  async steps(items, words, act) {
    return this.#only(async (signal) => {
      const found = [];
      for (const [place, item] of items.entries()) {
        this.#show(`${words} ${place + 1} of ${items.length}`, place / items.length);
        try {
          found.push({ value: await act(item, { signal }) });
        } catch (error) {
          found.push({ error });
        }
        signal.throwIfAborted();
      }
      return found;
    });
  }

  // Do something that nothing newer has begun after; what is cancelled is said to be when it is.
  async #only(act) {
    this.stop();
    const mine = (this.#now = new AbortController());
    const isNow = () => this.#now === mine;
    try {
      return await act(mine.signal, isNow);
    } catch (error) {
      if (isNow() && error.name === "AbortError") say("Cancelled.");
      throw error;
    } finally {
      if (isNow()) this.#over();
    }
  }

  stop() {
    this.#now?.abort();
    if (this.#now) this.#over();
  }

  // Say that a file is being read, or with null that none is any more. Work is more important.
  reading(name) {
    if (this.#now) return;
    if (name === null) this.#over();
    else this.#show(`Reading ${name}`, null);
  }

  #over() {
    this.#now = null;
    this.box.hidden = true;
    this.stale?.classList.remove("stale");
  }

  // Without a share there is nothing to cancel either.
  #show(words, share) {
    this.box.hidden = false;
    this.box.querySelector(".cancel").hidden = share === null;
    this.box.querySelector(".doing").textContent = words;
    const bar = this.box.querySelector("progress");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  }
}

// The buttons #keep and #copy and the place #link; `data()` is what is kept, `saved()` is called
// when it is.
export function keeping(kind, data, saved) {
  const place = at("link").querySelector("a");
  onClick("keep", async () => {
    const { link } = await api("POST", "/api/kept", { kind, data: await data() });
    saved();
    place.href = link;
    place.textContent = place.href;
    at("link").hidden = false;
    at("copy").hidden = !navigator.clipboard; // which browsers have on this machine and with https
    say("Kept. Whoever has the link can see it; “Kept” above lists all of yours.");
  });
  onClick("copy", async () => {
    await navigator.clipboard.writeText(place.href);
    say("Copied.");
  });
}

// All of a part of the page belongs on paper, also what is folded.
export function unfoldedOnPaper(part) {
  addEventListener("beforeprint", () => {
    for (const one of part.querySelectorAll("details:not([open], .no-print)")) {
      one.open = true;
      one.dataset.folded = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const one of part.querySelectorAll("[data-folded]")) {
      one.open = false;
      delete one.dataset.folded;
    }
  });
}
