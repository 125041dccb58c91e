// All labels are saved; changes that an earlier visit could not send still follow.

import { address } from "./api.js";
import { Sending } from "./annotate_sending.js";
import { at } from "./dom.js";

let isDone = true;
const take = (state) => {
  if (state.progress) isDone = state.progress.resume === null;
};

await new Sending(at("done").dataset, take).resend();
if (!isDone) location.assign(address("/annotate/work/")); // a label was undone
