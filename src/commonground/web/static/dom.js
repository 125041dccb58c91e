// Helpers to create and find elements. Text is always inserted as text.

export const at = (id) => document.getElementById(id);

// Create an element with children; values become properties if it has them, else attributes.
// Values that are null, undefined or false are skipped.
export function make(tag, values = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue;
    if (name in found) found[name] = value;
    else found.setAttribute(name, value);
  }
  found.append(...children.filter((child) => child !== null));
  return found;
}

// Create an SVG element.
export function draw(tag, values = {}, ...children) {
  const found = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) found.setAttribute(name, value);
  found.append(...children);
  return found;
}

// A number with its noun: counted(2, "unit") is "2 units".
export function counted(number, noun, plural = `${noun}s`) {
  return `${number} ${number === 1 ? noun : plural}`;
}
