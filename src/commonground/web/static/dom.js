// Helpers to create and find elements. Text is always inserted as text.

export const at = (id) => document.getElementById(id);

// Create an element with children; values become properties if it has them, else attributes.
// Values that are null, undefined or false are skipped.
export function make(tag, values = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue;
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Create an SVG element.
export function draw(tag, values = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const written = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

// A moment, written as the reader's language and time zone do.
export const moment = (date) => make("time", { dateTime: date.toISOString() }, written.format(date));

// Rewrite the moments of the page, which the server writes in UTC.
export function localTimes() {
  for (const time of document.querySelectorAll("time")) time.textContent = written.format(new Date(time.dateTime));
}

// A number with its noun: counted(2, "unit") is "2 units".
export function counted(number, noun, plural = `${noun}s`) {
  return `${number} ${number === 1 ? noun : plural}`;
}
