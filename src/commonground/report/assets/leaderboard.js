const body = document.querySelector("tbody"), heads = [...document.querySelectorAll("th")];
function sort(head) {
  const column = heads.indexOf(head), numeric = head.classList.contains("n");
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : numeric;
  heads.forEach(one => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = row => row.cells[column].dataset.value;
  const compare = (a, b) => {
    const x = value(a), y = value(b);
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = numeric ? x - y : x.localeCompare(y, undefined, {numeric: true});
    return down ? -order : order;
  };
  [...body.rows].sort(compare).forEach(row => body.append(row));
}
heads.forEach(head => head.querySelector("button").addEventListener("click", () => sort(head)));
const words = document.getElementById("filter"), data = document.getElementById("data");
function filter() {
  const wanted = words.value.trim().toLowerCase();
  for (const row of body.rows) {
    const here = row.textContent.toLowerCase().includes(wanted);
    row.hidden = !(here && (data.value === "" || row.dataset.data === data.value));
  }
}
words.addEventListener("input", filter);
data.addEventListener("change", filter);
filter();
