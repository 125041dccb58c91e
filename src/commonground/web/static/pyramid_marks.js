// What a teacher decides on a feedback sheet: accept or reject a match, point at the sentence that
// says an idea, comment. And the list of all changes.

import { make } from "./dom.js";

const DECISIONS = new Set(["accept", "reject", "point", "comment"]);

// Whether a change is about a student; the others change the pyramid.
export const isDecision = (edit) => DECISIONS.has(edit.do);

// The name of a unit in a change: its words, numbered if they repeat; its index if they are long.
export function unitName(units, index) {
  const { label } = units[index];
  if (label.length > 500) return index;
  const before = units.slice(0, index).filter((unit) => unit.label === label).length;
  return before ? `${label} (${before + 1})` : label;
}

// Add the controls to a sheet. `decide(edit)` makes a change about `student`; `units` are those of
// the pyramid, in the order of the sheet's numbers.
export function addControls(sheet, student, units, decide) {
  const about = { student: student.name, text: student.hash };
  sheet.querySelector("h1").after(commentForm(student, (comment) => decide({ do: "comment", ...about, comment })));
  for (const item of sheet.querySelectorAll(".idea")) {
    const index = Number(item.id.replace("idea-", "")) - 1;
    const edit = (act, more = {}) => decide({ do: act, ...about, unit: unitName(units, index), ...more });
    item.querySelector("div").append(controls(sheet, student.matches[index], edit));
  }
}

function controls(sheet, match, edit) {
  const button = (words, act) => make("button", { type: "button", class: "quiet", onclick: act }, words);
  const parts = [];
  const said = match.presence !== "no";
  const decided = match.by !== null && match.by !== undefined;
  // Both buttons stay, whichever was pressed: another one must not move under the pointer.
  const choice = (words, act, isChosen) => {
    const element = button(words, () => isChosen || edit(act));
    element.ariaPressed = String(isChosen);
    parts.push(element);
  };
  if (said || decided) {
    choice("Accept", "accept", decided && said);
    choice("Reject", "reject", decided && !said);
  }
  if (sheet.querySelector(".text [id^=sentence-]")) {
    const words = said ? "Point at another sentence" : "Point at the sentence that says it";
    parts.push(button(words, () => point(sheet, (sentence) => edit("point", { sentence }))));
  }
  return make("div", { class: "decide no-print" }, ...parts);
}

// Let the teacher choose a sentence of the summary, by click or by key; Escape ends it.
function point(sheet, chosen) {
  const text = sheet.querySelector(".text");
  const sentences = [...text.querySelectorAll("[id^=sentence-]")];
  const controller = new AbortController();
  const { signal } = controller;
  const hint = make("p", { class: "note pointing" }, "Choose the sentence that says it. Escape cancels.");
  const back = document.activeElement;
  const end = () => {
    controller.abort();
    hint.remove();
    text.classList.remove("choosing");
    for (const sentence of sentences) {
      sentence.removeAttribute("role");
      sentence.removeAttribute("tabindex");
    }
  };
  sheet.querySelector(".pointing")?.dispatchEvent(new Event("replaced"));
  hint.addEventListener("replaced", end, { signal });
  text.before(hint);
  text.classList.add("choosing");
  sentences.forEach((sentence) => {
    const number = Number(sentence.id.replace("sentence-", ""));
    const take = (event) => {
      event.preventDefault();
      end();
      chosen(number);
    };
    sentence.setAttribute("role", "button");
    sentence.setAttribute("tabindex", "0");
    sentence.addEventListener("click", take, { signal });
    sentence.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && take(event), { signal });
  });
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end();
    back?.focus();
  };
  sheet.addEventListener("keydown", escape, { signal });
  text.scrollIntoView({ block: "center" });
  sentences[0]?.focus({ preventScroll: true });
}

function commentForm(student, save) {
  const box = make("textarea", { rows: 2, maxLength: 5000, dir: "auto", value: student.comment?.text ?? "" });
  const label = make("label", {}, "Comment to the student ", box);
  const button = make("button", { type: "submit", class: "quiet" }, "Save comment");
  const form = make("form", { class: "comment-form no-print", autocomplete: "off" }, label, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(box.value);
  });
  return form;
}

// The changes in words, the newest first.
export function history(edits) {
  const lines = edits.map((edit, index) => {
    const when = edit.at ? new Date(edit.at).toLocaleString() : "";
    const who = [edit.by, when].filter(Boolean).join(", ");
    return make("li", { value: index + 1 }, described(edit), who ? make("small", {}, ` (${who})`) : null);
  });
  return lines.toReversed();
}

const name = (unit) => (typeof unit === "number" ? `idea ${unit + 1}` : `“${unit}”`);

function described(edit) {
  const { student } = edit;
  switch (edit.do) {
    case "accept":
      return `${student} says ${name(edit.unit)}`;
    case "reject":
      return `${student} does not say ${name(edit.unit)}`;
    case "point":
      return `${student} says ${name(edit.unit)} in sentence ${edit.sentence}`;
    case "comment":
      return `Comment to ${student}: ${edit.comment || "removed"}`;
    case "rename":
      return `Reworded ${name(edit.unit)} as “${edit.label}”`;
    case "reweigh":
      return `Set the points of ${name(edit.unit)} to ${edit.weight ?? "the number of its references"}`;
    case "delete":
      return `Deleted ${name(edit.unit)}`;
    case "add":
      return `Added “${edit.label}”`;
    case "merge":
      return `Merged ${edit.units.map(name).join(" and ")}`;
    default:
      return `Split ${name(edit.unit)}`;
  }
}
