// Sends what an annotator gives to the server, in order, until it is saved or refused. Until then this browser
// keeps it: what a closed tab had not sent is sent by the next visit.

import { api, ApiError, complain, hush, say } from "./api.js";
import { counted } from "./dom.js";
import { Draft, draftNames, UNSENT } from "./draft.js";

const PATHS = {
  label: "/api/annotate/work/labels",
  remark: "/api/annotate/work/remarks",
  undo: "/api/annotate/work/undo",
};
// Refused now, but not with a new link; what is refused for good is not kept.
const KEPT_STATUSES = [401, 403, 413, 429];
const OFFLINE = "No connection. This browser keeps your labels and sends them when it is back.";
const NO_ROOM = "No connection. Keep this page open: your labels are sent when it is back.";

export const unsentDrafts = () => draftNames(UNSENT).map((name) => new Draft(name));

export class Sending {
  #queue = Promise.resolve();
  #waiting = []; // {change, draft, isKept, isLate, onTrouble}, oldest first
  #labels = new Map(); // ids of saved labels by their keys
  #unsaved = new Map(); // drafts of refused changes that are kept, by question
  #refused = new Map(); // statuses by question of which a change from an earlier visit was refused
  #undoableLate = null;
  #onSaved;

  // `dataset` says whose changes these are; `onSaved(state, change, isLate)` gets each response.
  constructor({ annotator, who, undoable = "" }, onSaved) {
    this.annotator = Number(annotator);
    this.name = `${UNSENT}${who}:`;
    this.undoable = Number(undoable) || null;
    this.#onSaved = onSaved;
  }

  get waiting() {
    return this.#waiting.length;
  }

  // The number of changes that only this page has.
  get unkept() {
    return this.#waiting.filter(({ isKept }) => !isKept).length;
  }

  // Resolves when all that waits now is saved or refused.
  get done() {
    return this.#queue;
  }

  // `over` is the label that the question has. The key makes a repeated request harmless, so a lost response is
  // requested again.
  label(item, unit, value, over, onTrouble) {
    return this.#give({ do: "label", item, unit, value, key: randomName(), over: { value: over } }, onTrouble);
  }

  // `remark` has its own `over`.
  remark(remark, onTrouble) {
    return this.#give({ do: "remark", ...remark }, onTrouble);
  }

  // Undo the latest label, which may be waiting itself; null if there is none.
  async undo() {
    const undone = new Set(this.#waiting.map(({ change }) => change.of));
    const latest = this.#waiting.findLast(({ change }) => change.do === "label" && !undone.has(change.key));
    if (!this.#waiting.length && this.undoable === null) return null;
    return this.#give({ do: "undo", of: latest?.change.key ?? null, label: null });
  }

  // Send what earlier visits left, before anything else, and say what became of it.
  async resend() {
    const drafts = draftNames(this.name).sort().map((name) => new Draft(name));
    const late = drafts.map((draft) => ({ change: draft.load(), draft, isKept: true, isLate: true }));
    const results = await Promise.allSettled(late.filter(({ change }) => change).map((one) => this.#queued(one)));
    const saved = results.filter(({ value }) => value).length;
    const refused = results.filter(({ reason }) => reason);
    if (saved) say(`${counted(saved, "change")} from your last visit ${saved === 1 ? "is" : "are"} saved now.`);
    if (!refused.length) return;
    const verb = refused.length === 1 ? "was" : "were";
    complain(`${counted(refused.length, "change")} from your last visit ${verb} not saved: ${refused[0].reason.message}`);
  }

  #give(change, onTrouble) {
    const draft = new Draft(this.name + randomName(Date.now()));
    return this.#queued({ change, draft, isKept: draft.save(change), isLate: false, onTrouble });
  }

  #queued(one) {
    this.#waiting.push(one);
    const result = this.#queue.then(() => this.#send(one));
    const over = () => this.#waiting.splice(this.#waiting.indexOf(one), 1);
    this.#queue = result.then(over, over);
    return result;
  }

  async #send(one) {
    const { change, draft, isLate } = one;
    if (change.do === "undo" && !this.#isKnown(one)) return draft.discard(), null;
    try {
      const state = await this.#answered(one);
      this.#saved(one, state);
      return state;
    } catch (error) {
      if (isLate) this.#refused.set(questionOf(change), error.status);
      if (isLate) this.#undoableLate = null;
      if (!KEPT_STATUSES.includes(error.status)) draft.discard();
      else this.#unsaved.set(questionOf(change), [...(this.#unsaved.get(questionOf(change)) ?? []), draft]);
      throw error;
    }
  }

  #saved(one, state) {
    const { change, draft, isLate } = one;
    draft.discard();
    if (change.do === "label") this.#labels.set(change.key, state.label);
    if (state.progress) this.undoable = state.undoable;
    if (state.progress && isLate) this.#undoableLate = state.undoable;
    const isRemark = change.do === "remark";
    const over = isRemark ? { flagged: state.flagged, comment: state.comment } : { value: state.value };
    const question = isRemark ? questionOf(change) : questionOf({ do: "label", ...state });
    for (const other of this.#waiting) {
      if (other === one || questionOf(other.change) !== question) continue;
      other.change.over = over;
      other.draft.save(other.change);
    }
    for (const older of this.#unsaved.get(question) ?? []) older.discard();
    this.#unsaved.delete(question);
    this.#onSaved(state, change, isLate);
  }

  // Find out which label an undo is about, before it is sent: sent again, it must not undo another one.
  #isKnown({ change, draft, isLate }) {
    if (change.label !== null) return true;
    const latest = isLate ? this.#undoableLate : this.undoable;
    change.label = change.of === null ? latest : (this.#labels.get(change.of) ?? null);
    if (change.label !== null) draft.save(change);
    return change.label !== null;
  }

  // Return the server's response, however often it has to be asked.
  async #answered(one) {
    const { do: kind, of, over, ...values } = one.change;
    const body = { ...values, annotator: this.annotator };
    if (one.isLate && kind !== "undo") {
      // It must not replace what was given elsewhere since, nor follow what could not be saved.
      const status = this.#refused.get(questionOf(one.change));
      if (status) throw new ApiError("An earlier change was not saved.", status);
      body.over = over;
    }
    for (let pause = 500; ; pause = Math.min(2 * pause, 15000)) {
      try {
        const state = await api("POST", PATHS[kind], body);
        if (pause > 500) hush(); // the server is back
        return state;
      } catch (error) {
        const passing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
        if (!passing) throw error;
        one.onTrouble?.();
        if (pause === 500) complain(this.#trouble(error)); // once; the question itself says that it is not saved
        await again(pause);
      }
    }
  }

  #trouble(error) {
    if (error.status !== 0) return error;
    return this.#waiting.every(({ isKept }) => isKept) ? OFFLINE : NO_ROOM;
  }
}

const questionOf = ({ do: kind, item, unit }) => `${kind} ${item} ${unit}`;

// Wait for some milliseconds, or until the connection is back.
function again(pause) {
  return new Promise((done) => {
    setTimeout(done, pause);
    addEventListener("online", done, { once: true });
  });
}

// A name that nothing else has; with a time, names sort as they were made. Not randomUUID(), which browsers
// offer only with https.
let made = 0;
function randomName(time = null) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const random = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (time === null) return random;
  return [String(time).padStart(15, "0"), String((made += 1)).padStart(6, "0"), random].join("-");
}
