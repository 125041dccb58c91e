// One project: invitations and live figures.

import { address, api, isLocal, say } from "./api.js";
import { at, make } from "./dom.js";
import { attempt, copyLink, onClick } from "./panel.js";

const form = at("invite");
const project = form.dataset.project;
const figures = at("figures");
const link = at("link");
at("local-link").hidden = !isLocal;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = form.elements.name.value.trim();
  change(async () => {
    const invitation = await api("POST", `/api/annotate/projects/${project}/annotators`, { name });
    form.reset();
    show(name, invitation.link);
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
    if (renew) show(name, (await api("POST", path)).link);
    else await api("DELETE", path);
  });
});

onClick("copy", () => copyLink(link.value, () => link));

onClick("delete", async () => {
  if (!confirm("Delete this project with all its labels? This cannot be undone.")) return;
  await api("DELETE", `/api/annotate/projects/${project}`);
  location.assign(address("/annotate"));
});

function show(name, path) {
  if (!at("invitation").hidden) keep(at("invited").textContent, link.value);
  // A new link for somebody ends the old one.
  [...at("earlier").children].find((one) => one.dataset.name === name)?.remove();
  at("invited").textContent = name;
  at("invitation").hidden = false;
  link.value = new URL(address(path), location.href).href;
  link.focus();
  link.select();
}

// A link is never shown again, so those of this visit stay on the page.
function keep(name, value) {
  const box = make("input", { value, readOnly: true });
  const copy = make("button", { type: "button", className: "quiet" }, "Copy");
  copy.append(make("span", { className: "unseen" }, ` the link for ${name}`));
  copy.addEventListener("click", attempt(() => copyLink(value, () => box)));
  const label = make("label", { className: "row" }, `Link for ${name}`, box);
  const row = make("div", { className: "row" }, label, copy);
  row.dataset.name = name;
  at("earlier").prepend(row);
}

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
