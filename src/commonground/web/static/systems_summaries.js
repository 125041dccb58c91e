// The summaries behind the scores of systems: for each id, the score of every system.

import { at, counted, make } from "./dom.js";
import { onClick } from "./panel.js";

const MOST_SYSTEMS = 8; // columns of the table
const PART = 100; // rows that are drawn at once

let systems = [];
let open = null; // open(system, row) shows a text; null if this page has no texts
let rows = []; // [{id, cells: [{scores, row}]}], a cell for each system that has the id
let columns = []; // indices of the systems in the table
let order = null; // {column: "id", "difference" or the index of a system, down}
let most = PART;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const metric = () => at("summaries-metric").value;
const scoreOf = (row, system) => row.cells[system]?.scores[metric()];

// A system may have an id several times: the second one has a row of its own.
function byId() {
  const found = new Map();
  systems.forEach(({ summaries }, system) => {
    const seen = new Map();
    summaries.forEach(({ id, scores }, row) => {
      const time = (seen.get(id) ?? 0) + 1;
      seen.set(id, time);
      const key = `${time} ${id}`;
      if (!found.has(key)) found.set(key, { id: time > 1 ? `${id} (${time})` : id, cells: [] });
      found.get(key).cells[system] = { scores, row };
    });
  });
  return [...found.values()];
}

// The highest score minus the lowest; undefined if only one system has the id.
function difference(row) {
  const scores = columns.map((system) => scoreOf(row, system)).filter((score) => score !== undefined);
  return scores.length > 1 ? Math.max(...scores) - Math.min(...scores) : undefined;
}

const valueOf = (row, column) => (column === "difference" ? difference(row) : scoreOf(row, column));

function sorted() {
  if (!order) return rows;
  const { column, down } = order;
  const sign = down ? -1 : 1;
  if (column === "id") return rows.toSorted((a, b) => sign * collator.compare(a.id, b.id));
  const values = new Map(rows.map((row) => [row, valueOf(row, column)]));
  // Ids without a score are last in either order.
  const compare = (a, b) => (a === undefined) - (b === undefined) || sign * (a - b) || 0;
  return rows.toSorted((a, b) => compare(values.get(a), values.get(b)));
}

function heading(name, column) {
  const isSorted = order?.column === column;
  const button = make("button", { type: "button" }, make("span", { dir: "auto" }, name));
  button.addEventListener("click", () => {
    // What deserves a look comes first: low scores and large differences.
    order = { column, down: isSorted ? !order.down : column === "difference" };
    draw();
    at("summaries-table").querySelector("[aria-sort] button").focus();
  });
  const sort = isSorted ? (order.down ? "descending" : "ascending") : null;
  return make("th", { scope: "col", class: column === "id" ? null : "n", "aria-sort": sort }, button);
}

function cell(row, system, best) {
  const score = scoreOf(row, system);
  if (score === undefined) return make("td", { class: "n" }, "–");
  const value = make(score === best ? "b" : "span", {}, score.toFixed(3));
  if (!open) return make("td", { class: "n" }, value);
  const words = make("span", { class: "unseen" }, `: open the summary ${row.id} of ${systems[system].system}`);
  const button = make("button", { type: "button", class: "plain small" }, value, words);
  button.addEventListener("click", () => open(system, row.cells[system].row, button));
  return make("td", { class: "n" }, button);
}

function line(row) {
  const scores = columns.map((system) => scoreOf(row, system)).filter((score) => score !== undefined);
  const best = scores.length > 1 ? Math.max(...scores) : null;
  const cells = columns.map((system) => cell(row, system, best));
  if (columns.length > 1) cells.push(make("td", { class: "n" }, difference(row)?.toFixed(3) ?? "–"));
  return make("tr", {}, make("th", { scope: "row", dir: "auto" }, row.id), ...cells);
}

function draw() {
  const heads = [heading("Id", "id"), ...columns.map((system) => heading(systems[system].system, system))];
  if (columns.length > 1) heads.push(heading("Difference", "difference"));
  const table = make(
    "table",
    { class: "data" },
    make("caption", { class: "unseen" }, `${metric()} of each summary`),
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...sorted().slice(0, most).map(line)),
  );
  at("summaries-table").replaceChildren(table);
  at("summaries-more").hidden = rows.length <= most;
  at("summaries-more").textContent = `Show all ${rows.length} ids`;
}

// Show the table. `openText(system, row, button)` opens a text, if the page has them.
export function showSummaries(found, openText) {
  systems = found;
  open = openText;
  rows = systems[0].summaries?.length ? byId() : []; // results of old versions have none
  at("summaries").hidden = rows.length === 0;
  if (!rows.length) return;
  columns = [...systems.keys()].slice(0, MOST_SYSTEMS);
  order = null;
  most = PART;
  const names = Object.keys(systems[0].scores);
  at("summaries-metric").replaceChildren(...names.map((name) => new Option(name)));
  const left = systems.length - columns.length;
  at("summaries-left").textContent = left
    ? ` The table has ${columns.length} systems; ${counted(left, "other")} can be chosen above.`
    : "";
  at("summaries-open").hidden = !open;
  draw();
}

// Move to the summaries of a system, lowest first.
export function showSummariesOf(system) {
  if (!columns.includes(system)) columns[columns.length - 1] = system;
  order = { column: system, down: false };
  draw();
  at("summaries-heading").scrollIntoView({ block: "start" });
  at("summaries-heading").focus({ preventScroll: true });
}

at("summaries-metric")?.addEventListener("change", draw);
onClick("summaries-more", () => {
  most = rows.length;
  draw();
  at("summaries-table").focus();
});
