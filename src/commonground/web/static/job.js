// Work that takes a while: started, watched, and ended when nobody wants it any more.

import { api, ApiError } from "./api.js";

// Start a job and wait for its result. `payload` is plain values or FormData;
// `onProgress(share, words)` is called on every change; aborting `signal` ends the work.
// Throws ApiError where the work fails, and AbortError where it was aborted.
export async function run(url, payload, { onProgress = () => {}, signal } = {}) {
  // A request that is aborted may have been received: only who has the job's name can end it. A
  // file on its way is another matter.
  const sending = payload instanceof FormData ? { signal } : {};
  const { job } = await api("POST", url, payload, sending);
  const where = `/api/jobs/${job}`;
  const end = () => api("DELETE", where, undefined, { keepalive: true }).catch(() => {});
  signal?.addEventListener("abort", end, { once: true });
  // A page that is left wants no result; a worker is free for others at once.
  addEventListener("pagehide", end, { once: true });
  try {
    if (signal?.aborted) end();
    signal?.throwIfAborted();
    return await watched(where, onProgress, signal);
  } finally {
    signal?.removeEventListener("abort", end);
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
