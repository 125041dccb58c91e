// The list of students: points, mark, ideas to check; sorted, filtered, and how many are checked.

import { at } from "./dom.js";
import { rosterTable, toCheck } from "./pyramid_table.js";
import { isMostlyUnearned } from "./pyramid_unearned.js";

export class Roster {
  #doubtfulOnly = false;

  // `desk` holds the scores and who is checked; `open(index)` shows a student.
  constructor(desk, open) {
    Object.assign(this, { desk, open });
    at("student").addEventListener("change", () => open(Number(at("student").value)));
    at("show-all").addEventListener("click", () => this.#filter(false));
    at("show-doubtful").addEventListener("click", () => this.#filter(true));
    at("roster").addEventListener("click", (event) => {
      const row = event.target.closest("tbody tr");
      if (row) open(indexOf(row));
    });
  }

  get #rows() {
    return [...at("roster").querySelectorAll("tbody tr")];
  }

  // The indices of the students on the list, in its order.
  get order() {
    return this.#rows.filter((row) => !row.hidden).map(indexOf);
  }

  isChecked(student) {
    const { checked } = this.desk;
    return Object.hasOwn(checked, student.name) && checked[student.name] === student.hash;
  }

  // Whether a person should look: at an idea to check, or at a summary that mostly earns no points
  // and is not checked yet.
  isDoubtful(student) {
    return toCheck(student.matches) > 0 || (isMostlyUnearned(student) && !this.isChecked(student));
  }

  // Draw the list; `current` is the index of the student on show.
  show(current) {
    const { students, grades } = this.desk.scores;
    const back = at("roster").contains(document.activeElement);
    const scrolled = at("roster").scrollTop;
    const isChecked = (student) => this.isChecked(student);
    at("roster").replaceChildren(rosterTable(students, isChecked, Object.keys(grades ?? {})));
    at("roster").scrollTop = scrolled;
    const doubtful = students.filter((student) => this.isDoubtful(student)).length;
    at("all-students").textContent = students.length;
    at("doubtful-students").textContent = doubtful;
    const done = students.filter(isChecked).length;
    at("checked-words").textContent = `${done} of ${students.length} checked`;
    Object.assign(at("checked-share"), { max: students.length, value: done });
    this.#filter(this.#doubtfulOnly && doubtful > 0);
    at("show-doubtful").disabled = !doubtful;
    this.mark(current);
    if (back) this.focus();
  }

  // Mark the student on show.
  mark(current) {
    for (const row of this.#rows) {
      const button = row.querySelector("button");
      if (indexOf(row) === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    at("roster").querySelector("[aria-current]")?.closest("tr").scrollIntoView({ block: "nearest" });
    const { students } = this.desk.scores;
    const options = this.order.map((index) => {
      const { name, raw } = students[index];
      const done = this.isChecked(students[index]) ? "✓ " : "";
      return new Option(`${done}${name}: ${raw.toFixed(1)} points`, index);
    });
    at("student").replaceChildren(...options);
    at("student").value = String(current);
  }

  focus() {
    at("roster").querySelector("[aria-current]")?.focus();
  }

  // The student `step` places after another, or null at the end of the list.
  after(index, step) {
    const { order } = this;
    return order[order.indexOf(index) + step] ?? null;
  }

  // The next student who is not checked: further down, else from the top; null if there is none.
  unchecked(index) {
    const { order } = this;
    const place = order.indexOf(index) + 1;
    const ahead = [...order.slice(place), ...order.slice(0, place)];
    return ahead.find((one) => !this.isChecked(this.desk.scores.students[one])) ?? null;
  }

  #filter(doubtfulOnly) {
    this.#doubtfulOnly = doubtfulOnly;
    at("show-all").ariaPressed = String(!doubtfulOnly);
    at("show-doubtful").ariaPressed = String(doubtfulOnly);
    const { students } = this.desk.scores;
    for (const row of this.#rows) row.hidden = doubtfulOnly && !this.isDoubtful(students[indexOf(row)]);
  }
}

const indexOf = (row) => Number(row.querySelector("button").dataset.index);
