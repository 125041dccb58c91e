// The box with an invitation link, for accounts and for annotators: see templates/invitation.html.

import { address, isLocal } from "./api.js";
import { at, make } from "./dom.js";
import { attempt, copyLink, onClick } from "./panel.js";

onClick("copy", () => copyLink(at("link").value, () => at("link")));

// Show the link for somebody, ready to be copied.
export function showInvitation(name, path) {
  const link = at("link");
  if (!at("invitation").hidden) keep(at("invited").textContent, link.value);
  // A new link for somebody ends the old one.
  [...at("earlier").children].find((one) => one.dataset.name === name)?.remove();
  at("invited").textContent = name;
  at("invitation").hidden = false;
  at("local-link").hidden = !isLocal;
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
