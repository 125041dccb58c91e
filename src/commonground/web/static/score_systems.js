// Many systems from one file: the file, its scores, and the link to share them.

import { say } from "./api.js";
import { at, counted } from "./dom.js";
import { onFiles } from "./drop.js";
import { attempt, onClick, sharing, Work } from "./panel.js";
import { currentScores, showScores } from "./systems_view.js";

// Two modes of the page; the result of the other one stays.
function choose(many) {
  at("one-mode").setAttribute("aria-pressed", String(!many));
  at("many-mode").setAttribute("aria-pressed", String(many));
  at("one").hidden = many;
  at("many").hidden = !many;
}

// `inView(part)` moves the focus to a part of the page.
export function prepareSystems(inView) {
  const work = new Work(at("scoring-systems"), at("systems-result"));
  const take = async ([file]) => {
    const form = new FormData();
    form.append("file", file);
    const { systems } = await work.run("/api/score/systems", form);
    at("systems-link").hidden = true;
    showScores({ name: file.name.slice(0, 200), systems });
    inView(at("systems-result"));
    say(`${counted(systems.length, "system")} scored.`);
  };
  onClick("one-mode", () => choose(false));
  onClick("many-mode", () => choose(true));
  at("systems-file").addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    if (files.length) attempt(() => take(files))();
  });
  onFiles(at("many"), (files) => attempt(() => take(files))());
  sharing("systems", currentScores, () => {}, "systems-");
}
