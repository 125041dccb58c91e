// The annotator's page: sends every answer to the server, in order, until it is saved.

import { address, api, ApiError, complain, hush } from "./api.js";
import { labelling } from "./annotate_label.js";
import { remarks } from "./annotate_remarks.js";
import { at } from "./dom.js";

const root = at("item");
const position = Number(root.dataset.position);
const progress = at("progress");
const next = at("next");

const OFFLINE = "No connection. Keep this page open: your labels are sent when it is back.";

let undoable = Number(root.dataset.undoable) || null;
let waiting = 0;
let queue = Promise.resolve();

const store = {
  words: "saved",
  canUndo: () => undoable !== null || waiting > 0,
  // `key` makes a repeated request harmless, so a lost response is requested again.
  save: (unit, value, onTrouble) => {
    const key = newKey();
    return queued(() => {
      const label = { item: position, unit, value, key };
      return persistent(() => api("POST", "/api/annotate/work/labels", label), onTrouble);
    });
  },
  undo: async () => {
    const undone = await queued(() =>
      undoable === null
        ? null
        : persistent(() => api("POST", "/api/annotate/work/undo", { label: undoable }), () => {}),
    );
    if (undone && undone.item !== position) {
      location.assign(address(`/annotate/work/${undone.item}`));
      return null;
    }
    return undone;
  },
};

// Not randomUUID(), which browsers offer only with https.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function queued(send) {
  waiting += 1;
  const result = queue.then(send).then((saved) => {
    if (saved?.progress) take(saved);
    return saved;
  });
  queue = result.catch(() => {}).finally(() => (waiting -= 1));
  return result;
}

async function persistent(send, onTrouble) {
  for (let pause = 500; ; pause = Math.min(2 * pause, 15000)) {
    try {
      const saved = await send();
      if (pause > 500) hush(); // the server is back
      return saved;
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (!passing) throw error;
      onTrouble();
      // Once; the question itself says that it is not saved.
      if (pause === 500) complain(error.status === 0 ? OFFLINE : error);
      await new Promise((done) => {
        setTimeout(done, pause);
        addEventListener("online", done, { once: true });
      });
    }
  }
}

function take(saved) {
  undoable = saved.undoable;
  const words = `${saved.progress.labels} of ${saved.progress.units} labels saved`;
  progress.value = saved.progress.labels;
  at("progress-words").textContent = words;
  at("saved-words").textContent = words;
}

const said = remarks(root, position, (remark, onTrouble) =>
  queued(() => persistent(() => api("POST", "/api/annotate/work/remarks", remark), onTrouble)),
);

// Guidelines stay folded or unfolded as this browser last had them; a new version unfolds.
const guidelines = at("guidelines");
if (guidelines) {
  const { project, version } = guidelines.dataset;
  const key = `guidelines-${project}`;
  const [seen, fold] = (localStorage.getItem(key) ?? "").split(" ");
  at("guidelines-new").hidden = !seen || seen === version;
  const narrow = matchMedia("(max-width: 75rem)").matches;
  guidelines.open = seen === version ? fold !== "folded" : !narrow || Boolean(seen);
  const remember = () => localStorage.setItem(key, `${version} ${guidelines.open ? "open" : "folded"}`);
  guidelines.addEventListener("toggle", remember);
}

const { give, start } = labelling(root, store, {
  next,
  undoButton: at("undo"),
});

// A written overlap: saved shortly after the last key, or by a button.
const text = at("written");
let timer;

function unwritten() {
  return Boolean(text) && text.value.trim() !== text.dataset.saved.trim();
}

function write() {
  clearTimeout(timer);
  return give(text.closest(".unit"), text.value);
}

text?.addEventListener("input", () => {
  text.closest(".unit").querySelector(".state").textContent = "not saved yet";
  clearTimeout(timer);
  timer = setTimeout(() => unwritten() && write(), 1500);
});
at("save-text")?.addEventListener("click", write);
at("nothing")?.addEventListener("click", () => {
  text.value = "";
  write();
  next.focus();
});

// Leave when everything is saved, so that the next page counts it.
let leaving = false;
for (const link of document.querySelectorAll(".steps a")) {
  link.addEventListener("click", async (event) => {
    if (!waiting && !unwritten() && !said.unsaved()) return;
    event.preventDefault();
    if (unwritten()) await write();
    await said.saveAll();
    await queue;
    leaving = !document.querySelector(".state.lost, .remark-state.lost");
    if (leaving) location.assign(link.href);
  });
}
// Going back shows the current labels, not those that the browser cached.
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("beforeunload", (event) => {
  if (!leaving && (waiting > 0 || unwritten() || said.unsaved())) event.preventDefault();
});

start();
