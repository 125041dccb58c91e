// Saved results, in the list and above an opened one: copy the link, rename, choose the expiry, delete.

import { address, api, say } from "./api.js";
import { at, make, moment } from "./dom.js";
import { attempt, copyLink } from "./panel.js";

const itemOf = (element) => element.closest("[data-saved]");
const linkOf = (item) => `/api/saved/${item.dataset.saved}`;

// Edit the title in place: Enter saves, Escape leaves it.
function rename(item) {
  const title = item.querySelector(".title");
  const input = make("input", { value: title.textContent, maxLength: 200, dir: "auto" });
  input.setAttribute("aria-label", "Title");
  const form = make("form", {}, input, make("button", { className: "small" }, "Save"));
  const close = () => {
    form.replaceWith(title);
    item.querySelector('[data-act="rename"]').focus();
  };
  form.addEventListener(
    "submit",
    attempt(async (event) => {
      event.preventDefault();
      await api("PATCH", linkOf(item), { title: input.value });
      title.textContent = input.value.trim().replace(/\s+/g, " ");
      for (const name of item.querySelectorAll("[data-title]")) name.textContent = title.textContent;
      close();
      say("Renamed.");
    }),
  );
  form.addEventListener("keydown", (event) => event.key === "Escape" && close());
  title.replaceWith(form);
  input.select();
}

async function expire(item, when) {
  await api("PATCH", linkOf(item), { expires_at: when });
  const line = item.querySelector(".expiry");
  line.replaceChildren(...(when ? ["Expires ", moment(when)] : ["No expiry"]));
  say(when ? "The link will stop working then." : "The link does not expire.");
}

// Ask for a date; the link works until the end of that day.
function chooseDate(item, select) {
  const tomorrow = new Date(Date.now() + 86400000).toISOString().slice(0, 10);
  const input = make("input", { type: "date", min: tomorrow });
  input.setAttribute("aria-label", "Date of expiry");
  select.closest("label").after(input);
  input.focus();
  input.addEventListener(
    "change",
    attempt(async () => {
      // A year that is typed changes the date with every digit: 0002, 0020, 0202.
      if (!input.value || !input.checkValidity()) return;
      await expire(item, new Date(`${input.value}T23:59:59`));
      input.remove();
      select.focus();
    }),
  );
  input.addEventListener("blur", () => input.checkValidity() || say("Choose a date after today."));
}

async function remove(item) {
  if (!confirm("Delete this result? Its link will stop working.")) return;
  await api("DELETE", linkOf(item));
  const row = item.closest("#saved li");
  const next = row && (row.nextElementSibling ?? row.previousElementSibling);
  // Without a neighbour, reload: there may be more pages, or the list is empty.
  if (!next) return location.assign(address("/saved"));
  row.remove();
  say("Deleted.");
  // Of a result that others share there is only the link to copy.
  next.querySelector(':is([data-act="delete"], [data-act="copy"]:last-child)').focus();
}

// The link in a box of its own, until the focus leaves it.
function linkBox(item, link) {
  const input = make("input", { className: "link-box", value: link, readOnly: true });
  input.setAttribute("aria-label", "Link");
  item.querySelector('[data-act="copy"]').after(input);
  input.addEventListener("blur", () => input.remove());
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") item.querySelector('[data-act="copy"]').focus();
  });
  return input;
}

function copy(item) {
  const link = new URL(address(`/saved/${item.dataset.saved}`), location.href).href;
  return copyLink(link, () => linkBox(item, link));
}

const acts = { copy, rename, delete: remove };

at("main").addEventListener("click", (event) => {
  const button = event.target.closest("[data-saved] button[data-act]");
  if (button) attempt(() => acts[button.dataset.act](itemOf(button)))();
});

at("main").addEventListener("change", (event) => {
  const select = event.target.closest('[data-saved] select[data-act="expire"]');
  if (!select) return;
  const [choice, item] = [select.value, itemOf(select)];
  select.value = "";
  item.querySelector('input[type="date"]')?.remove();
  if (choice === "date") return chooseDate(item, select);
  const days = Number(choice);
  attempt(() => expire(item, days ? new Date(Date.now() + days * 86400000) : null))();
});
