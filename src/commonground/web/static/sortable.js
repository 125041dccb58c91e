// Tables that sort by a click on a heading. Cells sort by `data-value` or by their text.

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const valueOf = (cell) => cell.dataset.value ?? cell.textContent;

// Put a button into each heading of a table's head; the first click on numbers sorts them down.
export function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("n") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      for (const one of heads) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => sign * compare(a.cells[index], b.cells[index]));
      table.tBodies[0].append(...rows);
    });
  });
}

function compare(a, b) {
  const [left, right] = [a, b].map(valueOf);
  const numbers = [left, right].map(Number);
  return numbers.some(Number.isNaN) ? collator.compare(left, right) : numbers[0] - numbers[1];
}
