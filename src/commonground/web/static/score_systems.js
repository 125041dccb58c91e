// Many systems from one file: the file, its scores, the link to share them, and the way to a text.

import { api, say } from "./api.js";
import { at, counted } from "./dom.js";
import { Draft } from "./draft.js";
import { onFiles } from "./drop.js";
import { attempt, onClick, sharing, Work } from "./panel.js";
import { currentScores, showScores } from "./systems_view.js";

const draft = new Draft("score");
// What the draft keeps: the mode, the scores as they are saved, and the texts of the file.
const kept = { many: false, scores: null, texts: null };

// Texts that have no room in this browser are left out.
function keepDraft() {
  const { many, scores } = kept;
  return draft.save(kept) || draft.save({ many, scores, texts: null }) || draft.save({ many });
}

// Two modes of the page; the result of the other one stays.
function choose(many) {
  at("one-mode").setAttribute("aria-pressed", String(!many));
  at("many-mode").setAttribute("aria-pressed", String(many));
  at("one").hidden = many;
  at("many").hidden = !many;
}

// `inView(part)` moves the focus to a part of the page; `score(texts)` scores one summary in the
// other mode, and returns false if the user keeps what is there.
export function prepareSystems(inView, score) {
  const work = new Work(at("scoring-systems"), at("systems-result"));
  let opened = null; // the button of the text that was opened last

  async function open(system, row, button) {
    const { text, references } = kept.texts.summaries[system][row];
    const { system: name, summaries } = kept.scores.systems[system];
    const started = score(`${name}: ${summaries[row].id}`, text, references.map((index) => kept.texts.references[index]));
    if (!started) return;
    opened = button;
    choose(false);
    history.pushState({ opened: true }, "");
    await started;
  }
  const back = () => {
    choose(true);
    opened?.focus();
  };
  // The browser's own way back, and forward again.
  addEventListener("popstate", ({ state }) => {
    if (!opened) return;
    if (state?.opened) choose(false);
    else if (!at("from-systems").hidden) back();
  });

  function show({ scores, texts }) {
    Object.assign(kept, { scores, texts });
    at("systems-link").hidden = true;
    showScores(scores, texts ? (...place) => attempt(() => open(...place))() : null);
  }

  const take = async ([file]) => {
    const form = new FormData();
    form.append("file", file);
    const { systems, notices, texts } = await work.run("/api/score/systems", form);
    at("draft").hidden = true;
    show({ scores: { name: file.name.slice(0, 200), systems, notices }, texts });
    keepDraft();
    inView(at("systems-result"));
    say(`${counted(systems.length, "system")} scored.`);
  };
  const setMode = (many) => {
    choose(many);
    kept.many = many;
    keepDraft();
  };
  onClick("one-mode", () => setMode(false));
  onClick("many-mode", () => setMode(true));
  onClick("back-to-systems", () => (history.state?.opened ? history.back() : back()));
  onClick("try-example", async () => {
    const text = await api("GET", "/score/template.csv");
    await take([new File([text], "example.csv")]);
  });
  at("systems-file").addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    if (files.length) attempt(() => take(files))();
  });
  onFiles(at("many"), (files) => attempt(() => take(files))());
  sharing("systems", currentScores, () => {}, "systems-");

  onClick("discard", () => {
    work.stop();
    Object.assign(kept, { scores: null, texts: null });
    keepDraft();
    at("draft").hidden = at("systems-result").hidden = true;
    at("systems-file").focus();
  });
  const before = draft.load();
  kept.many = before?.many === true;
  choose(kept.many);
  if (!before?.scores) return;
  show(before);
  at("draft").hidden = false;
  at("without-texts").hidden = Boolean(before.texts);
}
