// Jobs on the server: start, watch and cancel them.

import { api, ApiError } from "./api.js";

// Start a job and wait for its result. `payload` is plain values or FormData;
// `onProgress(share, words)` is called on every change. Aborting `signal` cancels the job or, if
// it is too late, calls `onTooLate(error)` and continues.
// Throws ApiError if the job fails, and AbortError if it was cancelled.
export async function run(url, payload, options = {}) {
  const { onProgress = () => {}, onTooLate = () => {}, signal } = options;
  // Never abort this request: only its response has the id that cancels the job.
  const { job } = await api("POST", url, payload);
  const address = `/api/jobs/${job}`;
  const end = () => api("DELETE", address, undefined, { keepalive: true }).catch((error) => error);
  // Leaving the page cancels the job and frees the worker.
  addEventListener("pagehide", end, { once: true });
  try {
    return await watched(address, onProgress, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    const refused = await end();
    if (refused?.status !== 409) throw error;
    onTooLate(refused);
    return await watched(address, onProgress);
  } finally {
    removeEventListener("pagehide", end);
  }
}

async function watched(address, onProgress, signal) {
  let version = -1;
  for (;;) {
    const status = await api("GET", `${address}?after=${version}`, undefined, { signal });
    version = status.version;
    if (status.state === "done") return status.result;
    if (status.state === "failed") throw new ApiError(status.error, 0);
    if (status.state === "cancelled") throw new DOMException("Cancelled", "AbortError");
    onProgress(status.progress, status.message);
  }
}
