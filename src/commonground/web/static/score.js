// The Score page: scores a summary; thresholds are applied in the browser.

import { api, say } from "./api.js";
import { at } from "./dom.js";
import { Draft } from "./draft.js";
import { onFiles, save } from "./drop.js";
import { TextCards } from "./text_cards.js";
import { showNotices } from "./notices.js";
import { Outdated } from "./outdated.js";
import { attempt, onClick, sharing, tableButtons, unfoldedOnPaper, Work } from "./panel.js";
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
let outdated = null; // whether the texts have changed since, if the visitor may score

const labelled = () => relabelled(scoring.sem_f1, scoring.lower, scoring.upper);
// What is saved has the labels on the screen.
const current = () => ({ ...scoring, sem_f1: labelled() });

function show(values) {
  scoring = values;
  result.hidden = false;
  at("link").hidden = true;
  sayThresholds();
  showNotices(at("notices"), scoring.notices ?? []);
  showScoring(scoring, labelled());
  outdated?.update(true);
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
  const { summary, references, sem_f1, rouge } = current();
  const scores = { summary, references, sem_f1, rouge };
  save("scores.json", JSON.stringify(scores, null, 2), "application/json");
  typed.savedUpTo(scored);
});
tableButtons(result, current);
sharing(
  "score",
  current,
  () => typed.savedUpTo(scored),
);
unfoldedOnPaper(result);

// -- Scoring ------------------------------------------------------------------------------------

// Whether a draft has any text.
const filled = (draft) => [...(draft?.summary ?? []), ...(draft?.references ?? [])].some(({ text }) => text.trim());

function prepare() {
  const work = new Work(at("working"), result);
  const reading = (name) => {
    at("editor").open = true;
    work.reading(name);
  };
  const most = Number(at("references").dataset.most);
  const several = () => at("example") && startOwn();
  const alone = { fewest: 1, most: 1, noun: "summary", mark: () => "", reading, several };
  const summary = new TextCards(at("summary"), alone);
  const references = new TextCards(at("references"), {
    fewest: 1,
    most,
    noun: "reference",
    mark: (index) => index + 1,
    reading,
    several,
    changed: (count) => {
      at("add").disabled = count >= most;
      if (!outdated) return; // the page begins
      outdated.update(!result.hidden);
      if (!at("example")) keepDraft();
    },
  });
  const written = () => ({ summary: summary.written[0], references: references.written });
  outdated = new Outdated(written, result.querySelectorAll(".tools button:not(#print, #copy)"));
  const draft = at("one-draft") && new Draft("one-summary"); // none on pages of saved results
  const hasDraft = () => filled(draft?.load());
  // A text of many systems is no draft.
  const keepDraft = () => {
    if (!at("from-systems").hidden) return;
    if (draft?.save({ summary: summary.typed, references: references.typed })) typed.forget();
  };
  const startOwn = () => {
    work.stop();
    at("from-systems").hidden = true;
    at("example")?.remove();
    if (at("one-draft")) at("one-draft").hidden = true;
    result.hidden = true;
    summary.clear();
    references.clear();
    typed.forget();
    at("editor").open = true;
    summary.focus();
  };
  const score = async () => {
    const texts = { summary: summary.values()[0], references: references.values() };
    const upTo = typed.now;
    const scores = await work.run("/api/score", texts);
    scored = upTo;
    outdated.resultIs(texts);
    at("example")?.remove();
    show({ ...texts, ...scores, lower: lower.valueAsNumber, upper: upper.valueAsNumber });
    at("editor").open = false;
    // Who comes from many systems knows the scores.
    inView(at("from-systems").hidden ? result : at("sentences"));
    say(`Scored. SEM-F1 ${scores.sem_f1.f1.toFixed(3)}.`);
  };
  at("score").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(score)();
  });
  at("score").addEventListener("input", () => {
    typed.changed();
    at("from-systems").hidden = true; // no longer that text
    outdated.update(!result.hidden);
    keepDraft();
  });
  onClick("add", () => references.focus(references.add()));
  onClick("own", startOwn);
  onFiles(document.body, (files) => {
    if (at("example")) startOwn();
    references.take(files);
  });
  onClick("one-discard", () => {
    draft.discard();
    typed.forget();
    location.reload();
  });
  const before = draft?.load();
  if (filled(before)) {
    startOwn();
    summary.fill(before.summary);
    references.fill(before.references);
    at("one-draft").hidden = false;
  }
  // Score a summary of a file with many systems. Returns false if the user keeps what is here.
  return (name, text, given) => {
    if (given.length > most) throw new Error(`This summary has ${given.length} references; the limit here is ${most}.`);
    if ((typed.any || hasDraft()) && !confirm("Replace the texts under “One summary”?")) return false;
    startOwn();
    at("from-systems").hidden = false;
    at("from-name").textContent = name;
    summary.fill([{ name: name.slice(0, 200), text }]);
    references.fill(given.map((reference) => ({ name: "", text: reference })));
    at("editor").open = false;
    return score();
  };
}

const scoreTexts = at("score") ? prepare() : null;
if (at("many")) prepareSystems(inView, scoreTexts);
const isExample = at("example") !== null;
attempt(async () => {
  const data = await api("GET", result.dataset.source);
  if (!isExample || at("example")) show(data); // not after the user has started their own
})();
