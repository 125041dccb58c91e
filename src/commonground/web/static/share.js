// Share a project or a result with people: the list is loaded when it is opened.

import { address, api, say } from "./api.js";
import { at, make } from "./dom.js";
import { attempt } from "./panel.js";

const box = at("share-people");
const path = location.pathname.slice(address("").length);
const shares = `/api${path}/shares`;
const CHOSEN = "Only people with whom it is shared can view this page.";

async function show() {
  const { shared, others } = await api("GET", shares);
  const select = at("share-with");
  const options = others.map(({ who, name }) => make("option", { value: who }, name));
  // Nobody is chosen at first, so that one click does not share with everyone.
  select.replaceChildren(make("option", { value: "" }, "Choose…"), ...options);
  select.form.hidden = others.length === 0;
  const row = ({ who, name }) => {
    const stop = make("button", { type: "button", className: "quiet" }, "Stop sharing");
    stop.append(make("span", { className: "unseen" }, ` with ${name}`));
    stop.addEventListener("click", attempt(() => change("DELETE", who, `No longer shared with ${name}.`)));
    return make("li", { className: "row" }, name, stop);
  };
  at("shared").replaceChildren(...shared.map(row));
}

async function change(method, who, words) {
  await api(method, `${shares}/${who}`);
  await show();
  say(words);
  at("share-with").focus();
}

at("share-public")?.addEventListener(
  "change",
  attempt(async ({ target }) => {
    const isPublic = target.checked;
    target.disabled = true; // one request at a time
    try {
      await api("PATCH", `/api${path}`, { public: isPublic });
    } catch (error) {
      target.checked = !isPublic;
      throw error;
    } finally {
      target.disabled = false;
      target.focus();
    }
    at("reach").textContent = isPublic ? "Anyone with the link can view this page." : CHOSEN;
    say(isPublic ? "Anyone with the link can view it." : CHOSEN);
  }),
);
box.addEventListener("toggle", () => box.open && attempt(show)());
// A link from where the result was made leads here.
if (location.hash === "#share-people") box.open = true;
box.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [option] = at("share-with").selectedOptions;
  if (option) attempt(() => change("PUT", option.value, `Shared with ${option.textContent}.`))();
});
