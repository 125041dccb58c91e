// The page of saved scores of many systems.

import { api } from "./api.js";
import { at } from "./dom.js";
import { attempt } from "./panel.js";
import { showScores } from "./systems_view.js";

attempt(async () => showScores(await api("GET", at("many").dataset.source)))();
