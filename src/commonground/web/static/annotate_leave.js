// Leave: end the annotator's session in this browser.

import { api, complain } from "./api.js";

document.getElementById("leave")?.addEventListener("click", async () => {
  try {
    await api("POST", "/logout");
    location.assign("/");
  } catch (error) {
    complain(error);
  }
});
