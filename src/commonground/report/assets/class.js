for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.ariaSort;
      const up = now === null ? column === 0 : now === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.value;
      const order = (a, b) => column === 0
        ? key(a).localeCompare(key(b), undefined, { numeric: true }) : key(a) - key(b);
      body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
    });
  });
}
