// Files that are dropped, pasted or chosen; the server extracts their text.

import { run } from "./job.js";

const PAGE = /^\s*(<!doctype html|<html)\b/i; // the source of a page

// Return the text of a file: {name, title, text, notices}. Throws ApiError if it has none.
export async function fileText(file, options = {}) {
  const form = new FormData();
  form.append("file", file);
  return run("/api/text", form, options);
}

// Whether a file has a class rather than one text. Old Excel files are refused with a reason.
export const isTable = (file) => /\.(csv|tsv|xlsx?|ods)$/i.test(file.name);

// Return the students of a table: {name, students, blank}. Throws ApiError if it has none.
export async function fileStudents(file, options = {}) {
  const form = new FormData();
  form.append("file", file);
  return run("/api/pyramid/class", form, options);
}

// A drop ends what it began, wherever it fell: a card in a form marks both.
addEventListener(
  "drop",
  () => document.querySelectorAll(".dropping").forEach((one) => one.classList.remove("dropping")),
  { capture: true },
);

// Accept files dropped on or pasted into an element; `take(files)` receives them.
export function onFiles(element, take) {
  const carriesFiles = (data) => [...(data?.types ?? [])].includes("Files");
  element.addEventListener("dragover", (event) => {
    if (!carriesFiles(event.dataTransfer)) return;
    event.preventDefault();
    element.classList.add("dropping");
  });
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget)) element.classList.remove("dropping");
  });
  element.addEventListener("drop", (event) => {
    if (!carriesFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    take([...event.dataTransfer.files]);
  });
  element.addEventListener("paste", (event) => {
    const written = event.clipboardData?.getData("text/plain") ?? "";
    const page = PAGE.test(written) ? [new File([written], "Pasted page.html")] : [];
    const files = page.length ? page : [...(event.clipboardData?.files ?? [])];
    // Word processors offer an image of the text together with the text.
    if (!files.length || (written && !page.length)) return;
    event.preventDefault();
    event.stopPropagation();
    take(files);
  });
}

// Download a text as a file.
export function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
