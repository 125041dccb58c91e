// Requests to this server: JSON or a form out, JSON in, failures as one line for people.

const token = document.querySelector('meta[name="csrf"]')?.content ?? "";

const READ_AS = { "application/json": "json", "application/zip": "blob" };

export class ApiError extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

// Ask the server. `body` is plain values or FormData; the answer is plain values, or, where it is
// no JSON, text or a blob. Throws ApiError with the server's own words.
export async function api(method, url, body = undefined, { signal, keepalive = false } = {}) {
  const headers = { "X-CSRF-Token": token };
  if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(url, { method, headers, body, signal, keepalive });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is it still running?", 0);
  }
  const type = answer.headers.get("Content-Type") ?? "";
  const reading = Object.keys(READ_AS).find((start) => type.startsWith(start));
  const found = await answer[READ_AS[reading] ?? "text"]();
  if (!answer.ok) throw new ApiError(found?.error ?? "Something went wrong; try again.", answer.status);
  return found;
}

// A line in the page's corner that screen readers speak; it goes away by itself.
export function say(words) {
  show("status", words, 6000);
}

// A line that says what went wrong; it stays until something else is said, or a while.
export function complain(error) {
  if (error?.name === "AbortError") return;
  show("alert", error?.message ?? String(error), 20000);
}

export function hush() {
  show("alert", "", 0);
}

const timers = new Map();

function show(id, words, milliseconds) {
  const line = document.getElementById(id);
  clearTimeout(timers.get(id));
  line.textContent = words;
  if (words) timers.set(id, setTimeout(() => (line.textContent = ""), milliseconds));
}
