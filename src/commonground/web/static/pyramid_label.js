// The words of an idea, with its context in grey: the sentence before, and the part that is meant.

import { make } from "./dom.js";

// As in report/ideas.py: the sentence before ends as a sentence does; names in square brackets
// stand for pronouns.
const PARTS = /^(\[[^\]]*[.!?…]["'”’)]*\] )?(.*?)( \(here: “.*”\))?$/su;

const context = (words, title) => (words ? make("span", { class: "context", title }, words) : null);

// Whether an idea has context.
export const hasContext = ({ label }) => {
  const [, before, , meant] = PARTS.exec(label) ?? [];
  return Boolean(before || meant);
};

// The nodes of an idea's words.
export function labelNodes(label) {
  const [, before, said, meant] = PARTS.exec(label) ?? [null, "", label, ""];
  return [
    context(before, "the sentence before, for context"),
    said,
    context(meant, "the part of the sentence that is meant"),
  ].filter(Boolean);
}
