// Ready grade scales to start from.

import { at } from "./dom.js";

const PERCENT = {
  "A to F, in percent": { A: 80, B: 65, C: 50, D: 35, F: 0 },
  "1 to 6, in percent": { 1: 87, 2: 73, 3: 59, 4: 45, 5: 20, 6: 0 },
  "Passed or not, in percent": { Passed: 50, "Not passed": 0 },
};
const SHARES = { A: 0.8, B: 0.6, C: 0.4, D: 0 }; // of all points

const lines = (steps, sign) =>
  Object.entries(steps)
    .toSorted((first, second) => second[1] - first[1])
    .map(([mark, least]) => `${mark} ${least}${sign}`)
    .join("\n");

// The ready scales by name; `most` is the number of points of all ideas.
export function readyScales(most) {
  const rounded = Object.entries(SHARES).map(([mark, share]) => [mark, Math.round(share * most)]);
  const points = rounded.filter(([, least], index) => least !== rounded[index + 1]?.[1]); // few points
  const scales = Object.entries(PERCENT).map(([name, steps]) => [name, lines(steps, "%")]);
  return { ...Object.fromEntries(scales), "A to D, in points": lines(Object.fromEntries(points), "") };
}

// Fill the menu; choosing a scale writes it into the box, where it can be changed.
export function offerScales(most) {
  const scales = readyScales(most);
  const menu = at("ready-scale");
  const options = Object.entries(scales).map(([name, text]) => new Option(name, text));
  menu.replaceChildren(menu.options[0], ...options);
  menu.onchange = () => {
    if (!menu.value) return;
    at("grade-scale").value = menu.value;
    menu.value = "";
  };
  at("grade-scale").placeholder = scales["A to F, in percent"];
}
