// Requests to this server: sends JSON or a form, returns JSON, throws one-line errors.

import { logInAgain } from "./log_in_again.js";

const tokenIn = (page) => page.querySelector('meta[name="csrf"]')?.content ?? "";

const root = document.querySelector('meta[name="root"]')?.content ?? "";

// The address of one of the server's paths: a proxy may serve it below a path of its own.
export const address = (path) => root + path;

// Links to this server open on this machine alone.
export const isLocal = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

// Annotators come in by their links, and have no login.
const isAnnotator = location.pathname.startsWith(address("/annotate/work/"));

let token = tokenIn(document);
let renewal = null; // the pending request for a new token, shared by all waiting requests

// CSV is no text here: its first mark, which Excel needs, would be lost.
const READ_AS = { "application/json": "json", "text/csv": "blob", "application/zip": "blob", "application/vnd.": "blob" };

const FAILED = "Something went wrong. Try again.";

// Our pages answer every failure with a message. Without one, a proxy in front of them answers, or the
// server is too busy to do so.
const NO_MESSAGE = {
  413: "The proxy in front of the server refuses requests of this size. Use less text, or ask its owner to allow more.",
  502: "The server behind the proxy does not respond. Try again in a minute.",
  503: "The server is busy or being restarted. Try again in a minute.",
  504: "The server took too long to answer its proxy. Try again in a minute.",
};

export class ApiError extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

// Send a request to a path of the server. `body` is plain values or FormData. Returns plain values, or text or a blob if
// the response is not JSON; null if it is empty. Throws ApiError with the server's message.
export async function api(method, path, body = undefined, { signal, keepalive = false } = {}) {
  const headers = {};
  if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  const request = { method, headers, body, signal, keepalive };
  const sent = token;
  const url = address(path);
  let response = await send(url, request);
  const isStale = response.status === 401 || response.status === 403;
  if (isStale && !keepalive && (await isRenewed(sent, response.status))) response = await send(url, request);
  if (response.status === 204) return null; // no content, whatever its type
  const type = response.headers.get("Content-Type") ?? "";
  const reading = Object.keys(READ_AS).find((start) => type.startsWith(start));
  const content = await response[READ_AS[reading] ?? "text"]();
  if (!response.ok) throw new ApiError(content?.error ?? NO_MESSAGE[response.status] ?? FAILED, response.status);
  return content;
}

async function send(url, request) {
  try {
    const headers = { ...request.headers, "X-CSRF-Token": token };
    return await fetch(url, { ...request, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not respond. Is it still running?", 0);
  }
}

// Returns whether the request can be repeated: with a new token, or after a new login.
async function isRenewed(sent, status) {
  if (await renewToken(sent)) return true;
  if (status !== 401 || isAnnotator) return false;
  return logInAgain(address("/login?next=/logged-in"), () => renewToken(sent));
}

// A restarted server does not know this page's token, but without a password it issues a new one.
// Returns whether there is a newer token than `sent`.
async function renewToken(sent) {
  if (token !== sent) return true;
  renewal ??= freshToken().finally(() => (renewal = null));
  token = (await renewal) || token;
  return token !== sent;
}

async function freshToken() {
  try {
    const response = await fetch(location.pathname + location.search, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return response.ok ? tokenIn(page) : "";
  } catch {
    return "";
  }
}

// Show a message for some seconds; screen readers speak it.
export function say(words) {
  show("status", words, 6000);
}

// Show an error, longer than other messages; the next action hides it.
export function complain(error) {
  if (error?.name === "AbortError") return;
  show("alert", error?.message ?? String(error), 10000);
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
