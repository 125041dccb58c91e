// Work that takes a while: started, watched, and ended when nobody wants it any more.

import { api, ApiError } from "./api.js";

// Start a job and wait for its result. `payload` is plain values or FormData;
// `onProgress(share, words)` is called on every change; aborting `signal` ends the work, or, where
// it is too late, calls `onTooLate(error)` and goes on.
// Throws ApiError where the work fails, and AbortError where it was aborted.
export async function run(url, payload, options = {}) {
  const { onProgress = () => {}, onTooLate = () => {}, signal } = options;
  // A request that is aborted may have been received: only who has the job's name can end it.
  const { job } = await api("POST", url, payload);
  const where = `/api/jobs/${job}`;
  const end = () => api("DELETE", where, undefined, { keepalive: true }).catch((error) => error);
  // A page that is left wants no result; a worker is free for others at once.
  addEventListener("pagehide", end, { once: true });
  try {
    return await watched(where, onProgress, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    const refused = await end();
    if (refused?.status !== 409) throw error;
    onTooLate(refused);
    return await watched(where, onProgress);
  } finally {
    removeEventListener("pagehide", end);
  }
}

async function watched(where, onProgress, signal) {
  let version = -1;
  for (;;) {
    const now = await api("GET", `${where}?after=${version}`, undefined, { signal });
    version = now.version;
    if (now.state === "done") return now.result;
    if (now.state === "failed") throw new ApiError(now.error, 0);
    if (now.state === "cancelled") throw new DOMException("Cancelled", "AbortError");
    onProgress(now.progress, now.message);
  }
}
