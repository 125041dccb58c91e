// The Compare page: narratives in, what they share out; a changed setting compares anew.

import { api, complain, hush, say } from "./api.js";
import { onFiles, save } from "./drop.js";
import { run } from "./job.js";
import { Narratives } from "./narratives.js";
import { Unsaved } from "./unsaved.js";

const MOST = 6;
const PAUSE = 400; // milliseconds without a change, after which the settings are taken as meant
const at = (id) => document.getElementById(id);
const result = at("result");

let comparison = null; // what is shown, once the page has made or fetched it
let work = null; // the comparison under way: {control, sent, next, done}
let pause = null; // the timer of a setting that was just changed
const typed = new Unsaved();
let compared = 0; // what was typed until then is in the comparison

const attempt = (act) => async () => {
  try {
    hush();
    await act();
  } catch (error) {
    complain(error);
  }
};
const onClick = (id, act) => at(id)?.addEventListener("click", attempt(act));

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
  const { statements, conflicts } = found.result;
  say(`Statements in common: ${statements.length}. Conflicts: ${conflicts.length}.`);
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
onClick("keep", async () => {
  const { link } = await api("POST", "/api/kept", { kind: "compare", data: await shown() });
  typed.savedUpTo(compared);
  const place = at("link").querySelector("a");
  place.href = link;
  place.textContent = place.href;
  at("link").hidden = false;
  at("copy").hidden = !navigator.clipboard; // which browsers have on this machine and with https
  say("Kept. Whoever has the link can see it.");
});
onClick("copy", async () => {
  await navigator.clipboard.writeText(at("link").querySelector("a").href);
  say("Copied.");
});

// All of it belongs on paper, also what is folded.
addEventListener("beforeprint", () => {
  for (const one of result.querySelectorAll("details:not([open])")) {
    one.open = true;
    one.dataset.folded = "";
  }
});
addEventListener("afterprint", () => {
  for (const one of result.querySelectorAll("[data-folded]")) {
    one.open = false;
    delete one.dataset.folded;
  }
});

// -- Comparing ----------------------------------------------------------------------------------

function wanted(narratives) {
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
async function ask(narratives) {
  clearTimeout(pause);
  result.classList.add("stale");
  at("tools").inert = work !== null;
  await compare(wanted(narratives));
}

// What is asked for while a comparison is under way comes after it, and only the newest of it: to
// end work costs the server a process, which takes longer to start again than most comparisons.
function compare(payload) {
  if (!work) {
    const mine = (work = { control: new AbortController(), sent: null, next: payload });
    at("tools").inert = true;
    mine.done = follow(mine).finally(() => work === mine && over());
  } else {
    work.next = JSON.stringify(payload) === JSON.stringify(work.sent) ? null : payload;
  }
  return work.done;
}

async function follow(mine) {
  const onProgress = (share, words) => work === mine && working(words, share);
  while (mine.next) {
    Object.assign(mine, { sent: mine.next, next: null });
    const upTo = typed.now;
    working("Starting", 0);
    const { signal } = mine.control;
    const found = await run("/api/compare", mine.sent, { signal, onProgress });
    if (mine.next) continue;
    compared = upTo;
    show(found, mine.sent.max_sentences);
  }
}

function stop() {
  clearTimeout(pause);
  work?.control.abort();
  result.classList.remove("stale");
  over();
}

function over() {
  work = null;
  working(null);
  at("tools").inert = false;
}

function working(words, share = null) {
  at("working").hidden = words === null;
  at("doing").textContent = words ?? "";
  if (share === null) at("bar").removeAttribute("value");
  else at("bar").value = share;
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
    at("cancel").hidden = name !== null;
    working(name && `Reading ${name}`);
  };
  const changed = offerAgreement;
  const max = at("max-sentences");
  // The example has settings of its own, which are not meant for others' texts.
  const ownSettings = () => {
    max.value = max.dataset.usual ?? max.value;
    delete max.dataset.usual;
  };
  const narratives = new Narratives(at("narratives"), { fewest: 2, most: MOST, changed, reading });
  const startOwn = () => {
    stop();
    at("example")?.remove();
    narratives.clear();
    typed.forget();
    ownSettings();
    result.replaceChildren();
    at("tools").hidden = true;
    at("editor").open = true;
    narratives.focus();
  };
  at("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await ask(narratives);
      at("example")?.remove();
      at("editor").open = false;
      result.focus();
    })();
  });
  at("narratives").addEventListener("input", () => {
    typed.changed();
    if (at("example")) ownSettings();
  });
  for (const setting of ["at-least", "max-sentences"]) {
    at(setting).addEventListener("change", () => {
      delete max.dataset.usual;
      if (!result.children.length) return;
      clearTimeout(pause);
      result.classList.add("stale");
      at("tools").inert = true;
      pause = setTimeout(attempt(() => ask(narratives)), PAUSE);
    });
  }
  onClick("cancel", () => {
    stop();
    say("Cancelled.");
  });
  onClick("add", () => narratives.focus(narratives.add()));
  onClick("own", startOwn);
  onFiles(document.body, (files) => {
    if (at("example")) startOwn();
    narratives.take(files);
  });
}

if (at("compare")) prepare();
