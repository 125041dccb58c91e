// People, Account and the audit log: invitations, roles, sessions, passwords.

import { api, say } from "./api.js";
import { at } from "./dom.js";
import { showInvitation } from "./invitation.js";
import { attempt, onClick } from "./panel.js";

const onSubmit = (id, act) =>
  at(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => act(event.target))();
  });

onSubmit("invite", async (form) => {
  const { name, role } = form.elements;
  const invited = await api("POST", "/api/people", { name: name.value, role: role.value });
  showInvitation(invited.name, invited.link);
  form.reset();
  await reloadPart("accounts");
});

const ACTIONS = {
  link: async (path, name) => {
    if (!confirm(`Make a new link for ${name}? An earlier link will no longer work.`)) return;
    showInvitation(name, (await api("POST", `${path}/link`)).link);
  },
  disable: async (path, name) => {
    if (!confirm(`Disable ${name}? Their sessions end. Projects and results are kept.`)) return;
    await api("PATCH", path, { disabled: true });
    location.reload();
  },
  enable: async (path) => {
    await api("PATCH", path, { disabled: false });
    location.reload();
  },
  "hand-over": async (path, name) => {
    if (!confirm(`Make all projects and results of ${name} yours?`)) return;
    const { projects, results } = await api("POST", `${path}/hand-over`);
    say(`Now yours: projects ${projects}, results ${results}.`);
  },
};

const rowOf = (element) => element.closest("[data-account]")?.dataset;

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (!button) return;
  const { account, name } = rowOf(button);
  attempt(() => ACTIONS[button.dataset.do](`/api/people/${account}`, name))();
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("select[data-role]")) return;
  const { account, name } = rowOf(event.target);
  const role = event.target.value;
  attempt(async () => {
    await api("PATCH", `/api/people/${account}`, { role });
    say(`${name}: ${role}.`);
  })();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-end-session]");
  if (!button) return;
  const { endSession, own } = button.dataset;
  attempt(async () => {
    await api("DELETE", `/api/${own ? "account" : "people"}/sessions/${endSession}`);
    button.closest("tr").remove();
    say("Session ended.");
  })();
});

onClick("end-others", async () => {
  await api("DELETE", "/api/account/sessions");
  location.reload();
});

onSubmit("change-password", async (form) => {
  const { current, new: wanted } = form.elements;
  await api("POST", "/api/account/password", { current: current.value, new: wanted.value });
  form.reset();
  say("Password changed.");
});

// Show the new state of the list without losing the link that is shown only once.
async function reloadPart(id) {
  const response = await fetch(location.href, { cache: "no-store" });
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(id);
  const old = at(id);
  if (fresh && old) old.replaceWith(fresh);
}
