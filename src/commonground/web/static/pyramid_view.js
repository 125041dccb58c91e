// A pyramid drawn in tiers, as in the standalone page, and its references with marked passages.

import { at, counted, draw, make } from "./dom.js";
import { hasContext, labelNodes } from "./pyramid_label.js";

const TOP = 0.45; // share of the width that the topmost tier has
const TIER_HEIGHT = 34;
const DRAWING = 480;

// Draw a pyramid. `ticked` adds checkboxes to contributors, for splitting; `open(block, unit)` is
// called when a unit is opened or closed.
export function showPyramid(pyramid, names, ticked, open) {
  const tiers = tiersOf(pyramid.units);
  const units = counted(pyramid.units.length, "idea");
  const references = counted(pyramid.references.length, "reference");
  const context = pyramid.units.some(hasContext)
    ? " Grey words are context: the sentence before an idea, or the part of the sentence that is meant."
    : "";
  at("about").textContent = `${units} from ${references}. Open an idea to see its sources.${context}`;
  at("signature").textContent = signature(pyramid.signature);
  const toBlock = (unit) => block(unit, names, ticked, open);
  at("pyramid").replaceChildren(
    silhouette(tiers),
    ...tiers.map((tier, index) => section(tiers, index, toBlock)),
  );
  showSources(pyramid, names, null);
}

function tiersOf(units) {
  const tiers = [];
  units.forEach((unit, index) => {
    if (tiers.at(-1)?.weight !== unit.weight) tiers.push({ weight: unit.weight, units: [] });
    tiers.at(-1).units.push({ ...unit, index });
  });
  return tiers;
}

// Heavier tiers have a stronger colour, but the words stay readable.
function tinted(element, tiers, index) {
  const share = Math.round(30 * (1 - index / tiers.length));
  element.style.setProperty("--tint", `color-mix(in srgb, var(--accent) ${share}%, var(--card))`);
  return element;
}

function silhouette(tiers) {
  const top = (DRAWING * TOP) / 2;
  const slope = (DRAWING - top) / 2 / tiers.length;
  const middle = DRAWING / 2;
  const shapes = tiers.map(({ weight, units }, index) => {
    const [upper, lower] = [top / 2 + slope * index, top / 2 + slope * (index + 1)];
    const [high, low] = [index * TIER_HEIGHT, (index + 1) * TIER_HEIGHT];
    const corners = [
      [middle - upper, high],
      [middle + upper, high],
      [middle + lower, low],
      [middle - lower, low],
    ];
    const text = draw("text", { x: middle, y: (high + low) / 2 + 5 });
    text.textContent = `${weight}: ${counted(units.length, "idea")}`;
    const shape = draw("polygon", { points: corners.join(" ") });
    return tinted(draw("a", { href: `#weight-${weight}` }, shape, text), tiers, index);
  });
  const height = TIER_HEIGHT * tiers.length;
  const name = `A pyramid of ${counted(tiers.length, "tier")}`;
  const frame = { viewBox: `0 0 ${DRAWING} ${height}`, role: "group", "aria-label": name };
  return draw("svg", frame, ...shapes);
}

function section(tiers, index, block) {
  const { weight, units } = tiers[index];
  const heading = make("h2", {}, `${counted(weight, "point")} `);
  heading.append(make("span", {}, `(${counted(units.length, "idea")})`));
  const tier = make("section", { class: "tier", id: `weight-${weight}` }, heading);
  tier.append(make("div", { class: "units" }, ...units.map(block)));
  const width = tiers.length === 1 ? 1 : TOP + ((1 - TOP) * index) / (tiers.length - 1);
  tier.style.setProperty("--width", `${100 * width}%`);
  return tinted(tier, tiers, index);
}

function block(unit, names, ticked, open) {
  const words = make("summary", { dir: "auto" }, ...labelNodes(unit.label));
  words.dataset.joins = joined(unit);
  const list = wordings(unit, names, ticked && unit.contributors.length > 1);
  const details = make("details", { class: "unit", name: "unit" }, words, list);
  details.dataset.index = unit.index;
  details.addEventListener("toggle", () => open(details, unit));
  return details;
}

// How many sentences a unit joins; style sheets show it after the idea.
function joined({ contributors }) {
  const { length } = contributors;
  if (!length) return "added by hand";
  const references = new Set(contributors.map(({ reference }) => reference)).size;
  const within = references < length ? ` of ${counted(references, "reference")}` : "";
  return length === 1 ? "1 sentence" : `joins ${length} sentences${within}`;
}

// The wordings of a unit, with checkboxes if it can be split.
function wordings(unit, names, ticked) {
  const lines = unit.contributors.map((contributor, index) => {
    const title = names[contributor.reference] || `Reference ${contributor.reference + 1}`;
    const number = make("span", { class: "number", title }, String(contributor.reference + 1));
    const words = make("span", { dir: "auto" }, contributor.text);
    if (!ticked) return make("li", {}, number, words);
    const box = make("input", { type: "checkbox", value: index });
    return make("li", {}, make("label", { class: "tick" }, box, number, words));
  });
  return make("ol", { class: "wordings" }, ...lines);
}

// Draw the references; the contributors of a unit are marked and scrolled to.
export function showSources(pyramid, names, unit) {
  const parts = pyramid.references.map((text, index) => {
    const said = (unit?.contributors ?? []).filter((contributor) => contributor.reference === index);
    const number = make("span", { class: "number" }, String(index + 1));
    const heading = make("h3", {}, number, " ", names[index] || `Reference ${index + 1}`);
    const body = make("p", { dir: "auto" }, ...marked(text, said.flatMap((contributor) => contributor.spans)));
    return make("article", { class: said.length ? "says" : "" }, heading, body);
  });
  at("sources").replaceChildren(...parts);
  const first = at("sources").querySelector("mark");
  // Not scrollIntoView, which would move the page too.
  if (first) at("sources").scrollTop = first.offsetTop - at("sources").offsetTop - 60;
}

// Offsets count code points, as in Python.
function marked(text, spans) {
  const letters = [...text];
  const parts = [];
  let done = 0;
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start < done) continue;
    parts.push(letters.slice(done, start).join(""));
    parts.push(make("mark", {}, letters.slice(start, end).join("")));
    done = end;
  }
  return [...parts, letters.slice(done).join("")];
}

function signature(fields) {
  const { measure, ...rest } = fields;
  return [measure, ...Object.entries(rest).map(([key, value]) => `${key}:${value}`)].join("|");
}
