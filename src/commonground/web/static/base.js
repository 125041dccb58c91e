// The behaviour of every page.

import { address, api, hush } from "./api.js";
import { counted, localTimes } from "./dom.js";
import { discardDrafts, draftNames, UNSENT } from "./draft.js";
import { onClick } from "./panel.js";

localTimes();

async function endSession(nextPage) {
  // A page adds the changes that it alone has.
  const lost = { changes: draftNames(UNSENT).length };
  dispatchEvent(new CustomEvent("log-out", { detail: lost }));
  const question = `${counted(lost.changes, "change")} not saved yet. Log out and lose `;
  if (lost.changes && !confirm(`${question}${lost.changes === 1 ? "it" : "them"}?`)) return;
  await api("POST", "/logout");
  discardDrafts();
  dispatchEvent(new Event("logged-out"));
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
