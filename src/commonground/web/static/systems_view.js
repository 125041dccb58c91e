// The scores of many systems: a table of means, a chart and files to take away.

import { barChart } from "./chart.js";
import { at, counted, make } from "./dom.js";
import { save } from "./drop.js";
import { showNotices } from "./notices.js";
import { onClick, tableButtons, unfoldedOnPaper } from "./panel.js";
import { sortable } from "./report/sortable.js";
import { showSummaries, showSummariesOf } from "./systems_summaries.js";

let result = null; // {name, systems, notices}, as it is saved
let systems = [];
const columns = () => Object.keys(systems[0].scores);

const shown = (value) => value.toFixed(3);
const interval = ({ low, high }) => `${shown(low)}–${shown(high)}`;

function cell(score) {
  const spread = make("small", {}, interval(score));
  const value = make("td", { class: "n" }, shown(score.mean), " ", spread);
  value.dataset.value = score.mean;
  return value;
}

// The best system has nothing to be behind; others may have no id in common with it.
function lag(behind) {
  const value = make("td", { class: "n" }, behind ? shown(behind.difference) : "–");
  value.dataset.value = behind?.difference ?? 0;
  if (behind) value.append(" ", make("small", {}, interval(behind)));
  const p = make("td", { class: "n" }, behind ? probability(behind.p) : "–");
  p.dataset.value = behind?.p ?? 0;
  return [value, p];
}

const probability = (p) => (p < 0.001 ? "< 0.001" : shown(p));

// What the file held, as it was read.
function read({ name }) {
  const ids = new Set(systems.flatMap(({ summaries }) => summaries?.map(({ id }) => id) ?? []));
  const summaries = systems.reduce((sum, { items }) => sum + items, 0);
  const parts = [counted(summaries, "summary", "summaries"), counted(systems.length, "system")];
  if (ids.size) parts.push(counted(ids.size, "id"));
  return [make("span", { dir: "auto" }, name || "File"), `: ${parts.join(", ")}.`];
}

function verdict() {
  const [best, second] = systems;
  if (!second) return [];
  const lead = [make("strong", { dir: "auto" }, best.system), " has the highest mean SEM-F1"];
  if (!second.behind) {
    return [...lead, ". To test whether the difference is chance, give the summaries of one text the same id in each system."];
  }
  const { difference, low, high, p, items } = second.behind;
  const tested = ` (95% interval ${shown(low)} to ${shown(high)}; p ${p < 0.001 ? "" : "= "}${probability(p)}; ${counted(items, "common id")}). `;
  return [...lead, `, ${shown(difference)} above `, make("strong", { dir: "auto" }, second.system), tested, meaning(second.behind)];
}

function meaning({ p, items, smallest_p, ids_needed }) {
  if (p < 0.05) return "The difference is probably not chance.";
  if (!(smallest_p >= 0.05)) return "The difference may be chance: score more summaries.";
  const enough = ids_needed
    ? `score at least ${ids_needed} texts with each system.`
    : "score fewer systems at once.";
  // Cut and not rounded: no p on this page is below what this sentence says.
  const least = Math.floor(100 * smallest_p + 1e-9) / 100;
  return `With ${counted(items, "common id")} this test cannot show a difference (p is at least ${least}): ${enough}`;
}

function summariesButton(system, items) {
  const words = make("span", { class: "unseen" }, ` summaries of ${system}`);
  const button = make("button", { type: "button", class: "plain small" }, `Show ${items}`, words);
  button.addEventListener("click", () => showSummariesOf(systems.findIndex((one) => one.system === system)));
  return button;
}

function row({ system, items, scores, baseline, behind, summaries }) {
  const base = make("td", { class: "n" }, baseline === null ? "–" : shown(baseline));
  base.dataset.value = baseline ?? -1;
  const count = make("td", { class: "n" }, summaries?.length ? summariesButton(system, items) : String(items));
  count.dataset.value = items;
  const name = make("th", { scope: "row", dir: "auto" }, system);
  return make("tr", {}, name, count, ...columns().map((key) => cell(scores[key])), base, ...lag(behind));
}

export const currentScores = () => result;

// `openText` opens the text of a summary, on a page that has them.
export function showScores(scores, openText = null) {
  result = scores;
  systems = scores.systems;
  const heads = ["System", "Summaries", ...columns(), "Random baseline", "Behind the best", "p"];
  const titles = heads.map((name, index) =>
    make("th", { scope: "col", class: index ? "n" : null }, name),
  );
  const table = make(
    "table",
    { class: "data" },
    make("caption", { class: "unseen" }, "Mean F1 of each system"),
    make("thead", {}, make("tr", {}, ...titles)),
    make("tbody", {}, ...systems.map(row)),
  );
  at("systems-table").replaceChildren(table);
  showNotices(at("systems-notices"), result.notices ?? []);
  at("systems-read").replaceChildren(...read(result));
  at("systems-verdict").replaceChildren(...verdict());
  sortable(table);
  at("systems-signatures").replaceChildren(
    ...systems[0].signatures.map((line) => make("p", { class: "signature" }, line)),
  );
  showSummaries(systems, openText);
  at("systems-result").hidden = false;
  const rows = systems.map(({ system, scores, baseline }) => {
    const { mean, low, high } = scores["SEM-F1"];
    return { name: system, value: mean, low, high, baseline };
  });
  barChart(at("systems-chart"), {
    label: `SEM-F1 of ${counted(rows.length, "system")}; the table below has the numbers`,
    valueName: "SEM-F1, with its 95% interval",
    baselineName: rows.some(({ baseline }) => baseline !== null) ? "Random baseline" : null,
    rows,
  });
}

tableButtons(at("systems-result"), () => result);
onClick("systems-json", () => {
  save("systems.json", JSON.stringify({ systems }, null, 2), "application/json");
});
if (at("systems-result")) unfoldedOnPaper(at("systems-result"));
