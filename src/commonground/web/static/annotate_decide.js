// The owner decides the units of one item.

import { api } from "./api.js";
import { labelling, labelOf } from "./annotate_label.js";
import { ReviewNotes } from "./annotate_notes.js";
import { at } from "./dom.js";
import { attempt } from "./panel.js";

const root = at("item");
const item = Number(root.dataset.position);
const path = `/api/annotate/projects/${root.dataset.project}/decisions`;
const units = new Map([...root.querySelectorAll(".unit")].map((unit) => [unit.dataset.unit, unit]));
const current = new Map();
const done = [];
for (const [key, unit] of units) current.set(key, labelOf(unit));

let last = Promise.resolve();
// One change after the other: a note that follows a decision waits until it is saved.
const inTurn = (act) => (last = last.then(act, act));

const notes = new ReviewNotes(root, {
  kept: `review-${root.dataset.project}-${item}`,
  save: (unit) => inTurn(() => current.get(unit) !== null && decide(unit, current.get(unit))),
});

const store = {
  words: "decided",
  canUndo: () => done.length > 0,
  save: async (unit, value) => {
    notes.decided(unit);
    return inTurn(async () => {
      const before = current.get(unit);
      const made = await decide(unit, value);
      done.push([unit, before]);
      return made;
    });
  },
  undo: async () => {
    if (!done.length) return null;
    const [unit, before] = done.pop();
    if (before !== null) return inTurn(() => decide(unit, before));
    const made = await inTurn(() => api("POST", `${path}/withdraw`, { item, unit }));
    notes.saved(unit, ""); // the note went with the decision, and waits for the next one
    return take(made);
  },
};

async function decide(unit, value) {
  const note = notes.of(unit);
  const made = take(await api("POST", path, { item, unit, value, note }));
  notes.saved(unit, note);
  return made;
}

function take(made) {
  current.set(made.unit, made.value);
  const isOpen = made.value === null;
  for (const flag of units.get(made.unit).querySelectorAll(".flagged")) {
    flag.classList.toggle("wrong", isOpen);
    flag.textContent = isOpen ? "flagged" : "flag resolved";
  }
  units.get(made.unit).querySelector(".resolve")?.toggleAttribute("hidden", !isOpen);
  const total = Number(at("progress").dataset.total);
  const words = `${total - made.undecided} of ${total} disagreements decided`;
  at("progress").value = total - made.undecided;
  at("progress-words").textContent = words;
  return made;
}

// What the list is about decides where the focus goes.
const what = root.dataset.show === "flagged" ? "flagged" : "differs";
const { give, forward, start } = labelling(root, store, {
  next: at("next"),
  undoButton: at("undo"),
  isOpen: ({ dataset }) => what in dataset && current.get(dataset.unit) === null,
});

// A flagged unit on which all agree: the decision for their label resolves the flag.
for (const button of root.querySelectorAll(".resolve")) {
  button.addEventListener("click", () => {
    const unit = button.closest(".unit");
    forward(unit);
    give(unit, button.dataset.value);
  });
}

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

notes.restore();
start();
