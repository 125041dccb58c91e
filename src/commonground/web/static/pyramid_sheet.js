// The sheet of one student beside the list: the summary at left, the ideas at right, and controls
// for the teacher's decisions.

import { api } from "./api.js";
import { at, counted, make } from "./dom.js";
import { attempt, onClick } from "./panel.js";
import { addControls } from "./pyramid_marks.js";
import { keepPlaces } from "./pyramid_places.js";
import { Roster } from "./pyramid_roster.js";
import { toCheck } from "./pyramid_table.js";
import { addGiving } from "./pyramid_unearned.js";

export class Sheet {
  #name = null; // the student on show
  #pyramid = null; // the one of the ideas on show; null once the sheet is left
  #words = null; // the words of the sheet on show
  #drawing = 0; // the number of the newest drawing; older ones are dropped

  // `decide(edit)` makes a change about a student, `undo()` drops the last change, `checked()` is
  // called when a student was marked as checked or not.
  constructor(desk, { decide, undo, checked }) {
    Object.assign(this, { desk, decide, checked });
    this.roster = new Roster(desk, (index) => this.open(index));
    onClick("sheet-print", () => print());
    onClick("sheet-before", () => this.#step(-1));
    onClick("sheet-after", () => this.#step(1));
    onClick("sheet-undo", undo);
    onClick("sheet-checked", () => this.#check());
    onClick("sheet-unchecked", () => this.#setChecked(false));
    at("sheet-body").addEventListener("click", (event) => this.#choose(event));
    at("sheet-body").addEventListener("focusin", (event) => this.#choose(event));
    addEventListener("keydown", (event) => this.#key(event));
  }

  get #index() {
    const { students } = this.desk.scores;
    return Math.max(0, students.findIndex(({ name }) => name === this.#name));
  }

  // Show a student; with `focus`, the sheet gets the focus.
  open(index, focus = false) {
    attempt(async () => {
      await this.#saveComment();
      if (!this.desk.scores) return; // they are being computed again
      this.#name = this.desk.scores.students[index].name;
      this.roster.mark(index);
      // Drawing a sheet again would close its open forms; drop a drawing that is on its way.
      if (this.#isDrawn()) this.#drawing += 1;
      else await this.#draw();
      if (focus) at("sheet-body").focus({ preventScroll: true });
    })();
  }

  // Draw the list and the sheet again; the places and a comment that is being written stay.
  async show() {
    if (!this.desk.scores) return;
    this.roster.show(this.#index);
    if (at("class").hidden) this.#pyramid = null;
    else await this.#draw();
  }

  #isDrawn() {
    const { now, scores, words } = this.desk;
    return this.student === scores.students[this.#index] && this.#pyramid === now && this.#words === words;
  }

  async #draw() {
    const drawing = (this.#drawing += 1);
    const { now, scores, words } = this.desk;
    const index = this.#index;
    const student = scores.students[index];
    const single = { signature: scores.signature, students: [student] };
    const { sheets } = await api("POST", "/api/pyramid/sheets", { pyramid: now, scores: single, words });
    if (drawing !== this.#drawing) return;
    const before = this.#place(student.name);
    this.#name = student.name;
    const body = at("sheet-body");
    const isSame = body.dataset.student === student.name && this.#pyramid === now;
    const ideas = isSame ? body.querySelector(".said-ideas") : null;
    this.student = student;
    this.#pyramid = now;
    this.#words = words;
    body.dataset.student = student.name;
    const isExplained = body.querySelector(".meanings")?.open ?? false;
    body.innerHTML = sheets[0]; // made by the server, with all text escaped
    const decide = (edit) => attempt(() => this.decide(edit))();
    addControls(body, student, now.units, decide);
    addGiving(body, student, now.units, decide);
    if (ideas) keepPlaces(ideas, body.querySelector(".said-ideas"));
    body.querySelector(".meanings").open = isExplained;
    arrange(body);
    this.#showTools(index);
    before?.();
  }

  // Return a function that restores focus, scrolling and an unsaved comment of the same student.
  #place(name) {
    const body = at("sheet-body");
    const hadFocus = body.contains(document.activeElement);
    if (body.dataset.student !== name) return () => hadFocus && body.focus({ preventScroll: true });
    const pressed = document.activeElement?.closest(".idea button");
    const idea = document.activeElement?.closest(".idea")?.id;
    const place = pressed && [...pressed.parentElement.children].indexOf(pressed);
    const top = pressed?.getBoundingClientRect().top;
    const lit = body.querySelector(".idea.lit")?.id;
    const scrolled = [...body.children].map((part) => part.scrollTop);
    const draft = this.#unsavedComment();
    return () => {
      if (draft !== null) body.querySelector(".comment-form textarea").value = draft;
      [...body.children].forEach((part, index) => (part.scrollTop = scrolled[index]));
      if (at(lit)) light(at(lit), false);
      if (!hadFocus) return;
      const buttons = idea ? body.querySelectorAll(`#${idea} .decide button`) : [];
      const target = buttons[place ?? 0] ?? buttons[0] ?? body;
      target.focus({ preventScroll: true });
      // What was said about the idea may be longer or shorter now.
      if (pressed) target.closest(".pane").scrollTop += target.getBoundingClientRect().top - top;
    };
  }

  // What was written in the comment but not saved, or null.
  #unsavedComment() {
    const box = at("sheet-body").querySelector(".comment-form textarea");
    return box && box.value !== (this.student.comment?.text ?? "") ? box.value : null;
  }

  // Save a comment before another student is shown.
  async #saveComment() {
    const comment = this.#unsavedComment();
    if (comment === null || !this.desk.scores) return;
    const { name, hash } = this.student;
    await this.decide({ do: "comment", student: name, text: hash, comment });
  }

  #showTools(index) {
    at("sheet-before").disabled = this.roster.after(index, -1) === null;
    at("sheet-after").disabled = this.roster.after(index, 1) === null;
    const checked = this.roster.isChecked(this.student);
    at("sheet-checked").textContent = checked ? "Next to check" : "Checked, next student";
    at("sheet-unchecked").hidden = !checked;
  }

  #step(step) {
    const next = this.roster.after(this.#index, step);
    if (next !== null) this.open(next, !at("roster").contains(document.activeElement));
  }

  // Mark the student as checked, and go to the next who is not.
  #check() {
    if (!this.student || !this.desk.scores) return;
    const open = this.roster.isChecked(this.student) ? 0 : toCheck(this.student.matches);
    const count = `${counted(open, "idea")} ${open === 1 ? "is" : "are"}`;
    if (open && !confirm(`${count} still to check. Mark as checked anyway?`)) return;
    const next = this.roster.unchecked(this.#index);
    const index = this.#index;
    this.#setChecked(true);
    if (next !== null && next !== index) this.open(next, true);
  }

  #setChecked(isChecked) {
    const { name, hash } = this.student;
    if (isChecked) this.desk.checked[name] = hash;
    else delete this.desk.checked[name];
    this.roster.show(this.#index);
    this.#showTools(this.#index);
    this.checked();
  }

  // Light the idea that is clicked or has the focus, and its sentence.
  #choose(event) {
    const link = event.target.closest('a[href^="#idea-"], a[href^="#sentence-"]');
    if (link && event.type === "click") event.preventDefault();
    const number = event.target.closest('a[href^="#idea-"]')?.getAttribute("href").slice(1);
    const idea = number ? at(number) : event.target.closest(".idea");
    if (idea) light(idea, Boolean(number));
  }

  #key(event) {
    if (at("class").hidden || !this.desk.scores || !this.student) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, .choosing")) return;
    const inList = at("roster").contains(event.target);
    const steps = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1 } : {}) };
    if (event.key in steps) {
      event.preventDefault();
      const next = this.roster.after(this.#index, steps[event.key]);
      if (next === null) return;
      this.open(next, !inList);
      if (inList) {
        this.roster.mark(next);
        this.roster.focus();
      }
    } else if (event.key === "n") {
      event.preventDefault();
      this.#check();
    }
  }
}

// The summary and the comment at left, scores and ideas at right.
function arrange(body) {
  const part = (...selectors) =>
    selectors.flatMap((selector) => [...body.querySelectorAll(`:scope > ${selector}`)]);
  const left = part("h1", ".grade", ".said-text", ".comment", ".comment-form");
  const right = part(".about", ".scores", ".meanings", ".said-ideas", ".closing", ".computed");
  const pane = (name, parts, label) =>
    make("div", { class: name, tabIndex: 0, role: "region", "aria-label": label }, ...parts);
  body.replaceChildren(pane("pane", left, "Summary"), pane("pane", right, "Ideas"));
}

// Light an idea and the sentence that says it, and scroll their panes to them, not the page.
function light(idea, toIdea) {
  const body = at("sheet-body");
  for (const one of body.querySelectorAll(".lit")) one.classList.remove("lit");
  idea.classList.add("lit");
  const target = idea.querySelector('a[href^="#sentence-"]')?.getAttribute("href");
  const sentence = target && body.querySelector(target);
  sentence?.classList.add("lit");
  if (sentence) bring(sentence);
  if (toIdea) bring(idea);
}

function bring(element) {
  const pane = element.closest(".pane");
  const [inner, outer] = [element.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top + 20;
  else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 20;
}
