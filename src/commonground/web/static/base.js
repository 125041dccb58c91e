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
