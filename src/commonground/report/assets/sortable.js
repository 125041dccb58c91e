// Tables that sort by a click on a heading: cells by `data-value`, else by their text. Numbers
// (class "n") descend first, words ascend; a second click reverses. Empty values come last.

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const valueOf = (cell) => cell.dataset.value ?? cell.textContent;

// Put a button into each heading of a table's head.
export function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const isNumeric = head.classList.contains("n");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : isNumeric;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const compare = (a, b) => {
        const [x, y] = [a, b].map((row) => valueOf(row.cells[column]));
        if (x === "" || y === "") return (x === "") - (y === "");
        const order = isNumeric ? x - y : collator.compare(x, y);
        return down ? -order : order;
      };
      const [body] = table.tBodies;
      body.append(...[...body.rows].sort(compare));
    });
  });
}
