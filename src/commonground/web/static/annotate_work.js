// The annotator's page: every answer is sent to the server, in order, until it is saved.

import { address } from "./api.js";
import { labelling, labelOf } from "./annotate_label.js";
import { remarks } from "./annotate_remarks.js";
import { Sending } from "./annotate_sending.js";
import { at } from "./dom.js";

const root = at("item");
const position = Number(root.dataset.position);
const progress = at("progress");
const next = at("next");

// The labels that the server has, by unit.
const labels = new Map([...root.querySelectorAll(".unit")].map((unit) => [unit.dataset.unit, labelOf(unit)]));
const sending = new Sending(root.dataset, take);

const store = {
  words: "saved",
  canUndo: () => sending.undoable !== null || sending.waiting > 0,
  save: (unit, value, onTrouble) => sending.label(position, unit, value, labels.get(unit), onTrouble),
  undo: async () => {
    const undone = await sending.undo();
    if (undone && undone.item !== position) {
      location.assign(address(`/annotate/work/${undone.item}`));
      return null;
    }
    return undone;
  },
};

function take(saved, change, isLate) {
  if (change.do === "remark") {
    if (isLate && change.item === position) said.restore(saved);
    return;
  }
  if (saved.item === position) labels.set(saved.unit, saved.value);
  if (saved.item === position && isLate) restore(saved.unit, saved.value);
  const words = `${saved.progress.labels} of ${saved.progress.units} labels saved`;
  progress.value = saved.progress.labels;
  at("progress-words").textContent = words;
  at("saved-words").textContent = words;
}

const said = remarks(root, position, (remark, onTrouble) => sending.remark(remark, onTrouble));

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

const { give, restore, start } = labelling(root, store, {
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
    if (!sending.waiting && !unwritten() && !said.unsaved()) return;
    event.preventDefault();
    if (unwritten()) await write();
    await said.saveAll();
    await sending.done;
    leaving = !document.querySelector(".state.lost, .remark-state.lost");
    if (leaving) location.assign(link.href);
  });
}
// Going back shows the current labels, not those that the browser cached.
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("beforeunload", (event) => {
  if (!leaving && (sending.waiting > 0 || unwritten() || said.unsaved())) event.preventDefault();
});

addEventListener("log-out", ({ detail: lost }) => (lost.changes += sending.unkept));
addEventListener("logged-out", () => (leaving = true));

await sending.resend();
if (document.activeElement === document.body) start();
