// One project: invitations and live figures.

import { address, api } from "./api.js";
import { at } from "./dom.js";
import { showInvitation } from "./invitation.js";
import { attempt, onClick } from "./panel.js";

const form = at("invite");
const project = form.dataset.project;
const figures = at("figures");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = form.elements.name.value.trim();
  change(async () => {
    const invitation = await api("POST", `/api/annotate/projects/${project}/annotators`, { name });
    form.reset();
    showInvitation(name, invitation.link);
  });
});

figures.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { renew, close, name } = button.dataset;
  const path = `/api/annotate/projects/${project}/annotators/${renew ?? close}/link`;
  const question = renew
    ? `Make a new link for ${name}? The old one will no longer work.`
    : `Close the link of ${name}? The labels are kept.`;
  if (!confirm(question)) return;
  change(async () => {
    if (renew) showInvitation(name, (await api("POST", path)).link);
    else await api("DELETE", path);
  });
});

onClick("delete", async () => {
  if (!confirm("Delete this project with all its labels? This cannot be undone.")) return;
  await api("DELETE", `/api/annotate/projects/${project}`);
  location.assign(address("/annotate"));
});

// Do something to the project, then show its new state.
const change = (act) =>
  attempt(async () => {
    await act();
    await refresh();
  })();

async function refresh() {
  const seen = encodeURIComponent(figures.dataset.mark);
  const response = await fetch(address(`/annotate/projects/${project}/figures?seen=${seen}`));
  if (response.redirected) location.reload(); // the session has ended
  if (response.redirected || response.status !== 200) return;
  const focused = document.activeElement?.closest("#figures button")?.dataset;
  figures.innerHTML = await response.text();
  figures.dataset.mark = response.headers.get("X-Change-Mark");
  const again = focused?.renew ? `[data-renew="${focused.renew}"]` : `[data-close="${focused?.close}"]`;
  if (focused) figures.querySelector(again)?.focus();
}

setInterval(() => {
  if (!document.hidden) refresh().catch(() => {}); // the server may come back
}, 3000);
