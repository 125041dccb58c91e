// Shared by pages with a result: error messages, jobs with progress and a Cancel button, the
// share link, and printing.

import { address, api, complain, hush, isLocal, say } from "./api.js";
import { at, make } from "./dom.js";
import { save } from "./drop.js";
import { run } from "./job.js";

// Wrap a handler so that its errors are shown to the user.
export const attempt = (act) => async (event) => {
  try {
    hush();
    await act(event);
  } catch (error) {
    complain(error);
  }
};

// Buttons that save a table; `values` returns what the server makes it from.
export function tableButtons(box, values) {
  for (const button of box?.querySelectorAll("[data-table]") ?? []) {
    const name = button.dataset.table;
    const act = async () => {
      const file = await api("POST", `/api/score/${name}`, values());
      save(name, file, file.type);
    };
    button.addEventListener("click", attempt(act));
  }
}

export const onClick = (id, act) => at(id)?.addEventListener("click", attempt(act));

// Jobs on the server, one at a time: a new job cancels the old one. `box` has a <progress>, a
// `.doing` and a `.cancel`; `stale` is the old result until the job is done.
export class Work {
  #running = null;
  #ended = Promise.resolve(); // the work before, when it is over on the server too

  constructor(box, stale = null) {
    Object.assign(this, { box, stale });
    box.querySelector(".cancel").addEventListener("click", () => {
      this.#running.abort();
      this.#show("Cancelling", null);
    });
  }

  // Return the result; throws AbortError if the job was cancelled or replaced.
  async run(url, payload) {
    return this.#only(async (signal, isCurrent) => {
      this.#age(true);
      const onProgress = (share, words) => {
        if (isCurrent()) this.#show(words, signal.aborted ? null : share);
      };
      return run(url, payload, { signal, onProgress, onTooLate: complain });
    });
  }

  // Process items one after the other: [{value} or {error}]. `act` gets the item and {signal};
  // cancelling throws AbortError.
  async steps(items, words, act) {
    return this.#only(async (signal) => {
      const results = [];
      for (const [index, item] of items.entries()) {
        this.#show(`${words} ${index + 1} of ${items.length}`, index / items.length);
        try {
          results.push({ value: await act(item, { signal }) });
        } catch (error) {
          results.push({ error });
        }
        signal.throwIfAborted();
      }
      return results;
    });
  }

  // Run `act` unless something newer starts, and report a cancellation.
  async #only(act) {
    this.stop();
    const controller = (this.#running = new AbortController());
    const isCurrent = () => this.#running === controller;
    this.#show("Starting", 0);
    const before = this.#ended;
    let over;
    this.#ended = new Promise((resolve) => (over = resolve));
    try {
      await before; // what was replaced must leave its place in the queue first
      controller.signal.throwIfAborted();
      return await act(controller.signal, isCurrent);
    } catch (error) {
      if (isCurrent() && error.name === "AbortError") say("Cancelled.");
      throw error;
    } finally {
      over();
      if (isCurrent()) this.#over();
    }
  }

  stop() {
    this.#running?.abort();
    if (this.#running) this.#over();
  }

  // Show that a file is being read (null: no longer). A running job takes precedence.
  reading(name) {
    if (this.#running) return;
    if (name === null) this.#over();
    else this.#show(`Reading ${name}`, null);
  }

  #over() {
    this.#running = null;
    this.box.hidden = true;
    this.#age(false);
  }

  // While a result is computed again, the old one is pale and cannot be saved or shared.
  #age(isOld) {
    this.stale?.classList.toggle("stale", isOld);
    for (const tools of this.stale?.querySelectorAll(":scope > .tools") ?? []) tools.inert = isOld;
  }

  // Without a share there is no progress and nothing to cancel.
  #show(words, share) {
    this.box.hidden = false;
    this.box.querySelector(".cancel").hidden = share === null;
    this.box.querySelector(".doing").textContent = words;
    const bar = this.box.querySelector("progress");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  }
}

// Copy a link. Without https, and where the user forbids it, there is no clipboard: then `box()`, an
// element that shows the link, is selected for the keyboard.
export async function copyLink(link, box) {
  try {
    await navigator.clipboard.writeText(link);
    say(isLocal ? "Link copied. It opens on this machine only." : "Link copied.");
  } catch {
    const shown = box();
    if (shown.select) shown.focus(), shown.select();
    else getSelection().selectAllChildren(shown);
    say("Press Ctrl+C to copy the selected link.");
  }
}

// The buttons #share, #people and #copy and the line #link, with a prefix if the page has several; `data()`
// returns what to save, `saved()` is called afterwards. Where people have accounts, #people saves a result for
// chosen people, whom its own page asks for; a result that already has a link is not saved again.
export function sharing(kind, data, saved, prefix = "") {
  const line = at(`${prefix}link`);
  const anchor = line.querySelector("a");
  let last = {}; // what was saved, and its link
  const store = async (isPublic, again) => {
    const values = await data();
    const content = JSON.stringify(values);
    if (again || last.content !== content) {
      const { link } = await api("POST", "/api/saved", { kind, data: values, public: isPublic });
      last = { content, link: address(link) };
      saved();
    }
    return last.link;
  };
  onClick(`${prefix}people`, async () => location.assign(`${await store(false, false)}#share-people`));
  onClick(`${prefix}share`, async () => {
    anchor.href = await store(true, true);
    anchor.textContent = anchor.href;
    line.hidden = false;
    const reach = isLocal
      ? "The link opens on this machine only. To send the result, save it as a file."
      : "Anyone with the link can view this.";
    say(`${reach} “Saved” above lists all your results.`);
  });
  onClick(`${prefix}copy`, () => copyLink(anchor.href, () => anchor));
}

// Unfold all details of a part of the page for printing.
export function unfoldedOnPaper(part) {
  addEventListener("beforeprint", () => {
    for (const details of part.querySelectorAll("details:not([open], .no-print)")) {
      details.open = true;
      details.dataset.folded = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const details of part.querySelectorAll("[data-folded]")) {
      details.open = false;
      delete details.dataset.folded;
    }
  });
}
