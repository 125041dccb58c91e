// The list of the review: it follows the annotators, and shows the chosen pair.

import { address } from "./api.js";
import { at } from "./dom.js";

const review = at("review");
const { project, query } = review.dataset;

review.addEventListener("change", (event) => {
  if (event.target.id === "pair") event.target.form.submit();
});

async function refresh() {
  const seen = encodeURIComponent(review.dataset.mark);
  const response = await fetch(
    address(`/annotate/projects/${project}/review/list?${query}&seen=${seen}`),
  );
  if (response.redirected) location.reload(); // the session has ended
  if (response.redirected || response.status !== 200) return;
  const html = await response.text();
  if (review.contains(document.activeElement)) return; // do not disturb a person who is choosing
  review.innerHTML = html;
  review.dataset.mark = response.headers.get("X-Change-Mark");
}

setInterval(() => {
  if (!document.hidden) refresh().catch(() => {}); // the server may come back
}, 3000);
