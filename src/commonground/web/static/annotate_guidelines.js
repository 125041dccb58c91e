// The owner writes guidelines; the server renders what annotators will see.

import { api, complain, hush, say } from "./api.js";
import { at } from "./dom.js";

const form = at("guidelines-form");
const text = at("guidelines-text");
const path = `/api/annotate/projects/${form.dataset.project}/guidelines`;
let version = Number(form.dataset.version);
let saved = text.defaultValue;
let timer;
let shown = 0;

async function preview() {
  const mine = ++shown;
  try {
    const html = await api("POST", `${path}/preview`, { text: text.value });
    if (mine === shown) at("guidelines-preview").innerHTML = html; // safe: the server escapes it
  } catch (error) {
    complain(error);
  }
}

text.addEventListener("input", () => {
  at("guidelines-state").textContent = "Not saved yet";
  clearTimeout(timer);
  timer = setTimeout(preview, 300);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sent = text.value;
  hush();
  try {
    ({ version } = await api("PUT", path, { text: sent, after: version }));
    saved = sent;
    at("guidelines-state").textContent = `Version ${version}, saved`;
    say("Saved. Annotators see it with their next item.");
  } catch (error) {
    complain(error);
  }
});

// What was written before this script came.
if (text.value !== saved) text.dispatchEvent(new Event("input"));

addEventListener("beforeunload", (event) => {
  if (text.value !== saved) event.preventDefault();
});
