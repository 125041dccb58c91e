// Sortable tables, and the tables of a class.

import { counted, draw, make } from "./dom.js";
import { labelNodes } from "./pyramid_label.js";
import { isMostlyUnearned, unearned } from "./pyramid_unearned.js";

const SHARES = ["quality", "coverage", "comprehensive"];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// The students; with `open`, a name opens that student's feedback sheet.
export function studentTable(students, open, marks = []) {
  const graded = marks.length > 0;
  const rows = students.map((student, index) => {
    const said = count(student.matches, "yes");
    const name = open
      ? make("button", { type: "button", class: "name-link", onclick: () => open(index) }, student.name)
      : student.name;
    return [
      { value: student.name, shown: name },
      { value: student.raw, shown: student.raw.toFixed(1) },
      ...SHARES.map((share) => percent(student[share])),
      { value: said, shown: `${said} of ${student.matches.length}${details(student.matches)}` },
      ...(graded ? [{ value: -marks.indexOf(student.grade), shown: student.grade }] : []),
    ];
  });
  const foot = [
    "Mean",
    mean(students.map((student) => student.raw)).toFixed(1),
    ...SHARES.map((share) => percent(mean(students.map((student) => student[share]))).shown),
    "",
    ...(graded ? [""] : []),
  ];
  const heads = ["Student", "Points", "Quality", "Coverage", "Comprehensive", "Ideas stated"];
  if (graded) heads.push("Grade");
  return table("students", heads, rows, students.length > 1 ? foot : null, "All scores");
}

// The list of students beside a sheet.
export function rosterTable(students, isChecked, marks = []) {
  const graded = marks.length > 0;
  const rows = students.map((student, index) => {
    const button = make("button", { type: "button", class: "name-link" }, student.name);
    button.dataset.index = index;
    const tick = isChecked(student) ? make("span", { class: "done", title: "Checked" }, "✓") : null;
    return [
      { value: student.name, shown: make("span", { class: "who" }, button, tick) },
      { value: student.raw, shown: student.raw.toFixed(1) },
      ...(graded ? [{ value: -marks.indexOf(student.grade), shown: student.grade }] : []),
      checkCell(student),
    ];
  });
  const heads = ["Student", "Points", ...(graded ? ["Mark"] : []), "Check"];
  return table("roster", heads, rows, null, `Scores of ${counted(students.length, "summary", "summaries")}`);
}

// The ideas to check, and the sentences without points: in the colour of a warning if they are half
// of the summary or more.
function checkCell(student) {
  const [ideas, { length: sentences }] = [toCheck(student.matches), unearned(student)];
  const pill = (number, name, words) => make("span", { class: name, title: words }, String(number));
  const shown = make("span", { class: "pills" });
  if (ideas) shown.append(pill(ideas, "pill warn", `${counted(ideas, "idea")} to check`));
  if (sentences) {
    const words = `${counted(sentences, "sentence")} without points`;
    shown.append(pill(`${sentences} s.`, isMostlyUnearned(student) ? "pill warn" : "pill", words));
  }
  return { value: ideas + sentences / 1000, shown };
}

// How many ideas a person should check. Results of old versions have `check`.
export const toCheck = (matches) => matches.filter((match) => match.checks?.length || match.check).length;

// How many students state each idea.
export function ideaTable(units, students) {
  const rows = units.map((unit, index) => {
    const matches = students.map((student) => student.matches[index]);
    const said = count(matches, "yes");
    const words = `${said} of ${students.length}${details(matches)}`;
    return [
      { value: unit.label, shown: make("span", {}, ...labelNodes(unit.label)) },
      { value: unit.weight, shown: String(unit.weight) },
      { value: said, shown: withBar(words, said / students.length) },
    ];
  });
  const caption = "Ideas by class";
  return table("ideas", ["Idea", "Points", "Stated by"], rows, null, caption);
}

// How many students have each grade.
export const gradeTable = (grades) => countTable("grades", "Grade", grades, "Grades of the class");

// How many students have a score in each part of the scale.
export const binTable = (bins) => countTable("bins", "Comprehensive", bins, "Scores of the class");

function countTable(name, head, counts, caption) {
  const rows = Object.entries(counts).map(([words, students]) => [
    { value: words, shown: words },
    { value: students, shown: String(students) },
  ]);
  return table(name, [head, "Students"], rows, null, caption);
}

const count = (matches, presence) => matches.filter((match) => match.presence === presence).length;

// The units stated in part, those to check, and those that people decided.
function details(matches) {
  const partly = count(matches, "partly");
  const doubtful = toCheck(matches);
  const decided = matches.filter((match) => match.by !== null && match.by !== undefined).length;
  const parts = [
    partly ? `, ${partly} in part` : "",
    doubtful ? `, ${doubtful} to check` : "",
    decided ? `, ${decided} by hand` : "",
  ];
  return parts.join("");
}

function percent(share) {
  return { value: share, shown: withBar(`${(100 * share).toFixed(0)}%`, share) };
}

function withBar(words, share) {
  const frame = { class: "bar", viewBox: "0 0 100 1", preserveAspectRatio: "none" };
  const filled = draw("rect", { width: 100 * Math.min(share, 1), height: 1 });
  return make("span", {}, words, draw("svg", { ...frame, "aria-hidden": "true" }, filled));
}

const chosen = new Map(); // by table name, its sort column and direction

// Create a table that is sorted by its headings: numbers descending, words ascending, and reversed
// when clicked again. A redrawn table keeps its order.
function table(name, heads, rows, foot, caption) {
  const lines = rows.map((cells) => {
    const [first, ...others] = cells.map(({ shown }) => shown);
    const head = make("th", { scope: "row", dir: "auto" }, first);
    return { cells, row: make("tr", {}, head, ...others.map((shown) => make("td", {}, shown))) };
  });
  const body = make("tbody", {}, ...lines.map(({ row }) => row));
  const columns = heads.map((words, column) => {
    const turn = () => {
      const before = chosen.get(name);
      sort(column, before?.column === column ? !before.up : column === 0);
    };
    return make("th", { scope: "col" }, make("button", { type: "button", onclick: turn }, words));
  });

  function sort(column, up) {
    chosen.set(name, { column, up });
    for (const heading of columns) heading.removeAttribute("aria-sort");
    columns[column].setAttribute("aria-sort", up ? "ascending" : "descending");
    const sorted = lines.toSorted((first, second) => {
      const [a, b] = [first.cells[column].value, second.cells[column].value];
      const order = column ? a - b : a.localeCompare(b, undefined, { numeric: true });
      return up ? order : -order;
    });
    body.append(...sorted.map(({ row }) => row));
  }

  if (chosen.has(name)) sort(chosen.get(name).column, chosen.get(name).up);
  const parts = [make("caption", {}, caption), make("thead", {}, make("tr", {}, ...columns)), body];
  if (foot) {
    const cells = foot.map((shown) => make("td", {}, shown));
    parts.push(make("tfoot", {}, make("tr", {}, ...cells)));
  }
  const wide = { class: "wide", tabIndex: 0, role: "region", "aria-label": caption };
  return make("div", wide, make("table", {}, ...parts));
}
