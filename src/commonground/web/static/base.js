// What every page does.

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
  if (!confirm("Delete what is kept here? The link will lead nowhere, for all who have it.")) return;
  try {
    await api("DELETE", `/api${location.pathname}`);
    location.assign("/kept");
  } catch (error) {
    complain(error);
  }
});
