// The forms that edit a unit: split, rename, reweigh, merge, delete.

import { counted, make } from "./dom.js";

// Create the forms of a unit. `list` has a checkbox for each contributor. `change(act)` applies an
// edit: `act()` returns the edit and a contributor that it moves, or throws an error.
export function editor(unit, units, list, mostWeight, change) {
  const first = unit.contributors[0];
  const parts = [rename(), reweigh()];
  if (unit.contributors.length > 1) parts.unshift(split());
  if (units.length > 1) parts.push(merge(), remove());
  return make("div", { class: "edit no-print" }, ...parts);

  function form(submit, ...children) {
    const element = make("form", { autocomplete: "off" }, ...children);
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    return element;
  }

  function button(words) {
    return make("button", { type: "submit", class: "quiet" }, words);
  }

  function split() {
    const act = () => {
      const boxes = [...list.querySelectorAll("input:checked")];
      const contributors = boxes.map((box) => Number(box.value));
      if (!contributors.length || contributors.length === unit.contributors.length) {
        throw new Error("Select some of the wordings, but not all.");
      }
      const moved = unit.contributors[contributors[0]];
      return { edit: { do: "split", unit: unit.index, contributors }, moved };
    };
    return form(() => change(act), button("Split selected"));
  }

  function rename() {
    const words = make("textarea", { value: unit.label, maxLength: 500, rows: 2, dir: "auto" });
    // A label is one line, even if it wraps.
    words.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      words.form.requestSubmit();
    });
    const act = () => {
      if (!words.value.trim()) throw new Error("Enter a label.");
      return { edit: { do: "rename", unit: unit.index, label: words.value }, moved: first };
    };
    const label = make("label", { class: "grow" }, "Label ", words);
    return form(() => change(act), label, button("Rename"));
  }

  function reweigh() {
    const box = { type: "number", min: 1, max: mostWeight, value: unit.weight };
    const number = make("input", box);
    const act = () => {
      if (!number.checkValidity()) throw new Error(`Points must be a whole number from 1 to ${mostWeight}.`);
      const weight = number.value ? number.valueAsNumber : null;
      return { edit: { do: "reweigh", unit: unit.index, weight }, moved: first };
    };
    const count = new Set(unit.contributors.map((contributor) => contributor.reference)).size;
    const hint = make("small", {}, `stated by ${count}`);
    return form(() => change(act), make("label", {}, "Points ", number), button("Set"), hint);
  }

  function remove() {
    const act = () => ({ edit: { do: "delete", unit: unit.index }, moved: null });
    return form(() => change(act), button("Delete this idea"));
  }

  function merge() {
    const options = units.map((other, index) => ({ index, words: `${counted(other.weight, "point")}: ${other.label}` }));
    const choice = make(
      "select",
      {},
      new Option("choose an idea", ""),
      ...options
        .filter(({ index }) => index !== unit.index)
        .map(({ index, words }) => new Option(words, index)),
    );
    const act = () => {
      if (!choice.value) throw new Error("Choose an idea to merge with.");
      const pair = [unit.index, Number(choice.value)];
      return { edit: { do: "merge", units: pair }, moved: first };
    };
    const label = make("label", { class: "grow" }, "Merge with ", choice);
    return form(() => change(act), label, button("Merge"));
  }
}
