// Questions answered by keys. The store saves the answers:
//   store.save(unit, value) -> promise of the current state: {item, unit, value}
//   store.undo() -> promise of the same for the undone label; null if there is none

import { complain, say } from "./api.js";

export function labelling(root, store, { next = null, undoButton = null, isOpen = null } = {}) {
  const units = [...root.querySelectorAll(".unit")];
  let current = first();

  for (const unit of units) {
    unit.addEventListener("focusin", () => (current = unit));
    unit.addEventListener("change", (event) => {
      if (event.target.type === "radio") give(unit, event.target.value);
    });
  }

  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("textarea, input:not([type=radio])")) return;
    const unit = event.target.closest(".unit");
    // Use the key's position if known: on some keyboards digits need Shift.
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? event.key;
    const chosen = unit?.querySelector(`input[data-key="${CSS.escape(digit)}"]`);
    if (!chosen || event.repeat) return;
    event.preventDefault();
    chosen.checked = true;
    forward(unit);
    give(unit, chosen.value);
  });

  document.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.matches("textarea, input:not([type=radio])")) return;
    event.preventDefault();
    undo();
  });
  undoButton?.addEventListener("click", undo);

  // Keys need the focus: a click beside the questions returns it to them.
  root.addEventListener("click", (event) => {
    if (event.target.closest("a, button, input, textarea, label, .against")) return;
    if (!getSelection().toString()) focus(event.target.closest(".unit") ?? current);
  });

  function first() {
    return (isOpen && units.find(isOpen)) ?? units.find((unit) => labelOf(unit) === null) ?? units[0];
  }

  function forward(unit) {
    const rest = units.slice(units.indexOf(unit) + 1);
    const after = isOpen ? rest.find(isOpen) : rest[0]; // the first open one, if some are settled
    if (after) focus(after);
    else next?.focus();
  }

  async function give(unit, value) {
    const mine = (unit.attempt = (unit.attempt ?? 0) + 1);
    const state = (words, lost) => mine === unit.attempt && mark(unit, words, lost);
    state("saving …");
    try {
      const saved = await store.save(unit.dataset.unit, value, () =>
        state("not saved, trying again …", true),
      );
      if (mine === unit.attempt) show(unit, saved.value);
      state(store.words);
    } catch (error) {
      state("not saved", true);
      complain(error);
    }
    refresh();
  }

  async function undo() {
    try {
      const undone = await store.undo();
      if (!undone) return;
      const unit = units.find(({ dataset }) => dataset.unit === undone.unit);
      unit.attempt = (unit.attempt ?? 0) + 1;
      show(unit, undone.value);
      mark(unit, undone.value === null ? "" : store.words);
      focus(unit);
      say(undone.value === null ? "Undone: no label" : `Undone: back to ${undone.value}`);
    } catch (error) {
      complain(error);
    }
    refresh();
  }

  function refresh() {
    if (undoButton) undoButton.disabled = !store.canUndo();
  }

  // Show a label of an earlier visit, unless the user has given or typed another one by now.
  function restore(key, value) {
    const unit = units.find(({ dataset }) => dataset.unit === key);
    const text = unit?.querySelector("#written");
    if (!unit || unit.attempt || (text && text.value.trim() !== text.dataset.saved.trim())) return;
    if (text) text.value = value ?? "";
    show(unit, value);
    mark(unit, value === null ? "" : store.words);
    refresh();
  }

  function start() {
    current = first();
    if (current) focus(current);
  }

  return { give, forward, restore, start };
}

// The label of a question as it is on the page; null: none.
export function labelOf(unit) {
  const text = unit.querySelector("#written");
  if (text) return text.dataset.given === "true" ? text.dataset.saved : null;
  return unit.querySelector(".choices :checked")?.value ?? null;
}

function show(unit, value) {
  const text = unit.querySelector("#written");
  if (text) {
    // Do not replace a text that the user is typing.
    if (text.value.trim() !== (value ?? "") && document.activeElement !== text) {
      text.value = value ?? "";
    }
    text.dataset.given = String(value !== null);
    text.dataset.saved = value ?? "";
    return;
  }
  for (const choice of unit.querySelectorAll("[type=radio]")) choice.checked = choice.value === value;
}

function mark(unit, words, lost = false) {
  const state = unit.querySelector(".state");
  state.textContent = words;
  state.classList.toggle("lost", lost);
}

function focus(unit) {
  const goal = unit.querySelector("input:checked") ?? unit.querySelector("[type=radio], #written");
  goal.focus({ preventScroll: true });
  unit.scrollIntoView({ block: "nearest" });
}
