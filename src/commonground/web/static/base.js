// The behaviour of every page.

import { api, complain } from "./api.js";

document.getElementById("log-out")?.addEventListener("click", async () => {
  try {
    await api("POST", "/logout");
    location.assign("/login");
  } catch (error) {
    complain(error);
  }
});

document.getElementById("delete-kept")?.addEventListener("click", async () => {
  if (!confirm("Delete this result? Its link will stop working.")) return;
  try {
    await api("DELETE", `/api${location.pathname}`);
    location.assign("/kept");
  } catch (error) {
    complain(error);
  }
});

// Ctrl+Enter submits the form that has the focus, also from a text box.
addEventListener("keydown", (event) => {
  const wanted = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (!wanted || event.defaultPrevented || event.isComposing || event.repeat) return;
  const button = event.target.closest?.("form")?.querySelector("[type=submit]");
  if (!button) return;
  event.preventDefault();
  button.click();
});
