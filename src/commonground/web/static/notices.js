// Notices above a result: what may be wrong with its texts. They stay as long as the result.

import { make } from "./dom.js";

// `notices` are [{message}].
export function showNotices(box, notices) {
  const lines = notices.map(({ message }) => make("p", { dir: "auto" }, message));
  const note = make("div", { className: "note warn" }, ...lines);
  box.replaceChildren(...(lines.length ? [note] : []));
}
