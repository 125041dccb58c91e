// Bar charts, drawn by Chart.js, which is loaded when the first chart is needed.
//
// A chart is never the only place of its numbers: the page shows them in a table or a text too, and
// `label` says in words what the chart shows.

const redraws = new Set();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const redraw of redraws) redraw();
});

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Draw horizontal bars from 0 to 1 into `box`, an element that is empty or has an older chart.
// `rows` is [{name, value, baseline, low, high}]; all but the first two may be missing.// With `percent`, values are shown in percent.
export async function barChart(box, { label, valueName, baselineName, rows, percent = false }) {
  await import("./vendor/chart.umd.min.js");
  const draw = () => {
    box.chart?.destroy();
    const canvas = Object.assign(document.createElement("canvas"), { role: "img" });
    canvas.setAttribute("aria-label", label);
    box.replaceChildren(canvas);
    box.style.height = `${52 + rows.length * (baselineName ? 40 : 30)}px`;
    box.chart = new globalThis.Chart(canvas, settings({ valueName, baselineName, rows, percent }));
  };
  redraws.delete(box.redraw);
  redraws.add((box.redraw = draw));
  draw();
}

function settings({ valueName, baselineName, rows, percent }) {
  const inPercent = (value) => `${Math.round(100 * value)}%`;
  const shown = percent ? inPercent : (value) => value?.toFixed(3);
  const bars = (name, key, fill) => ({
    label: name,
    data: rows.map((row) => row[key] ?? null),
    backgroundColor: fill,
    borderRadius: 3,
    barPercentage: 0.85,
    categoryPercentage: 0.72,
  });
  const datasets = [bars(valueName, "value", colour("--accent"))];
  if (baselineName) datasets.push(bars(baselineName, "baseline", colour("--line")));
  const ticks = { color: colour("--soft"), font: { family: "Inter, system-ui", size: 12 } };
  return {
    type: "bar",
    data: { labels: rows.map((row) => row.name), datasets },
    options: {
      indexAxis: "y",
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { min: 0, max: 1, ticks: percent ? { ...ticks, callback: inPercent } : ticks, grid: { color: colour("--line") }, border: { display: false } },
        y: { ticks: { ...ticks, color: colour("--ink") }, grid: { display: false } },
      },
      plugins: {
        legend: { display: Boolean(baselineName), align: "start", labels: { ...ticks, boxWidth: 12 } },
        tooltip: { callbacks: { label: (at) => `${at.dataset.label}: ${shown(at.parsed.x)}` } },
      },
    },
    plugins: [{ id: "intervals", afterDatasetsDraw: (chart) => whiskers(chart, rows) }],
  };
}

// A line from `low` to `high` over each bar.
function whiskers(chart, rows) {
  const { ctx, scales } = chart;
  ctx.save();
  ctx.strokeStyle = colour("--ink");
  ctx.lineWidth = 1.5;
  rows.forEach(({ low, high }, index) => {
    if (low === undefined || high === undefined) return;
    const { y } = chart.getDatasetMeta(0).data[index];
    const [from, to] = [low, high].map((value) => scales.x.getPixelForValue(value));
    ctx.beginPath();
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    for (const end of [from, to]) {
      ctx.moveTo(end, y - 4);
      ctx.lineTo(end, y + 4);
    }
    ctx.stroke();
  });
  ctx.restore();
}
