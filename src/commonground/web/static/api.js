// Requests to this server: JSON or a form out, JSON in, failures as one line for people.

const tokenIn = (page) => page.querySelector('meta[name="csrf"]')?.content ?? "";

let token = tokenIn(document);
let renewal = null; // a fresh token on its way, one for all requests that wait for it

const READ_AS = { "application/json": "json", "application/zip": "blob" };

export class ApiError extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

// Ask the server. `body` is plain values or FormData; the answer is plain values, or, where it is
// no JSON, text or a blob; null where there is none. Throws ApiError with the server's own words.
export async function api(method, url, body = undefined, { signal, keepalive = false } = {}) {
  const headers = {};
  if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  const request = { method, headers, body, signal, keepalive };
  const sent = token;
  let answer = await asked(url, request);
  const isStale = answer.status === 401 || answer.status === 403;
  if (isStale && !keepalive && (await renewed(sent))) answer = await asked(url, request);
  if (answer.status === 204) return null; // nothing to read, whatever type it is said to have
  const type = answer.headers.get("Content-Type") ?? "";
  const reading = Object.keys(READ_AS).find((start) => type.startsWith(start));
  const found = await answer[READ_AS[reading] ?? "text"]();
  if (!answer.ok) throw new ApiError(found?.error ?? "Something went wrong; try again.", answer.status);
  return found;
}

async function asked(url, request) {
  try {
    const headers = { ...request.headers, "X-CSRF-Token": token };
    return await fetch(url, { ...request, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is it still running?", 0);
  }
}

// A server that was started again has forgotten this page, but lets it in anew where it has no
// password. Whether there is another token than the one that was `sent`.
async function renewed(sent) {
  if (token !== sent) return true;
  renewal ??= freshToken().finally(() => (renewal = null));
  token = (await renewal) || token;
  return token !== sent;
}

async function freshToken() {
  try {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return answer.ok ? tokenIn(page) : "";
  } catch {
    return "";
  }
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
