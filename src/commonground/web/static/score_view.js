// Draw a scored summary: numbers, labelled sentences and their best matches.

import { barChart } from "./chart.js";
import { at, counted, draw, make } from "./dom.js";
import { marked, wordsOf } from "./score_words.js";

const WORDS = { P: "present", PP: "partly present", A: "absent" };
const ROUGE = { rouge1: "ROUGE-1", rouge2: "ROUGE-2", rougeL: "ROUGE-L", rougeLsum: "ROUGE-Lsum" };

// Draw everything. `scoring` is the saved result, `semF1` has the current labels.
export function showScoring(scoring, semF1) {
  const sides = [
    { name: scoring.summary.name || "Summary", key: "s", matches: semF1.sentences },
    ...scoring.references.map((reference, index) => ({
      name: reference.name || `Reference ${index + 1}`,
      key: `r${index}`,
      matches: semF1.references[index],
    })),
  ];
  const targets = [idsByText(sides.slice(1)), idsByText(sides.slice(0, 1))];
  const said = [wordsOf(scoring.references), wordsOf([scoring.summary])];
  const columns = sides.map((side, index) => {
    const other = index ? 1 : 0;
    return column(side, targets[other], said[other]);
  });
  at("sides").replaceChildren(columns[0], make("div", { class: "others" }, ...columns.slice(1)));
  at("matches").replaceChildren(...sides.flatMap(rows));
  showLabels(scoring, semF1);
}

// Draw what depends on the thresholds; the sentences stay and keep the focus.
export function showLabels(scoring, semF1) {
  const lists = [semF1.sentences, ...semF1.references];
  at("sides").querySelectorAll(".side").forEach((side, index) => {
    side.querySelector("small").textContent = tally(lists[index]);
    side.querySelectorAll("li").forEach((line, row) => label(line, lists[index][row]));
  });
  const flat = lists.flat();
  at("matches").querySelectorAll("tr").forEach((line, row) => label(line, flat[row]));
  at("numbers").replaceChildren(...numbers(scoring, semF1));
  showChart(scoring, semF1);
  at("signature").textContent = semF1.signature;
  at("rouge-signature").textContent = scoring.rouge.signature;
  showStrip(flat, scoring.lower, scoring.upper);
}

// The element ids of sentences by their text; a text may occur several times.
function idsByText(sides) {
  const ids = new Map();
  for (const { key, matches } of sides) {
    matches.forEach(({ text }, row) => {
      ids.set(text, [...(ids.get(text) ?? []), `${key}-${row}`]);
    });
  }
  return ids;
}

function column({ name, key, matches }, others, said) {
  const lines = matches.map((sentence, row) => {
    const targets = others.get(sentence.match) ?? [];
    const link = make(
      "a",
      { id: `${key}-${row}`, class: "sentence", href: targets.length ? `#${targets[0]}` : null },
      make("span", { class: "tag" }),
      make("span", { dir: "auto" }, ...marked(sentence.text, said)),
    );
    link.dataset.targets = targets.join(" ");
    link.dataset.tip = sentence.match ? `Best match, ${near(sentence)}: ${sentence.match}` : "No match.";
    const spoken = sentence.match ? `Best match, similarity ${near(sentence)}: ${sentence.match}` : "No match.";
    return make("li", {}, link, make("span", { class: "unseen" }, spoken));
  });
  const id = `heading-${key}`;
  const heading = make("h3", { id, dir: "auto" }, name, " ", make("small"));
  const list = make("ol", { class: "sentences" }, ...lines);
  return make("section", { class: "side", "aria-labelledby": id }, heading, list);
}

const near = (sentence) => sentence.similarity.toFixed(2);

function rows({ name, matches }) {
  return matches.map((sentence) =>
    make(
      "tr",
      {},
      make("td", { dir: "auto" }, name),
      make("td", { dir: "auto" }, sentence.text),
      make("td", {}, make("span", { class: "tag" })),
      make("td", {}, near(sentence)),
      make("td", { dir: "auto" }, sentence.match ?? ""),
    ),
  );
}

// Set a line's colour and its label.
function label(line, sentence) {
  const tag = line.querySelector(".tag");
  tag.className = `tag ${sentence.label}`;
  tag.replaceChildren(sentence.label, make("span", { class: "unseen" }, ` (${WORDS[sentence.label]}) `));
  line.querySelector(".sentence")?.setAttribute("data-label", sentence.label);
}

function tally(matches) {
  const count = (label) => matches.filter((sentence) => sentence.label === label).length;
  const all = counted(matches.length, "sentence");
  return `${all}: ${count("P")} P, ${count("PP")} PP, ${count("A")} A`;
}

// The lines of the table and of the chart; the labels' baseline would depend on the thresholds.
function lines({ rouge, baseline, lower, upper }, semF1) {
  return [
    ["SEM-F1", semF1, baseline?.sem_f1],
    [`SEM-F1 from labels (${lower}-${upper})`, semF1.labelled],
    ...Object.entries(ROUGE).map(([key, name]) => [name, rouge[key], baseline?.[key]]),
  ];
}

function numbers(scoring, semF1) {
  return lines(scoring, semF1).map(([name, { precision, recall, f1 }, base]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      ...[precision, recall, f1, base].map((value) =>
        make("td", { class: "n" }, value?.toFixed(3) ?? "–"),
      ),
    ),
  );
}

function showChart(scoring, semF1) {
  const rows = lines(scoring, semF1).map(([name, { f1 }, baseline]) => {
    return { name: name.replace(/ \(.*/, ""), value: f1, baseline };
  });
  const best = rows.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(", ");
  barChart(at("chart"), {
    label: `F1: ${best}`,
    valueName: "This summary",
    baselineName: scoring.baseline ? "Unrelated text" : null,
    rows,
  });
}

// Three bands, and a line for every sentence at its similarity.
function showStrip(matches, lower, upper) {
  const bands = [
    ["A", 0, lower],
    ["PP", lower, upper],
    ["P", upper, 100],
  ].map(([name, from, to]) =>
    draw("rect", { class: `band ${name}`, x: from, width: to - from, height: 8 }),
  );
  const strokes = matches.map(({ similarity }) => {
    const x = 100 * Math.min(Math.max(similarity, 0), 1);
    return draw("line", { x1: x, x2: x, y1: 1.5, y2: 6.5 });
  });
  at("strip").replaceChildren(...bands, ...strokes);
}

// Highlight the sentence that is pointed at or focused, and its best matches.
export function lightUp(sentence) {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const tip = at("tip");
  tip.textContent = sentence ? sentence.dataset.tip : "";
  if (!sentence) return;
  const targets = sentence.dataset.targets.split(" ").filter(Boolean);
  for (const element of [sentence, ...targets.map(at)]) element.classList.add("lit");
}
