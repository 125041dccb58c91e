// Leave: this browser is the annotator's no more.

import { api, complain } from "./api.js";

document.getElementById("leave")?.addEventListener("click", async () => {
  try {
    await api("POST", "/logout");
    location.assign("/");
  } catch (error) {
    complain(error);
  }
});
