// The behaviour of every page.

import { address, api, hush } from "./api.js";
import { localTimes } from "./dom.js";
import { discardDrafts } from "./draft.js";
import { onClick } from "./panel.js";

localTimes();

async function endSession(nextPage) {
  // A page with unsent changes may ask first.
  if (!dispatchEvent(new Event("log-out", { cancelable: true }))) return;
  await api("POST", "/logout");
  discardDrafts();
  location.assign(address(nextPage));
}

onClick("log-out", () => endSession("/login"));
onClick("leave", () => endSession("/"));

// Ctrl+Enter submits the form that has the focus, also from a text box.
addEventListener("keydown", (event) => {
  const isSubmit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (!isSubmit || event.defaultPrevented || event.isComposing || event.repeat) return;
  const button = event.target.closest?.("form")?.querySelector("[type=submit]");
  if (!button) return;
  event.preventDefault();
  button.click();
});

// Escape or a click dismisses an error; a selection in it is being copied.
addEventListener("keydown", (event) => event.key === "Escape" && hush());
document.getElementById("alert").addEventListener("click", () => {
  if (!getSelection().toString()) hush();
});
