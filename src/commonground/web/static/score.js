// The Score page: scores a summary; thresholds are applied in the browser.

import { api, say } from "./api.js";
import { at } from "./dom.js";
import { onFiles, save } from "./drop.js";
import { Narratives } from "./narratives.js";
import { attempt, onClick, sharing, unfoldedOnPaper, Work } from "./panel.js";
import { relabelled } from "./score_labels.js";
import { lightUp, showLabels, showScoring } from "./score_view.js";
import { prepareSystems } from "./score_systems.js";
import { Unsaved } from "./unsaved.js";

const result = at("result");
const lower = at("lower");
const upper = at("upper");
const pair = at("pair");

let scoring = null; // the result on the page, with the server's labels
const typed = new Unsaved();
let scored = 0; // the changes up to this number are in the result

const labelled = () => relabelled(scoring.sem_f1, scoring.lower, scoring.upper);

function show(values) {
  scoring = values;
  result.hidden = false;
  at("link").hidden = true;
  sayThresholds();
  showScoring(scoring, labelled());
}

// Move the focus to a result and its start into the window.
function inView(part) {
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "start" });
}

// -- Thresholds ---------------------------------------------------------------------------------

// One slider moves the other, so that the lower is never above the upper.
function moved(handle) {
  if (handle === lower && lower.valueAsNumber > upper.valueAsNumber) upper.value = lower.value;
  if (handle === upper && upper.valueAsNumber < lower.valueAsNumber) lower.value = upper.value;
  scoring.lower = lower.valueAsNumber;
  scoring.upper = upper.valueAsNumber;
  at("link").hidden = true;
  sayThresholds();
  showLabels(scoring, labelled());
}

function sayThresholds() {
  lower.value = scoring.lower;
  upper.value = scoring.upper;
  at("lower-words").textContent = (scoring.lower / 100).toFixed(2);
  at("upper-words").textContent = (scoring.upper / 100).toFixed(2);
  const name = `${scoring.lower}-${scoring.upper}`;
  pair.value = [...pair.options].some((option) => option.value === name) ? name : "";
}

for (const handle of [lower, upper]) handle.addEventListener("input", () => moved(handle));
pair.addEventListener("change", () => {
  if (!pair.value) return;
  [lower.value, upper.value] = pair.value.split("-");
  moved(null);
});

// -- Best matches -------------------------------------------------------------------------------

const sides = at("sides");
const sentenceOf = (event) => event.target.closest(".sentence");
sides.addEventListener("pointerover", (event) => lightUp(sentenceOf(event)));
sides.addEventListener("pointerleave", () => lightUp(null));
sides.addEventListener("focusin", (event) => lightUp(sentenceOf(event)));
sides.addEventListener("focusout", () => lightUp(null));
// Following a link does not move the focus in every browser.
sides.addEventListener("click", (event) => {
  const href = sentenceOf(event)?.getAttribute("href");
  if (!href) return;
  event.preventDefault();
  at(href.slice(1)).focus();
});

// -- Saving and sharing ------------------------------------------------------------------------

onClick("print", () => print());
onClick("save-json", () => {
  const { summary, references, rouge } = scoring;
  const scores = { summary, references, sem_f1: labelled(), rouge };
  save("scores.json", JSON.stringify(scores, null, 2), "application/json");
  typed.savedUpTo(scored);
});
sharing(
  "score",
  () => scoring,
  () => typed.savedUpTo(scored),
);
unfoldedOnPaper(result);

// -- Scoring ------------------------------------------------------------------------------------

function prepare() {
  const work = new Work(at("working"), result);
  const reading = (name) => {
    at("editor").open = true;
    work.reading(name);
  };
  const most = Number(at("references").dataset.most);
  const alone = { fewest: 1, most: 1, noun: "summary", mark: () => "", reading };
  const summary = new Narratives(at("summary"), alone);
  const references = new Narratives(at("references"), {
    fewest: 1,
    most,
    noun: "reference",
    mark: (index) => index + 1,
    reading,
    changed: (count) => (at("add").disabled = count >= most),
  });
  const startOwn = () => {
    work.stop();
    at("example")?.remove();
    summary.clear();
    references.clear();
    typed.forget();
    result.hidden = true;
    at("editor").open = true;
    summary.focus();
  };
  at("score").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const texts = { summary: summary.values()[0], references: references.values() };
      const upTo = typed.now;
      const scores = await work.run("/api/score", texts);
      scored = upTo;
      at("example")?.remove();
      show({ ...texts, ...scores, lower: lower.valueAsNumber, upper: upper.valueAsNumber });
      at("editor").open = false;
      inView(result);
      say(`Scored. SEM-F1 ${scores.sem_f1.f1.toFixed(3)}.`);
    })();
  });
  at("score").addEventListener("input", () => typed.changed());
  onClick("add", () => references.focus(references.add()));
  onClick("own", startOwn);
  onFiles(document.body, (files) => {
    if (at("example")) startOwn();
    references.take(files);
  });
}

if (at("score")) prepare();
if (at("many")) prepareSystems(inView);
const isExample = at("example") !== null;
attempt(async () => {
  const data = await api("GET", result.dataset.source);
  if (!isExample || at("example")) show(data); // not after the user has started their own
})();
