// The class as a whole: a chart of its marks or scores, and tables of students and ideas.

import { barChart } from "./chart.js";
import { at, counted, make } from "./dom.js";
import { binTable, gradeTable, ideaTable, studentTable } from "./pyramid_table.js";

const BINS = ["0 to 19%", "20 to 39%", "40 to 59%", "60 to 79%", "80% and more"];

// How many students have a comprehensive score in each fifth.
function bins(students) {
  const counts = Object.fromEntries(BINS.map((name) => [name, 0]));
  for (const { comprehensive } of students) {
    const share = Math.round(100 * comprehensive) / 100; // as it is shown
    counts[BINS[Math.min(4, Math.floor(share * 5 + 1e-9))]] += 1;
  }
  return counts;
}

// Draw the overview; with `open`, a name opens that student's sheet.
export async function showOverview(desk, open) {
  const { scores, now } = desk;
  const graded = Object.keys(scores.grades ?? {}).length > 0;
  const counts = graded ? scores.grades : bins(scores.students);
  at("tables").replaceChildren(
    studentTable(scores.students, open, Object.keys(scores.grades ?? {})),
    make(
      "p",
      { class: "about" },
      "Quality: does it say what matters? Coverage: does it say enough? Comprehensive: both " +
        "combined. Points: those of the ideas, each times how likely it is that the summary says " +
        "it. To check: the sentence may deny the idea, or lacks one of its numbers or dates.",
    ),
    ideaTable(now.units, scores.students),
  );
  at("spread").replaceChildren(graded ? gradeTable(counts) : binTable(counts));
  await drawChart(counts, graded, scores.students.length);
}

async function drawChart(counts, graded, total) {
  const entries = Object.entries(counts);
  const shown = entries.map(([name, count]) => `${name}: ${count}`).join(", ");
  const what = graded ? "Grades" : "Comprehensive scores";
  at("chart-heading").textContent = `Share of the class by ${graded ? "grade" : "comprehensive score"}`;
  await barChart(at("chart"), {
    label: `${what} of ${counted(total, "student")}. ${shown}.`,
    valueName: "Share of the class",
    percent: true,
    rows: entries.map(([name, count]) => ({ name, value: count / total })),
  });
}
