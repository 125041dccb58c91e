// The Compare page: narratives in, what they share out; a changed setting compares anew.

import { api, say } from "./api.js";
import { at } from "./dom.js";
import { onFiles, save } from "./drop.js";
import { Narratives } from "./narratives.js";
import { attempt, keeping, onClick, unfoldedOnPaper, Work } from "./panel.js";
import { Unsaved } from "./unsaved.js";

const MOST = 6;
const PAUSE = 400; // milliseconds without a change, after which the settings are taken as meant
const result = at("result");
const work = at("working") && new Work(at("working"));

let comparison = null; // what is shown, once the page has made or fetched it
let asked = null; // of the server, while it is at work: {sent, next, done}
let pause = null; // the timer of a setting that was just changed
const typed = new Unsaved();
let compared = 0; // what was typed until then is in the comparison
let narratives = null; // the cards, where the visitor may compare
let comparedTexts = null; // what they held when they were compared, as JSON

// -- What is shown, and what to do with it ------------------------------------------------------

async function shown() {
  comparison ??= await api("GET", result.dataset.source);
  return comparison;
}

function show(found, max_sentences) {
  comparison = { result: found.result, max_sentences };
  result.innerHTML = found.html; // made by the server, with all text escaped
  result.classList.remove("stale");
  at("link").hidden = true;
  at("tools").hidden = false;
  sayWhetherOutdated();
  const { statements, conflicts } = found.result;
  say(`Statements in common: ${statements.length}. Conflicts: ${conflicts.length}.`);
}

// A result of other texts than those in the cards is called so, and not taken for theirs.
function sayWhetherOutdated() {
  const changed = JSON.stringify(narratives.written) !== comparedTexts;
  const outdated = changed && result.children.length > 0;
  at("outdated").hidden = !outdated;
  for (const id of ["keep", "save-html", "save-json"]) at(id).disabled = outdated;
}

onClick("print", () => print());
onClick("save-json", async () => {
  const text = JSON.stringify((await shown()).result, null, 2);
  save("common-ground.json", text, "application/json");
  typed.savedUpTo(compared);
});
onClick("save-html", async () => {
  save("common-ground.html", await api("POST", "/api/compare/page", await shown()), "text/html");
  typed.savedUpTo(compared);
});
keeping("compare", shown, () => typed.savedUpTo(compared));
unfoldedOnPaper(result);

// -- Comparing ----------------------------------------------------------------------------------

function wanted() {
  const least = at("at-least").value;
  const max = at("max-sentences");
  if (!max.checkValidity()) {
    max.focus();
    throw new Error(`Most statements: give a whole number from ${max.min} to ${max.max}.`);
  }
  return {
    narratives: narratives.values(),
    at_least: least === "all" ? null : Number(least),
    max_sentences: max.valueAsNumber,
  };
}

// The settings as they are now; what is shown is pale until it is what they give.
async function ask() {
  clearTimeout(pause);
  result.classList.add("stale");
  at("tools").inert = asked !== null;
  await compare(wanted());
}

// What is asked for while a comparison is under way comes after it, and only the newest of it: to
// end work costs the server a process, which takes longer to start again than most comparisons.
function compare(payload) {
  if (!asked) {
    const mine = (asked = { sent: null, next: payload });
    at("tools").inert = true;
    mine.done = follow(mine).finally(() => asked === mine && over());
  } else {
    asked.next = JSON.stringify(payload) === JSON.stringify(asked.sent) ? null : payload;
  }
  return asked.done;
}

async function follow(mine) {
  while (mine.next) {
    Object.assign(mine, { sent: mine.next, next: null });
    const upTo = typed.now;
    const found = await work.run("/api/compare", mine.sent);
    if (mine.next) continue;
    compared = upTo;
    comparedTexts = JSON.stringify(mine.sent.narratives);
    show(found, mine.sent.max_sentences);
  }
}

// Whoever cancels goes back to what is shown.
function stopped() {
  clearTimeout(pause);
  result.classList.remove("stale");
  over();
}

function over() {
  asked = null;
  at("tools").inert = false;
}

// "All" stays "all" when a narrative is added; a number stays while it can.
function offerAgreement(several) {
  const choice = at("at-least");
  const before = choice.options.length ? choice.value : choice.dataset.value;
  const options = [];
  for (let least = 2; least < several; least += 1) {
    options.push(new Option(`at least ${least} of ${several}`, least));
  }
  options.push(new Option(several === 2 ? "both" : `all ${several}`, "all"));
  choice.replaceChildren(...options);
  choice.value = options.some((one) => one.value === before) ? before : "all";
}

function prepare() {
  const reading = (name) => {
    at("editor").open = true;
    work.reading(name);
  };
  const changed = (count) => {
    offerAgreement(count);
    at("add").disabled = count >= MOST;
    if (narratives) sayWhetherOutdated();
  };
  const max = at("max-sentences");
  // The example has settings of its own, which are not meant for others' texts.
  const ownSettings = () => {
    max.value = max.dataset.usual ?? max.value;
    delete max.dataset.usual;
  };
  narratives = new Narratives(at("narratives"), { fewest: 2, most: MOST, changed, reading });
  comparedTexts = JSON.stringify(narratives.written);
  const startOwn = () => {
    work.stop();
    stopped();
    at("example")?.remove();
    narratives.clear();
    typed.forget();
    ownSettings();
    result.replaceChildren();
    sayWhetherOutdated();
    at("tools").hidden = true;
    at("editor").open = true;
    narratives.focus();
  };
  at("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await ask();
      at("example")?.remove();
      at("editor").open = false;
      result.focus();
    })();
  });
  at("narratives").addEventListener("input", () => {
    typed.changed();
    sayWhetherOutdated();
    if (at("example")) ownSettings();
  });
  for (const setting of ["at-least", "max-sentences"]) {
    at(setting).addEventListener("change", () => {
      delete max.dataset.usual;
      if (!result.children.length) return;
      clearTimeout(pause);
      result.classList.add("stale");
      at("tools").inert = true;
      pause = setTimeout(attempt(ask), PAUSE);
    });
  }
  at("working").querySelector(".cancel").addEventListener("click", stopped);
  onClick("add", () => narratives.focus(narratives.add()));
  onClick("own", startOwn);
  onFiles(document.body, (files) => {
    if (at("example")) startOwn();
    narratives.take(files);
  });
}

if (at("compare")) prepare();
