// A sheet that is drawn again keeps its ideas where they are, so that after a decision no other
// idea's button lies under the pointer.

// Fill the ideas as they were listed (`before`) with those of a new drawing, which they replace.
export function keepPlaces(before, drawn) {
  for (const heading of before.querySelectorAll("[data-part]")) {
    const now = drawn.querySelector(`[data-part="${heading.dataset.part}"]`);
    heading.textContent = now?.textContent ?? heading.textContent.replace(/\([^()]*\)$/, "(0)");
    const empty = heading.nextElementSibling;
    if (now && empty.matches(".none")) empty.hidden = !now.nextElementSibling.matches(".none");
  }
  for (const idea of before.querySelectorAll(".idea")) {
    const now = drawn.querySelector(`#${idea.id}`);
    const [wordings, wordingsNow] = [idea, now].map((one) => one.querySelector("details"));
    if (wordingsNow) wordingsNow.open = wordings.open;
    idea.replaceWith(now);
  }
  drawn.replaceWith(before);
}
