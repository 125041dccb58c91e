// The Pyramid page: builds a pyramid from references, lets a teacher edit it, and scores a class
// with it, again after every edit.

import { api, complain, say } from "./api.js";
import { at, counted } from "./dom.js";
import { onFiles, save } from "./drop.js";
import { Narratives } from "./narratives.js";
import { attempt, keeping, onClick, Work } from "./panel.js";
import { ClassScores } from "./pyramid_class.js";
import { editor } from "./pyramid_edit.js";
import { showPyramid, showSources } from "./pyramid_view.js";
import { Unsaved } from "./unsaved.js";

const result = at("result");
const isOwner = "owner" in result.dataset;
const mostWeight = Number(result.dataset.mostWeight);

// As it is saved: `pyramid` as it was built, `edits` since, `now` with the edits.
const desk = { pyramid: null, edits: [], names: [], students: [], scores: null, now: null };
const scores = new ClassScores(desk, isOwner, at("example") !== null);

const typed = new Unsaved();
const changes = new Unsaved();
let built = 0; // the changes up to this number are in the pyramid

function saved() {
  typed.savedUpTo(built);
  changes.forget();
}

function show(values) {
  Object.assign(desk, { edits: [], students: [], scores: null }, values);
  result.hidden = false;
  drawn();
  scores.show();
}

function drawn() {
  showPyramid(desk.now, desk.names, isOwner, opened);
  at("link").hidden = true;
  if (isOwner) at("undo").disabled = !desk.edits.length;
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

async function apply(edits) {
  const { pyramid } = desk;
  at("pyramid").inert = true; // indices refer to the pyramid on the page
  try {
    desk.now = await api("POST", "/api/pyramid/edit", { pyramid, edits });
    desk.edits = edits;
    if (!at("example")) changes.changed();
  } finally {
    at("pyramid").inert = false;
  }
  drawn();
  if (desk.students.length) scores.score().catch(complain);
}

const change = (act) =>
  attempt(async () => {
    const { edit, moved } = act();
    await inTurn(() => apply([...desk.edits, edit]));
    reveal(moved);
    say(desk.students.length ? "Changed. Scoring the class again." : "Changed.");
  })();

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
  if (at("undo").disabled) result.focus();
  say("Undone.");
}

// -- Saving and sharing ------------------------------------------------------------------------

function kept() {
  const { pyramid, edits, names } = desk;
  if (!at("class-too").checked) return { pyramid, edits, names };
  return { pyramid, edits, names, students: desk.students, scores: desk.scores };
}

onClick("print", () => print());
onClick("save-json", () => {
  save("pyramid.json", `${JSON.stringify(desk.now, null, 1)}\n`, "application/json");
  saved();
});
onClick("save-html", async () => {
  save("pyramid.html", await api("POST", "/api/pyramid/page", desk.now), "text/html");
  saved();
});
keeping("pyramid", kept, () => {
  saved();
  if (at("class-too").checked) scores.saved();
});

// -- Building -----------------------------------------------------------------------------------

// Show a new pyramid and score the class again.
async function begin(pyramid, names, words) {
  scores.forgetExample();
  const { students } = desk;
  at("example")?.remove();
  changes.forget();
  show({ pyramid, now: pyramid, names, students });
  at("editor").open = false;
  result.focus();
  say(words);
  if (students.length) await scores.score();
}

async function openFile(file) {
  let pyramid;
  try {
    pyramid = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not JSON.`);
  }
  const now = await api("POST", "/api/pyramid/edit", { pyramid, edits: [] });
  await begin(now, [], `${file.name} was opened.`);
}

function prepare() {
  const work = new Work(at("working"), result);
  const list = at("references");
  const [fewest, most] = [Number(list.dataset.fewest), Number(list.dataset.most)];
  const references = new Narratives(list, {
    fewest,
    most,
    noun: "reference",
    mark: (index) => index + 1,
    reading: (name) => {
      at("editor").open = true;
      work.reading(name);
    },
    changed: (count) => (at("add").disabled = count >= most),
  });
  const startOwn = () => {
    work.stop();
    scores.stop();
    at("example")?.remove();
    references.clear();
    typed.forget();
    scores.forgetExample();
    result.hidden = true;
    at("editor").open = true;
    references.focus();
  };
  at("build").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const texts = references.values();
      const upTo = typed.now;
      const pyramid = await work.run("/api/pyramid", { references: texts });
      built = upTo;
      const names = texts.map((text) => text.name);
      await begin(pyramid, names, `Built: ${counted(pyramid.units.length, "unit")}.`);
    })();
  });
  list.addEventListener("input", () => typed.changed());
  at("open").addEventListener("change", () => {
    const [file] = at("open").files;
    if (file) attempt(() => openFile(file))();
    at("open").value = "";
  });
  onClick("add", () => references.focus(references.add()));
  onClick("own", startOwn);
  onClick("undo", undo);
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
}

if (at("build")) prepare();
const isExample = at("example") !== null;
attempt(async () => {
  const data = await api("GET", result.dataset.source);
  if (!isExample || at("example")) show(data); // not after the user has started their own
})();
