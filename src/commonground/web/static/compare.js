// The Compare page: shows what texts share; a changed setting compares again.

import { api, say } from "./api.js";
import { at } from "./dom.js";
import { Draft } from "./draft.js";
import { onFiles, save } from "./drop.js";
import { TextCards } from "./text_cards.js";
import { showNotices } from "./notices.js";
import { Outdated } from "./outdated.js";
import { attempt, sharing, onClick, unfoldedOnPaper, Work } from "./panel.js";
import { Unsaved } from "./unsaved.js";

const MOST = 6;
const PAUSE = 400; // milliseconds without a change before the settings apply
const result = at("result");
const work = at("working") && new Work(at("working"));

let comparison = null; // the result on the page, once computed or fetched
let pending = null; // the running request: {sent, next, done}
let pause = null; // the timer of a changed setting
const typed = new Unsaved();
let compared = 0; // the changes up to this number are in the comparison
let narratives = null; // the cards, if the visitor may compare
let shownAt = null; // the strictness that the user chose, in percent
let outdated = null; // whether their content has changed since
const draft = at("draft") && new Draft("compare"); // none on pages of saved results

// -- The result --------------------------------------------------------------------------------

// What is saved and shared opens at the strictness on the screen.
async function currentComparison() {
  comparison ??= await api("GET", result.dataset.source);
  return { ...comparison, shown_at: at("strictness").valueAsNumber / 100 };
}

function show(response, max_sentences) {
  comparison = { result: response.result, max_sentences };
  result.innerHTML = response.html; // made by the server, with all text escaped
  result.classList.remove("stale");
  at("strictness").value = shownAt ?? at("strictness").value;
  document.dispatchEvent(new Event("overlap"));
  showNotices(at("notices"), response.notices);
  at("link").hidden = true;
  at("tools").hidden = false;
  sayWhetherOutdated();
  const { statements, conflicts } = response.result;
  say(`Shared statements: ${statements.length}. Conflicts: ${conflicts.length}.`);
}

// Mark a result that does not belong to the texts in the cards.
function sayWhetherOutdated() {
  outdated.update(result.children.length > 0);
}

onClick("print", () => print());
onClick("save-json", async () => {
  const text = JSON.stringify((await currentComparison()).result, null, 2);
  save("common-ground.json", text, "application/json");
  typed.savedUpTo(compared);
});
onClick("save-html", async () => {
  save("common-ground.html", await api("POST", "/api/compare/page", await currentComparison()), "text/html");
  typed.savedUpTo(compared);
});
sharing("compare", currentComparison, () => typed.savedUpTo(compared));
unfoldedOnPaper(result);

// -- Comparing ----------------------------------------------------------------------------------

function requestBody() {
  const least = at("at-least").value;
  const max = at("max-sentences");
  if (!max.checkValidity()) {
    max.focus();
    throw new Error(`Enter a whole number of statements from ${max.min} to ${max.max}.`);
  }
  return {
    narratives: narratives.values(),
    at_least: least === "all" ? null : Number(least),
    max_sentences: max.valueAsNumber,
  };
}

// Compare with the current settings; the old result is pale until then.
async function ask() {
  clearTimeout(pause);
  result.classList.add("stale");
  at("tools").inert = pending !== null;
  await compare(requestBody());
}

// A request during a comparison waits for it, and replaces one that waits already: cancelling
// costs the server a process, which takes longer to restart than most comparisons.
function compare(payload) {
  if (!pending) {
    const request = (pending = { sent: null, next: payload });
    at("tools").inert = true;
    request.done = follow(request).finally(() => pending === request && over());
  } else {
    pending.next = JSON.stringify(payload) === JSON.stringify(pending.sent) ? null : payload;
  }
  return pending.done;
}

async function follow(request) {
  while (request.next) {
    Object.assign(request, { sent: request.next, next: null });
    const upTo = typed.now;
    const response = await work.run("/api/compare", request.sent);
    if (request.next) continue;
    compared = upTo;
    outdated.resultIs(request.sent.narratives);
    show(response, request.sent.max_sentences);
  }
}

// Cancelling returns to the old result.
function stopped() {
  clearTimeout(pause);
  result.classList.remove("stale");
  over();
}

function over() {
  pending = null;
  at("tools").inert = false;
}

// "All" stays "all" when a text is added; a number stays if possible.
function offerAgreement(count) {
  const choice = at("at-least");
  const before = choice.options.length ? choice.value : choice.dataset.value;
  const options = [];
  for (let least = 2; least < count; least += 1) {
    options.push(new Option(`at least ${least} of ${count}`, least));
  }
  options.push(new Option(count === 2 ? "both texts" : `all ${count} texts`, "all"));
  choice.replaceChildren(...options);
  choice.value = options.some((option) => option.value === before) ? before : "all";
}

// -- Texts and settings ---------------------------------------------------------------------------

const written = () => ({
  texts: narratives.typed,
  at_least: at("at-least").value,
  max_sentences: at("max-sentences").value,
  shown_at: shownAt,
  compared: pending !== null || result.children.length > 0, // then a reload compares again
});

function saveDraft() {
  if (draft?.save(written())) typed.forget();
}

// The example is no draft until somebody types in it.
function keepDraft() {
  if (!at("example")) saveDraft();
}

function nameTexts() {
  at("names").textContent = narratives.written.map(({ name }) => name).join(" · ");
}

// The number of texts has changed; called for the first time before there are cards.
function recount(count) {
  offerAgreement(count);
  at("add").disabled = count >= MOST;
  if (!narratives) return;
  sayWhetherOutdated();
  nameTexts();
  keepDraft();
}

// The example's own settings do not apply to other texts.
function ownSettings() {
  const max = at("max-sentences");
  max.value = max.dataset.usual ?? max.value;
  delete max.dataset.usual;
}

function startOwn() {
  work.stop();
  stopped();
  at("example")?.remove();
  narratives.clear();
  typed.forget();
  ownSettings();
  shownAt = null;
  result.replaceChildren();
  at("notices").replaceChildren();
  sayWhetherOutdated();
  nameTexts();
  at("tools").hidden = true;
  at("editor").open = true;
  narratives.focus();
}

async function compareTexts() {
  await ask();
  at("example")?.remove();
  at("editor").open = false;
  keepDraft();
}

function restore({ texts, at_least, max_sentences, shown_at, compared: isCompared }) {
  startOwn();
  narratives.fill(texts);
  at("at-least").value = at_least;
  at("max-sentences").value = max_sentences;
  shownAt = shown_at ?? null;
  if (isCompared) attempt(compareTexts)();
  keepDraft(); // filling in the texts has saved them without their settings
  at("draft").hidden = false;
}

// A changed setting compares again after a pause.
function askSoon() {
  delete at("max-sentences").dataset.usual;
  keepDraft();
  if (!result.children.length) return;
  clearTimeout(pause);
  result.classList.add("stale");
  at("tools").inert = true;
  pause = setTimeout(attempt(ask), PAUSE);
}

function listen() {
  at("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await compareTexts();
      result.focus({ preventScroll: true });
      result.scrollIntoView();
    })();
  });
  at("narratives").addEventListener("input", () => {
    typed.changed();
    sayWhetherOutdated();
    if (at("example")) ownSettings();
    nameTexts();
    saveDraft();
  });
  for (const setting of ["at-least", "max-sentences"]) at(setting).addEventListener("change", askSoon);
  result.addEventListener("input", (event) => {
    if (event.target.id !== "strictness") return;
    shownAt = event.target.valueAsNumber;
    keepDraft();
  });
  at("working").querySelector(".cancel").addEventListener("click", stopped);
  onClick("add", () => narratives.focus(narratives.add()));
  onClick("own", startOwn);
  onClick("discard", () => {
    draft.discard();
    typed.forget();
    location.reload();
  });
  onFiles(document.body, (files) => {
    if (at("example")) startOwn();
    narratives.take(files);
  });
}

function prepare() {
  const reading = (name) => {
    at("editor").open = true;
    work.reading(name);
  };
  const several = () => at("example") && startOwn();
  const acts = { changed: recount, reading, several };
  narratives = new TextCards(at("narratives"), { fewest: 2, most: MOST, ...acts });
  outdated = new Outdated(() => narratives.written, at("tools").querySelectorAll("#share, #people, [id|=save]"));
  const slider = at("strictness");
  if (slider && slider.value !== slider.closest(".overlap").dataset.strictness) shownAt = slider.valueAsNumber;
  listen();
  const before = draft?.load();
  if (before?.texts.some(({ text }) => text.trim())) restore(before);
}

if (at("compare")) prepare();
