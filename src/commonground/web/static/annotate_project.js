// One project: invitations and live figures.

import { api, complain, say } from "./api.js";

const form = document.getElementById("invite");
const project = form.dataset.project;
const figures = document.getElementById("figures");
const link = document.getElementById("link");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = form.elements.name.value.trim();
  attempt(async () => {
    const made = await api("POST", `/api/annotate/projects/${project}/annotators`, { name });
    form.reset();
    show(name, made.link);
  });
});

figures.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { renew, close, name } = button.dataset;
  const address = `/api/annotate/projects/${project}/annotators/${renew ?? close}/link`;
  const question = renew
    ? `Make a new link for ${name}? The old one will no longer work.`
    : `Close the link of ${name}? The labels are kept.`;
  if (!confirm(question)) return;
  attempt(async () => {
    if (renew) show(name, (await api("POST", address)).link);
    else await api("DELETE", address);
  });
});

document.getElementById("copy").addEventListener("click", async () => {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    say("Copied.");
  } catch {
    say("Press Ctrl+C to copy the selected link.");
  }
});

document.getElementById("delete").addEventListener("click", () => {
  if (!confirm("Delete this project with all its labels? This cannot be undone.")) return;
  attempt(async () => {
    await api("DELETE", `/api/annotate/projects/${project}`);
    location.assign("/annotate");
  });
});

function show(name, path) {
  document.getElementById("invited").textContent = name;
  document.getElementById("invitation").hidden = false;
  link.value = new URL(path, location.href).href;
  link.focus();
  link.select();
}

async function attempt(work) {
  try {
    await work();
    await refresh();
  } catch (error) {
    complain(error);
  }
}

async function refresh() {
  const seen = encodeURIComponent(figures.dataset.mark);
  const answer = await fetch(`/annotate/projects/${project}/figures?seen=${seen}`);
  if (answer.redirected) location.reload(); // the session has ended
  if (answer.redirected || answer.status !== 200) return;
  const focused = document.activeElement?.closest("#figures button")?.dataset;
  figures.innerHTML = await answer.text();
  figures.dataset.mark = answer.headers.get("X-Change-Mark");
  const again = focused?.renew ? `[data-renew="${focused.renew}"]` : `[data-close="${focused?.close}"]`;
  if (focused) figures.querySelector(again)?.focus();
}

setInterval(() => {
  if (!document.hidden) refresh().catch(() => {}); // the server may come back
}, 3000);
