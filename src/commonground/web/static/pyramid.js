// The Pyramid page: builds a pyramid from references, lets a teacher edit it, and scores a class
// with it, again after every edit.

import { api, complain, say } from "./api.js";
import { at, counted } from "./dom.js";
import { Draft } from "./draft.js";
import { onFiles, save } from "./drop.js";
import { TextCards } from "./text_cards.js";
import { showNotices } from "./notices.js";
import { attempt, sharing, onClick, Work } from "./panel.js";
import { ClassScores } from "./pyramid_class.js";
import { editor } from "./pyramid_edit.js";
import { history, isDecision, unitName } from "./pyramid_marks.js";
import { showPyramid, showSources } from "./pyramid_view.js";
import { Tabs } from "./tabs.js";
import { Unsaved } from "./unsaved.js";

const result = at("result");
const isOwner = "owner" in result.dataset;
const mostWeight = Number(result.dataset.mostWeight);

// As it is saved: `pyramid` as it was built, `edits` since, `now` with the edits; `judged` are the
// program's scores, `scores` those with the decisions of people; `checked` has the hash of the text
// by student.
const empty = () => ({ edits: [], students: [], scores: null, judged: null, grades: "", words: {}, checked: {} });
const desk = { pyramid: null, names: [], now: null, ...empty() };
const draft = at("draft") && new Draft("pyramid"); // none on pages of saved results
const tabs = new Tabs(at("steps"), () => {
  scores.showPanel();
  keepDraft();
});
const scores = new ClassScores(desk, isOwner, at("example") !== null, { decide, undo, tabs, changed: keepDraft });
let references = null; // the cards, if the visitor may build
let isRestored = false; // whether the page shows a draft

const typed = new Unsaved();
const changes = new Unsaved();
let built = 0; // the changes up to this number are in the pyramid

function saved() {
  typed.savedUpTo(built);
  changes.forget();
}

// Whether somebody corrected the worked example.
const isTouched = () =>
  [desk.edits, Object.keys(desk.checked), desk.grades, Object.keys(desk.words)].some((made) => made.length);

// Keep the page in this browser. A class that has no room there is left out; leaving asks first.
function keepDraft() {
  if (!draft || !references) return false;
  const texts = references.typed;
  const example = at("example") !== null;
  const own = (example && !isTouched()) || result.hidden ? null : desk;
  const hasText = texts.some(({ text }) => text.trim());
  if (!own && !(example ? typed.any : hasText)) {
    if (example) draft.discard(); // all corrections were undone
    return false;
  }
  return draft.save({ texts, desk: own, tab: tabs.current, example }) || draft.save({ texts, desk: null });
}

function show(values) {
  Object.assign(desk, empty(), values);
  desk.judged ??= structuredClone(desk.scores); // of old versions
  result.hidden = false;
  drawn();
  scores.show();
}

function drawn() {
  showPyramid(desk.now, desk.names, isOwner, opened);
  at("count-ideas").textContent = desk.now.units.length;
  at("link").hidden = true;
  showHistory();
}

function showHistory() {
  if (!isOwner) return;
  at("undo").disabled = at("sheet-undo").disabled = !desk.edits.length;
  at("history").hidden = !desk.edits.length;
  at("history").querySelector("summary").textContent = `Changes: ${desk.edits.length}`;
  at("history").querySelector("ol").replaceChildren(...history(desk.edits));
}

// Create the forms of a unit when it is opened; a pyramid can have hundreds.
function opened(block, unit) {
  if (!block.open) {
    if (!at("pyramid").querySelector(".unit[open]")) showSources(desk.now, desk.names, null);
    return;
  }
  showSources(desk.now, desk.names, unit);
  if (!isOwner || block.querySelector(".edit")) return;
  const list = block.querySelector(".wordings");
  block.append(editor(unit, desk.now.units, list, mostWeight, change));
}

// -- Editing -----------------------------------------------------------------------------------

let last = Promise.resolve();
// One edit after the other, each based on the one before.
const inTurn = (act) => (last = last.then(act, act));

// The changes of the pyramid among all changes.
const shape = (edits) => JSON.stringify(edits.filter((edit) => !isDecision(edit)));

async function apply(edits) {
  const { pyramid } = desk;
  const before = desk.edits;
  if (shape(edits) === shape(before)) {
    desk.edits = edits;
    try {
      await scores.remark();
    } catch (error) {
      desk.edits = before;
      throw error;
    }
    if (!at("example")) changes.changed();
    showHistory();
    keepDraft();
    return;
  }
  at("pyramid").inert = true; // indices refer to the pyramid on the page
  try {
    desk.now = await api("POST", "/api/pyramid/edit", { pyramid, edits });
    desk.edits = edits;
    if (!at("example")) changes.changed();
  } finally {
    at("pyramid").inert = false;
  }
  drawn();
  keepDraft();
  if (desk.students.length) scores.score().catch(complain);
}

// Sign a change, and name its units by their words, so that it also fits another pyramid.
function signed(edit) {
  const name = (unit) => (typeof unit === "number" ? unitName(desk.now.units, unit) : unit);
  const named = { ...edit };
  if ("unit" in edit) named.unit = name(edit.unit);
  if ("units" in edit) named.units = edit.units.map(name);
  return { ...named, by: at("by").value.trim() || "Teacher", at: new Date().toISOString() };
}

const change = (act) =>
  attempt(async () => {
    const { edit, moved } = act();
    await inTurn(() => apply([...desk.edits, signed(edit)]));
    reveal(moved);
    const done = edit.do === "split" ? "Split: 2 ideas now." : "Changed.";
    say(desk.students.length ? `${done} Scoring the class again.` : done);
  })();

// Make a decision about a student.
async function decide(edit) {
  await inTurn(() => apply([...desk.edits, signed(edit)]));
  say("Changed.");
}

// Open and focus the unit that has this contributor. Units in a file may have none.
function reveal(contributor) {
  if (!contributor) return result.focus();
  const same = (other) =>
    other.reference === contributor.reference &&
    other.id === contributor.id &&
    other.text === contributor.text;
  const index = desk.now.units.findIndex((unit) => unit.contributors.some(same));
  const block = at("pyramid").querySelector(`[data-index="${index}"]`);
  if (!block) return result.focus();
  block.open = true;
  return block.querySelector("summary").focus();
}

async function undo() {
  if (!desk.edits.length) return;
  await inTurn(() => apply(desk.edits.slice(0, -1)));
  if (at("undo").disabled && at("class").hidden) result.focus();
  say("Undone.");
}

// -- Saving and sharing ------------------------------------------------------------------------

async function shared() {
  if (at("class-too").checked) await scores.settled();
  const { pyramid, edits, names, now, ...all } = desk;
  if (at("class-too").checked) return { pyramid, edits, names, ...all };
  return { pyramid, edits: edits.filter((edit) => !isDecision(edit)), names };
}

onClick("print", () => print());
onClick("save-json", () => {
  const names = desk.names.some(Boolean) ? { names: desk.names } : {};
  const file = { ...desk.now, ...names };
  save("pyramid.json", `${JSON.stringify(file, null, 1)}\n`, "application/json");
  saved();
});
onClick("save-html", async () => {
  save("pyramid.html", await api("POST", "/api/pyramid/page", desk.now), "text/html");
  saved();
});
onClick("save-corrections", async () => {
  const { pyramid, edits } = desk;
  const file = await api("POST", "/api/pyramid/corrections", { pyramid, edits });
  save("corrections.json", `${JSON.stringify(file, null, 1)}\n`, "application/json");
  changes.forget();
});
sharing("pyramid", shared, () => {
  saved();
  if (at("class-too").checked) scores.saved();
});

// -- Building -----------------------------------------------------------------------------------

// Show a new pyramid and score the class again. Comments stay; other changes were of the old one.
async function begin(pyramid, names, words, notices = []) {
  showNotices(at("notices"), notices);
  const edits = at("example") ? [] : desk.edits.filter((edit) => edit.do === "comment");
  scores.forgetExample();
  const { students, grades, words: wording } = desk;
  at("example")?.remove();
  changes.forget();
  show({ pyramid, now: pyramid, names, edits, students, grades, words: wording });
  at("editor").open = false;
  tabs.open("ideas");
  result.focus();
  say(words);
  if (students.length) await scores.score();
}

async function parsed(file) {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not JSON.`);
  }
}

async function openFile(file) {
  const pyramid = await parsed(file);
  const now = await api("POST", "/api/pyramid/edit", { pyramid, edits: [] });
  const shown = begin(now, now.names, `${file.name} was opened.`);
  references.fill(now.references.map((text, index) => ({ name: now.names?.[index] ?? "", text })));
  await shown;
}

// Add the changes of a corrections file to those on the page.
async function openCorrections(file) {
  const { format, changes: added } = await parsed(file);
  if (format !== "commonground-corrections" || !Array.isArray(added)) {
    throw new Error(`${file.name} is not a corrections file.`);
  }
  await inTurn(() => apply([...desk.edits, ...added]));
  say(`${counted(added.length, "change")} added.`);
}

function prepare() {
  const work = new Work(at("working"), result);
  const list = at("references");
  const [fewest, most] = [Number(list.dataset.fewest), Number(list.dataset.most)];
  references = new TextCards(list, {
    fewest,
    most,
    noun: "reference",
    mark: (index) => index + 1,
    several: () => at("example") && startOwn(),
    reading: (name) => {
      at("editor").open = true;
      work.reading(name);
    },
    changed: (count) => {
      at("add").disabled = count >= most;
      if (references) nameReferences();
      keepDraft();
    },
  });
  const nameReferences = () => {
    at("names").textContent = references.written.map(({ name }) => name).join(" · ");
  };
  const startOwn = () => {
    work.stop();
    scores.stop();
    at("example")?.remove();
    references.clear();
    typed.forget();
    scores.forgetExample();
    result.hidden = true;
    tabs.open("ideas");
    at("editor").open = true;
    references.focus();
  };
  at("build").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const texts = references.values();
      const upTo = typed.now;
      const { pyramid, notices } = await work.run("/api/pyramid", { references: texts });
      built = upTo;
      const names = texts.map((text) => text.name);
      await begin(pyramid, names, `Built: ${counted(pyramid.units.length, "unit")}.`, notices);
    })();
  });
  list.addEventListener("input", () => {
    typed.changed();
    nameReferences();
    if (keepDraft()) typed.forget();
  });
  at("open").addEventListener("change", () => {
    const [file] = at("open").files;
    if (file) attempt(() => openFile(file))();
    at("open").value = "";
  });
  at("open-corrections").addEventListener("change", () => {
    const [file] = at("open-corrections").files;
    if (file) attempt(() => openCorrections(file))();
    at("open-corrections").value = "";
  });
  at("by").value = localStorage.getItem("by") ?? "";
  at("by").addEventListener("change", () => localStorage.setItem("by", at("by").value));
  at("add-idea").addEventListener("submit", (event) => {
    event.preventDefault();
    change(() => {
      const label = at("idea-words").value.trim();
      if (!label) throw new Error("Enter the idea.");
      if (!at("idea-weight").reportValidity()) throw new Error(`Points must be a whole number from 1 to ${mostWeight}.`);
      const edit = { do: "add", label, weight: at("idea-weight").valueAsNumber };
      event.target.reset();
      return { edit, moved: null };
    });
  });
  onClick("add", () => references.focus(references.add()));
  onClick("own", startOwn);
  onClick("undo", undo);
  onClick("to-class", () => {
    tabs.open("class");
    at("tab-class").focus();
  });
  onClick("discard", () => {
    draft.discard();
    for (const tracker of [typed, changes]) tracker.forget();
    scores.saved();
    location.reload();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, dialog");
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
    if (!isUndo || event.shiftKey || typing) return;
    event.preventDefault();
    attempt(undo)();
  });
  onFiles(at("build"), (files) => {
    if (at("example")) startOwn();
    references.take(files);
  });
  const before = draft?.load();
  if (before?.desk || before?.texts.some(({ text }) => text.trim())) restore(before);
  function restore({ texts, desk: written, tab, example }) {
    if (!(example && written)) startOwn();
    references.fill(texts);
    at("draft").hidden = false;
    if (!written) return;
    isRestored = true;
    show(written);
    at("editor").open = false;
    tabs.open(tab);
  }
}

if (at("build")) prepare();
attempt(async () => {
  const data = await api("GET", result.dataset.source);
  if (!draft || (at("example") && !isRestored)) show(data); // not after the user has started their own
})();
