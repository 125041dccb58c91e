// Small tools to make and find elements. Text always goes in as text.

export const at = (id) => document.getElementById(id);

// An element with children; values are its properties or, where it has no such, attributes.
// Those that are null, undefined or false are left out.
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

// An element of a drawing.
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
