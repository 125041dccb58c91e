// Cards for texts: each has a name, a text, a file button and a remove button.
//
// The page has at least one card; new ones are copies of the first.

import { complain, hush, say } from "./api.js";
import { fileText, onFiles } from "./drop.js";

const letter = (index) => String.fromCharCode(65 + index);

export class Narratives {
  // `list` holds the cards; `changed(count)` is called when their number changes, `reading(name)`
  // when a file is being read and with null afterwards. `noun` and `mark(index)` name the cards.
  constructor(list, { fewest, most, changed = () => {}, reading = () => {}, ...words }) {
    const { noun = "text", mark = letter } = words;
    Object.assign(this, { list, fewest, most, changed, reading, noun, mark });
    this.cards.forEach((card) => this.#wire(card));
    this.#renumber();
  }

  get cards() {
    return [...this.list.children];
  }

  // The content of the cards: [{name, text}].
  get written() {
    return this.cards.map((card) => ({
      name: nameOf(card).value.trim() || nameOf(card).placeholder,
      text: textOf(card).value,
    }));
  }

  // The same; throws if a text is empty.
  values() {
    const texts = this.written;
    const empty = texts.findIndex((entry) => !entry.text.trim());
    if (empty < 0) return texts;
    textOf(this.cards[empty]).focus();
    throw new Error(`${texts[empty].name} is empty.`);
  }

  add() {
    const card = this.cards[0].cloneNode(true);
    nameOf(card).value = textOf(card).value = "";
    this.#wire(card);
    this.list.append(card);
    this.#renumber();
    return card;
  }

  clear() {
    this.cards.slice(this.fewest).forEach((card) => card.remove());
    for (const card of this.cards) nameOf(card).value = textOf(card).value = "";
    this.#renumber();
  }

  // Replace the content of the cards: [{name, text}].
  fill(texts) {
    this.clear();
    while (this.cards.length < Math.min(texts.length, this.most)) this.add();
    this.cards.forEach((card, index) => {
      nameOf(card).value = texts[index]?.name ?? "";
      textOf(card).value = texts[index]?.text ?? "";
    });
    this.changed(this.cards.length);
  }

  focus(card = this.cards[0]) {
    textOf(card).focus();
  }

  // Put files into the given card, then into empty ones, then into new ones.
  async take(files, card = null) {
    hush();
    for (const file of files) {
      this.reading(file.name);
      try {
        const { name, title, text, notices } = await fileText(file);
        const target = card ?? this.#free();
        if (!target) throw new Error(`${name} was skipped: the limit is ${this.most}.`);
        nameOf(target).value = title || name.replace(/\.\w+$/, "");
        textOf(target).value = text;
        textOf(target).dispatchEvent(new Event("input", { bubbles: true })); // as if typed
        say([`${name} was loaded.`, ...notices.map(({ message }) => `${message}.`)].join(" "));
      } catch (error) {
        complain(error);
      }
      card = null;
    }
    this.reading(null);
  }

  #free() {
    const empty = this.cards.find((card) => !textOf(card).value.trim());
    return empty ?? (this.cards.length < this.most ? this.add() : null);
  }

  #wire(card) {
    const input = card.querySelector('input[type="file"]');
    input.addEventListener("change", () => {
      this.take([...input.files], card);
      input.value = "";
    });
    onFiles(card, (files) => this.take(files, card));
    card.querySelector(".remove").addEventListener("click", () => {
      const index = this.cards.indexOf(card);
      card.remove();
      this.#renumber();
      nameOf(this.cards[Math.min(index, this.cards.length - 1)]).focus();
    });
  }

  #renumber() {
    this.cards.forEach((card, index) => {
      const which = `${this.noun} ${this.mark(index)}`.trim();
      const remove = card.querySelector(".remove");
      const title = which[0].toUpperCase() + which.slice(1);
      nameOf(card).placeholder = title;
      nameOf(card).setAttribute("aria-label", `Name of ${which}`);
      textOf(card).setAttribute("aria-label", this.noun === "text" ? title : `Text of ${which}`);
      card.querySelector('input[type="file"]').setAttribute("aria-label", `File for ${which}`);
      remove.setAttribute("aria-label", `Remove ${which}`);
      remove.disabled = this.cards.length <= this.fewest;
    });
    this.changed(this.cards.length);
  }
}

const textOf = (card) => card.querySelector("textarea");
const nameOf = (card) => card.querySelector(".name");
