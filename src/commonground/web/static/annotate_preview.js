// What a project's files hold, before they are stored.

import { counted, make } from "./dom.js";

export function showPreview(box, { events, outputs, counts, ignored, problems, more }) {
  box.hidden = false;
  box.replaceChildren(
    make("h3", {}, "Preview"),
    ...wrong(problems, more),
    make("p", { className: problems.length ? "about" : "note" }, summary(counts)),
    ...table("First events", ["id", "texts", "references"], events, ({ id, narratives, references }) => [
      [id],
      narratives,
      references,
    ]),
    ...table("First outputs", ["id", "system", "summary"], outputs, ({ id, system, summary }) => [
      [id],
      [system],
      [summary],
    ]),
    ...(ignored.length ? [make("p", { className: "about" }, `Ignored columns: ${ignored.join(", ")}`)] : []),
  );
}

function summary({ events, outputs, systems, items, labels }) {
  const parts = [counted(events, "event")];
  if (outputs) parts.push(`${counted(outputs, "output")} by ${counted(systems, "system")}`);
  const found = parts.join(", ");
  if (items === undefined) return `${found}.`;
  return `${found}: ${counted(items, "item")}, ${counted(labels, "label")} per annotator. Ready to create.`;
}

function wrong(problems, more) {
  if (!problems.length) return [];
  const lines = problems.map((line) => make("li", {}, line));
  if (more) lines.push(make("li", {}, `and ${counted(more, "further problem")}`));
  const title = make("strong", {}, `${counted(problems.length + more, "problem")} to correct`);
  return [make("div", { className: "note wrong problems" }, title, make("ul", {}, ...lines))];
}

function table(caption, names, rows, cells) {
  if (!rows.length) return [];
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map((row) =>
    make("tr", {}, ...cells(row).map((lines) => make("td", {}, ...lines.map((line) => make("div", {}, line))))),
  );
  const shown = make(
    "table",
    { className: "data" },
    make("caption", {}, caption),
    make("thead", {}, head),
    make("tbody", {}, ...body),
  );
  const scroller = make("div", { className: "scroll", tabIndex: 0 }, shown);
  scroller.setAttribute("role", "region");
  scroller.setAttribute("aria-label", caption);
  return [scroller];
}
