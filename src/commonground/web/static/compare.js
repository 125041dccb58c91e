// The Compare page: narratives in, what they share out; a changed setting compares anew.

import { api, complain, hush, say } from "./api.js";
import { onFiles, save } from "./drop.js";
import { run } from "./job.js";
import { Narratives } from "./narratives.js";

const MOST = 6;
const at = (id) => document.getElementById(id);
const result = at("result");

let comparison = null; // what is shown, once the page has made or fetched it
let work = null; // the AbortController of a comparison under way

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
  at("link").hidden = true;
  at("tools").hidden = false;
  const { statements, conflicts } = found.result;
  say(`Statements in common: ${statements.length}. Conflicts: ${conflicts.length}.`);
}

onClick("print", () => print());
onClick("save-json", async () => {
  const text = JSON.stringify((await shown()).result, null, 2);
  save("common-ground.json", text, "application/json");
});
onClick("save-html", async () => {
  save("common-ground.html", await api("POST", "/api/compare/page", await shown()), "text/html");
});
onClick("keep", async () => {
  const { link } = await api("POST", "/api/kept", { kind: "compare", data: await shown() });
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
    throw new Error(`The longest summary has from ${max.min} to ${max.max} sentences.`);
  }
  return {
    narratives: narratives.values(),
    at_least: least === "all" ? null : Number(least),
    max_sentences: max.valueAsNumber,
  };
}

async function compare(payload) {
  work?.abort();
  const mine = (work = new AbortController());
  working("Starting", 0);
  result.classList.add("stale");
  try {
    const onProgress = (share, words) => working(words, share);
    const found = await run("/api/compare", payload, { signal: mine.signal, onProgress });
    show(found, payload.max_sentences);
  } finally {
    // A later comparison may have taken over.
    if (work === mine) {
      work = null;
      working(null);
      result.classList.remove("stale");
    }
  }
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
  const narratives = new Narratives(at("narratives"), { fewest: 2, most: MOST, changed, reading });
  const startOwn = () => {
    work?.abort();
    at("example")?.remove();
    narratives.clear();
    result.replaceChildren();
    at("tools").hidden = true;
    at("editor").open = true;
    narratives.focus();
  };
  at("compare").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await compare(wanted(narratives));
      at("example")?.remove();
      at("editor").open = false;
      result.focus();
    })();
  });
  for (const setting of ["at-least", "max-sentences"]) {
    at(setting).addEventListener("change", () => {
      if (result.children.length) attempt(() => compare(wanted(narratives)))();
    });
  }
  onClick("cancel", () => {
    work?.abort();
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
