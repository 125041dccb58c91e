// Cards for texts: each has a name, a text, a file button and a remove button.
//
// The page has at least one card; new ones are copies of the first.

import { complain, hush, say } from "./api.js";
import { fileText, onFiles } from "./drop.js";

const letter = (index) => String.fromCharCode(65 + index);

export class TextCards {
  // `list` holds the cards; `changed(count)` is called when their number changes, `reading(name)`
  // when a file is being read and with null afterwards, `several()` before several files are put into
  // the cards. `noun` and `mark(index)` name the cards.
  constructor(list, { fewest, most, changed = () => {}, reading = () => {}, several = () => {}, ...words }) {
    const { noun = "text", mark = letter } = words;
    Object.assign(this, { list, fewest, most, changed, reading, several, noun, mark });
    this.cards.forEach((card) => this.#wire(card));
    this.#renumber();
  }

  get cards() {
    return [...this.list.children];
  }

  // The content of the cards as it was typed: [{name, text}].
  get typed() {
    return this.cards.map((card) => ({ name: nameOf(card).value, text: textOf(card).value }));
  }

  // The same; a text without a name is called "Text A".
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

  // Put files into cards. One file replaces the text of the given card; several never replace a text:
  // they go into that card if it is empty, into other empty ones, then into new ones.
  async take(files, card = null) {
    hush();
    if (files.length > 1) this.several();
    const [loaded, notes, problems, leftOut] = [[], [], [], []];
    for (const file of files) {
      const isForCard = card && files.length === 1;
      if (!isForCard && !this.#hasRoom) {
        leftOut.push(file.name);
        continue;
      }
      this.reading(file.name);
      try {
        const { name, title, text, notices } = await fileText(file);
        const target = isForCard ? card : this.#free(card);
        if (textOf(target).value.trim()) notes.push("It replaced the earlier text.");
        nameOf(target).value = title || name.replace(/\.\w+$/, "");
        textOf(target).value = text;
        textOf(target).dispatchEvent(new Event("input", { bubbles: true })); // as if typed
        loaded.push(name);
        notes.push(...notices.map(({ message }) => message));
      } catch (error) {
        problems.push(error.message);
      }
    }
    this.reading(null);
    const verb = loaded.length === 1 ? "was" : "were";
    if (loaded.length) say([`${loaded.join(", ")} ${verb} loaded.`, ...notes].join(" "));
    if (leftOut.length) problems.push(`Left out: ${leftOut.join(", ")} (limit ${this.most}).`);
    if (problems.length) complain(problems.join(" "));
  }

  get #hasRoom() {
    return this.cards.length < this.most || this.cards.some(isEmpty);
  }

  // A card without a text: the given one, another one or a new one.
  #free(card) {
    const isFree = card?.isConnected && isEmpty(card);
    return isFree ? card : (this.cards.find(isEmpty) ?? this.add());
  }

  #wire(card) {
    const input = card.querySelector('input[type="file"]');
    input.multiple = this.most > 1;
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
const isEmpty = (card) => !textOf(card).value.trim();
const nameOf = (card) => card.querySelector(".name");
