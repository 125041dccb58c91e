// Sort a table by a click on a heading, by `data-value`: numbers (class "n") descending first, words
// ascending; a second click reverses. Empty values come last.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const numeric = head.classList.contains("n");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort ? head.ariaSort === "ascending" : numeric;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.value;
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const order = numeric ? x - y : x.localeCompare(y, undefined, { numeric: true });
        return down ? -order : order;
      };
      const [body] = table.tBodies;
      body.append(...[...body.rows].sort(compare));
    });
  });
}
