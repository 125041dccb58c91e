// The list of saved results: local times, and deletion.

import { address, api, say } from "./api.js";
import { at } from "./dom.js";
import { attempt } from "./panel.js";

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) {
  time.textContent = shown.format(new Date(time.dateTime));
}

async function remove(button) {
  if (!confirm("Delete this result? Its link will stop working.")) return;
  await api("DELETE", `/api/saved/${button.dataset.link}`);
  const row = button.closest("li");
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  say("Deleted.");
  if (!next) location.assign(address("/saved")); // shows other pages of the list, or that it is empty
  else next.querySelector("button").focus();
}

at("saved")?.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-link]");
  if (button) attempt(() => remove(button))();
});
