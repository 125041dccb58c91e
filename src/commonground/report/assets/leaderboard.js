// Show only the rows with the typed words, or of one data set.
const words = document.getElementById("filter"), data = document.getElementById("data");
function filter() {
  const typed = words.value.trim().toLowerCase();
  for (const row of document.querySelectorAll("tbody tr")) {
    const matches = row.textContent.toLowerCase().includes(typed);
    row.hidden = !(matches && (data.value === "" || row.dataset.data === data.value));
  }
}
words.addEventListener("input", filter);
data.addEventListener("change", filter);
filter();
