// The sentences of a summary that earn no points: the program may have missed what they say.

import { counted, make } from "./dom.js";
import { unitName } from "./pyramid_marks.js";

// The indices of the sentences that state no idea, not even in part.
export function unearned({ sentences, matches }) {
  const earning = new Set(matches.filter(({ presence }) => presence !== "no").map(({ sentence }) => sentence));
  return [...sentences.keys()].filter((index) => !earning.has(index));
}

// Whether half of the sentences or more earn no points.
export function isMostlyUnearned(student) {
  const { length } = unearned(student);
  return length > 0 && 2 * length >= student.sentences.length;
}

// Let the teacher give such a sentence the points of an idea. `decide(edit)` makes a change.
export function addGiving(sheet, student, units, decide) {
  const indices = unearned(student);
  const missing = student.matches.map(({ presence }, index) => (presence === "yes" ? null : index));
  const ideas = missing.filter((index) => index !== null);
  if (!indices.length || !ideas.length) return;
  const words = (index) => sheet.querySelector(`#sentence-${index + 1}`);
  const sentence = make("select", {}, ...indices.map((index) => new Option(words(index).textContent, index)));
  const idea = make(
    "select",
    { required: true },
    new Option("choose an idea", ""),
    ...ideas.map((index) => new Option(`${counted(units[index].weight, "point")}: ${units[index].label}`, index)),
  );
  const form = make(
    "form",
    { autocomplete: "off" },
    make("label", {}, "The sentence ", sentence),
    make("label", {}, "says the idea ", idea),
    make("button", { type: "submit", class: "quiet small" }, "Give the points"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const about = { student: student.name, text: student.hash };
    const unit = unitName(units, Number(idea.value));
    decide({ do: "point", ...about, unit, sentence: Number(sentence.value) + 1 });
  });
  const giving = make("details", { class: "give no-print" }, make("summary", {}, "Give a sentence points"), form);
  sheet.querySelector(".unearned-note").after(giving);
  for (const index of indices) {
    words(index).addEventListener("click", () => {
      if (words(index).closest(".choosing")) return;
      sentence.value = String(index);
      giving.open = true;
    });
  }
}
