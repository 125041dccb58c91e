// The owner decides the units of one item.

import { api } from "./api.js";
import { labelling } from "./annotate_label.js";
import { at } from "./dom.js";
import { attempt } from "./panel.js";

const root = at("item");
const item = Number(root.dataset.position);
const path = `/api/annotate/projects/${root.dataset.project}/decisions`;
const units = new Map([...root.querySelectorAll(".unit")].map((unit) => [unit.dataset.unit, unit]));
const current = new Map();
const done = [];
for (const [key, unit] of units) current.set(key, decided(unit));

const store = {
  words: "decided",
  canUndo: () => done.length > 0,
  save: async (unit, value) => {
    const before = current.get(unit);
    const made = await decide(unit, value);
    done.push([unit, before]);
    return made;
  },
  undo: async () => {
    if (!done.length) return null;
    const [unit, before] = done.pop();
    const sent = { item, unit };
    return take(before === null ? await api("POST", `${path}/withdraw`, sent) : await decide(unit, before));
  },
};

function decided(unit) {
  const text = unit.querySelector("#written");
  if (text) return text.dataset.given === "true" ? text.value : null;
  return unit.querySelector(".choices :checked")?.value ?? null;
}

async function decide(unit, value) {
  const note = units.get(unit).querySelector(".note-box input");
  const sent = { item, unit, value, note: note.value };
  const made = take(await api("POST", path, sent));
  note.dataset.saved = sent.note;
  return made;
}

function take(made) {
  current.set(made.unit, made.value);
  const total = Number(at("progress").dataset.total);
  const words = `${total - made.undecided} of ${total} disagreements decided`;
  at("progress").value = total - made.undecided;
  at("progress-words").textContent = words;
  return made;
}

const { give, start } = labelling(root, store, {
  next: at("next"),
  undoButton: at("undo"),
  isOpen: (unit) => "differs" in unit.dataset && current.get(unit.dataset.unit) === null,
});

// A note belongs to a decision: it is saved with it, or after it when it changes.
for (const [key, unit] of units) {
  const note = unit.querySelector(".note-box input");
  const saveNote = attempt(async () => {
    if (note.value.trim() === note.dataset.saved.trim()) return;
    const value = current.get(key);
    if (value === null) return; // it waits for the decision
    await decide(key, value);
    unit.querySelector(".state").textContent = "note saved";
  });
  note.addEventListener("change", saveNote);
  note.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    unit.querySelector(".choices input:checked, .choices input, #written").focus();
  });
}
root.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea, input:not([type=radio])")) return;
  event.preventDefault();
  event.target.closest(".unit")?.querySelector(".note-box input").focus();
});

// A text is chosen from an annotator, edited and saved.
const text = at("written");
root.addEventListener("click", (event) => {
  const use = event.target.closest(".use");
  if (!use) return;
  const given = use.parentElement.querySelector(".text").textContent;
  text.value = given === "(They share nothing.)" ? "" : given;
  give(text.closest(".unit"), text.value);
});
at("save-text")?.addEventListener("click", () => give(text.closest(".unit"), text.value));
at("nothing")?.addEventListener("click", () => {
  text.value = "";
  give(text.closest(".unit"), "");
});
addEventListener("pageshow", (event) => event.persisted && location.reload());

start();
