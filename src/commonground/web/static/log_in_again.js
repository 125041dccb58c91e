// After the session has ended: offer to log in in another tab. The page keeps its changes, and the
// request is repeated.

import { make } from "./dom.js";

let asking = null; // one dialog for all waiting requests

// Resolves to whether somebody is logged in again; `isBack()` finds out.
export function logInAgain(link, isBack) {
  asking ??= ask(link, isBack).finally(() => (asking = null));
  return asking;
}

function ask(link, isBack) {
  const channel = new BroadcastChannel("commonground-login");
  const later = make("button", { type: "button", className: "quiet" }, "Not now");
  // With its opener, the other tab can close itself.
  const login = make("a", { className: "button", href: link, target: "_blank", rel: "opener" }, "Log in in a new tab");
  const dialog = make(
    "dialog",
    { "aria-labelledby": "again" },
    make("h2", { id: "again" }, "Your session has ended"),
    make("p", {}, "Nothing on this page is lost. Log in to continue where you were."),
    make("p", { className: "row" }, login, later),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const over = (answer) => {
      removeEventListener("focus", check);
      channel.close();
      dialog.remove();
      resolve(answer);
    };
    const check = async () => {
      if (await isBack()) over(true);
    };
    channel.onmessage = check;
    addEventListener("focus", check);
    later.addEventListener("click", () => over(false));
    dialog.addEventListener("cancel", () => over(false));
  });
}
