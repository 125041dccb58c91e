// The owner's projects: create one from files, or try the example.

import { address, api, complain } from "./api.js";
import { onFiles } from "./drop.js";
import { labelling } from "./annotate_label.js";
import { showPreview } from "./annotate_preview.js";
import { at } from "./dom.js";
import { Work } from "./panel.js";

const practice = document.querySelector("#item[data-practice]");
if (practice) {
  const labels = new Map();
  const done = [];
  const store = {
    words: "",
    canUndo: () => done.length > 0,
    save: async (unit, value) => {
      done.push([unit, labels.get(unit) ?? null]);
      labels.set(unit, value);
      return { unit, value };
    },
    undo: async () => {
      if (!done.length) return null;
      const [unit, value] = done.pop();
      labels.set(unit, value);
      return { unit, value };
    },
  };
  labelling(practice, store, { undoButton: at("undo") });
}

at("take-example")?.addEventListener("click", (event) =>
  openNew(event.target, () => api("POST", "/api/annotate/example")),
);

const work = new Work(at("working"));
const form = at("new-project");
const outputs = at("outputs");
for (const file of form.querySelectorAll("input[type=file]")) {
  const chosen = at(`${file.id}-name`);
  file.addEventListener("change", () => {
    chosen.textContent = file.files[0]?.name ?? "no file chosen";
  });
  onFiles(file.closest(".file"), ([dropped]) => {
    const carrier = new DataTransfer();
    carrier.items.add(dropped);
    file.files = carrier.files;
    file.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
form.addEventListener("change", ask);
form.addEventListener("change", ({ target }) => target.matches("[type=file], [name=protocol]") && look());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  openNew(form.querySelector("[type=submit]"), () => work.run("/api/annotate/projects", filled()));
});
ask();
look(); // files that were chosen before this script came

function asksOutputs() {
  return form.querySelector("[name=protocol]:checked").dataset.outputs === "true";
}

// Show the first rows of the chosen files, and what is wrong with them.
async function look() {
  const values = filled();
  values.delete("name");
  if (!values.has("data_set") && !values.has("outputs")) return;
  try {
    showPreview(at("preview"), await work.run("/api/annotate/preview", values));
  } catch (error) {
    at("preview").hidden = true;
    complain(error);
  }
}

// The form without the files that were not chosen.
function filled() {
  const values = new FormData(form);
  for (const file of form.querySelectorAll("input[type=file]")) {
    if (!file.files.length || (file === outputs && !asksOutputs())) values.delete(file.name);
  }
  return values;
}

// The protocol for written overlaps has no outputs.
function ask() {
  at("outputs-row").hidden = !asksOutputs();
  outputs.required = asksOutputs();
}

async function openNew(button, send) {
  button.disabled = true;
  try {
    location.assign(address((await send()).link));
  } catch (error) {
    complain(error);
    button.disabled = false;
    button.focus(); // disabled buttons and the hidden Cancel button lose the focus
  }
}
