// Where labelling is refused: say that this browser has labels that the server never got.

import { unsentDrafts } from "./annotate_sending.js";
import { at, counted } from "./dom.js";

const drafts = unsentDrafts();
const box = at("unsent");
box.hidden = !drafts.length;
const words = `This browser has ${counted(drafts.length, "unsent change")} of labels or comments.`;
box.querySelector("span").textContent = `${words} To send them, open a working invitation link of the same project.`;
at("discard-unsent").addEventListener("click", () => {
  if (!confirm("Discard the unsent changes? This cannot be undone.")) return;
  for (const draft of drafts) draft.discard();
  box.hidden = true;
});
