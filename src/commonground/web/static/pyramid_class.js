// A class: summaries, their scores in tables, and a feedback sheet for each student.

import { api, complain, say } from "./api.js";
import { at, counted, make } from "./dom.js";
import { fileText, onFiles, save } from "./drop.js";
import { attempt, onClick, Work } from "./panel.js";
import { addControls } from "./pyramid_marks.js";
import { gradeTable, ideaTable, studentTable } from "./pyramid_table.js";
import { Unsaved } from "./unsaved.js";

const studentOf = (file) => file.replace(/\.\w+$/, "");

export class ClassScores {
  #work = null;
  #changed = false;
  #scoring = null;
  #handedIn = new Unsaved();
  #pasted = new Unsaved(); // the content of the form
  #leftOut = new Map(); // by student, why a file could not be read

  // `desk` holds the students and their scores, `desk.now` the pyramid. `decide(edit)` makes a
  // change about a student, `undo()` drops the last change.
  constructor(desk, isOwner, isExample, { decide, undo }) {
    Object.assign(this, { desk, isOwner, isExample });
    const settled = () => this.#scoring;
    this.sheet = new Sheet(desk, { decide, undo, settled });
    if (isOwner) this.#wire();
  }

  // Wait until a scoring that is under way has ended; its errors are shown where it was started.
  async settled() {
    await this.#scoring?.catch(() => {});
  }

  // Draw everything.
  show() {
    const { students, scores, now } = this.desk;
    at("class").hidden = !this.isOwner && !scores;
    at("scores").hidden = !scores;
    if (this.isOwner) {
      this.#showForms();
      at("with-class").hidden = !students.length;
      at("again").hidden = !students.length || scores !== null || this.#scoring !== null;
      this.#showHandedIn();
      at("notes").hidden = !scores?.notes?.length;
      at("notes").textContent = scores?.notes?.join(" ") ?? "";
    }
    if (!scores) return;
    const open = this.isOwner ? (index) => this.sheet.open(index) : null;
    at("tables").replaceChildren(
      studentTable(scores.students, open, Object.keys(scores.grades ?? {})),
      make(
        "p",
        { class: "about" },
        "Quality: does it say what matters? Coverage: does it say enough? Comprehensive: both " +
          "combined. Points: the weights of the ideas that are said, and a share of the weights " +
          "of those said in part. To check: the sentence may deny the idea.",
      ),
      ...(Object.keys(scores.grades ?? {}).length ? [gradeTable(scores.grades)] : []),
      ideaTable(now.units, scores.students),
    );
    at("scores-signature").textContent = scores.signature;
  }

  // Score with the current pyramid; old scores are pale until then. Changes meanwhile are scored
  // next: cancelling costs the server a process, which takes longer to restart than most classes
  // take to score.
  async score() {
    this.desk.scores = null;
    this.#changed = true;
    this.#scoring ??= this.#scored().finally(() => {
      this.#scoring = null;
      this.show();
    });
    await this.#scoring;
  }

  async #scored() {
    at("again").hidden = true;
    const { desk } = this;
    while (this.#changed && desk.students.length) {
      this.#changed = false;
      const { students, now } = desk;
      const judged = await this.#work.run("/api/pyramid/scores", { pyramid: now, students });
      if (this.#changed) continue;
      const scores = await this.#marked(judged, desk.grades);
      if (this.#changed) continue;
      Object.assign(desk, { judged, scores });
      say(`Scored: ${counted(students.length, "summary", "summaries")}.`);
    }
  }

  // Compute the scores again from the program's, with the decisions of people and the grades.
  async remark(grades = this.desk.grades) {
    const { judged } = this.desk;
    if (!judged || this.#scoring) return;
    this.desk.scores = await this.#marked(judged, grades);
    this.desk.grades = grades;
    this.show();
  }

  #marked(scores, grades) {
    const { pyramid, edits } = this.desk;
    return api("POST", "/api/pyramid/marks", { pyramid, edits, scores, grades });
  }

  stop() {
    this.#work?.stop();
  }

  // The class or its scores were saved or exported.
  saved() {
    this.#handedIn.forget();
  }

  // Remove the example's students.
  forgetExample() {
    if (this.isExample) Object.assign(this.desk, { students: [], scores: null, judged: null });
    this.isExample = false;
  }

  async #take(files) {
    const most = Number(at("result").dataset.mostStudents);
    const read = await this.#work.steps(files, "Reading", fileText);
    const texts = read.filter(({ value }) => value).map(({ value }) => value);
    const wrong = read.filter(({ error }) => error).map(({ error }) => error.message);
    if (wrong.length) complain(wrong.join(" "));
    read.forEach(({ error }, index) => this.#leaveOut(files[index].name, error));
    if (!texts.length) return;
    const named = texts.map(({ name, text }) => ({ name: studentOf(name), text }));
    const newNames = new Set(named.map(({ name }) => name));
    const before = this.isExample ? [] : this.desk.students;
    const replaced = before.filter(({ name }) => newNames.has(name)).map(({ name }) => name);
    if (before.length - replaced.length + named.length > most) {
      throw new Error(`Too many summaries (limit ${most}).`);
    }
    this.forgetExample();
    this.#put(named);
    await this.score();
    if (replaced.length) {
      const scored = `Scored: ${counted(this.desk.students.length, "summary", "summaries")}.`;
      say(`${scored} Replaced: ${replaced.join(", ")}.`);
    }
  }

  // A file replaces an earlier one of the same name; two that came together are two students.
  #put(named) {
    const { students } = this.desk;
    const earlier = new Map(students.map(({ name }, index) => [name, index]));
    for (const { name, text } of named) {
      if (earlier.has(name)) students[earlier.get(name)] = { name, text };
      else this.#add(name, text);
      earlier.delete(name);
    }
    this.#handedIn.changed();
  }

  #add(name, text) {
    this.#handedIn.changed();
    const taken = new Set(this.desk.students.map((student) => student.name));
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
    this.desk.students.push({ name: free, text });
  }

  #showForms() {
    if (!at("grade-form").contains(document.activeElement)) at("grade-scale").value = this.desk.grades;
    if (at("words-form").contains(document.activeElement)) return;
    for (const field of at("words-form").querySelectorAll("input")) {
      field.value = this.desk.words[field.name] ?? field.defaultValue;
    }
  }

  #showHandedIn() {
    const box = at("handed-in");
    const { students } = this.desk;
    box.hidden = !students.length;
    box.querySelector("summary").textContent = `Submissions: ${students.length}`;
    const lines = students.map((student, index) => {
      const remove = attempt(() => this.#remove(index));
      const label = `Remove ${student.name}`;
      const values = { type: "button", class: "quiet", "aria-label": label, onclick: remove };
      return make("li", {}, student.name, " ", make("button", values, "×"));
    });
    box.querySelector("ul").replaceChildren(...lines);
  }

  // Note that a student's file could not be read; without an error, that it now has a text.
  #leaveOut(file, error) {
    const why = error?.message ?? "";
    if (error) this.#leftOut.set(studentOf(file), why.startsWith(file) ? why : `${file}: ${why}`);
    else this.#leftOut.delete(studentOf(file));
    this.#showLeftOut();
  }

  #showLeftOut() {
    const problems = [...this.#leftOut.values()].join(" ");
    at("left-out").hidden = !problems;
    at("left-out").textContent = `Not scored: ${problems} To score an empty summary as 0, paste it.`;
  }

  async #remove(index) {
    this.desk.students.splice(index, 1);
    if (this.#scoring) return this.score();
    // Nobody's score depends on the others.
    this.desk.judged?.students.splice(index, 1);
    if (this.desk.students.length) await this.remark();
    else Object.assign(this.desk, { scores: null, judged: null });
    this.show();
    at("handed-in").querySelector("summary").focus();
  }

  #wire() {
    this.#work = new Work(at("scoring"), at("scores"));
    const take = (files) => attempt(() => this.#take(files))();
    onFiles(at("class"), take);
    at("files").addEventListener("change", () => {
      take([...at("files").files]);
      at("files").value = "";
    });
    at("paste").addEventListener("submit", (event) => {
      event.preventDefault();
      this.forgetExample();
      const name = at("paste-name").value.trim() || "Student";
      this.#add(name, at("paste-text").value);
      this.#leaveOut(name, null);
      event.target.reset();
      this.#pasted.forget();
      attempt(() => this.score())();
    });
    at("paste").addEventListener("input", () => this.#pasted.changed());
    onClick("rescore", () => this.score());
    onClick("empty", () => {
      this.stop();
      Object.assign(this.desk, { students: [], scores: null, judged: null });
      this.#handedIn.forget();
      this.#leftOut.clear();
      this.#showLeftOut();
      this.show();
    });
    const graded = () => ({ pyramid: this.desk.now, scores: this.desk.scores, words: this.desk.words });
    at("grade-form").addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        await this.remark(at("grade-scale").value);
        say(at("grade-scale").value.trim() ? "Graded." : "Grades removed.");
      })();
    });
    at("words-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = [...event.target.querySelectorAll("input")];
      const own = fields.filter((field) => field.value !== field.defaultValue);
      this.desk.words = Object.fromEntries(own.map((field) => [field.name, field.value]));
      say("The sheets use these words.");
    });
    onClick("save-csv", async () => {
      save("class.csv", await api("POST", "/api/pyramid/scores.csv", graded()), "text/csv");
      this.saved();
    });
    onClick("save-sheets", async () => {
      const sheets = await api("POST", "/api/pyramid/sheets.zip", graded());
      save("feedback.zip", sheets, "application/zip");
      this.saved();
    });
  }
}

// The feedback sheet of one student, in a dialog, with controls for the teacher's decisions.
class Sheet {
  #index = 0;

  constructor(desk, { decide, undo, settled }) {
    Object.assign(this, { desk, decide, settled });
    const dialog = at("sheet");
    onClick("sheet-close", () => dialog.close());
    onClick("sheet-print", () => print());
    onClick("sheet-before", () => this.open(this.#index - 1));
    onClick("sheet-after", () => this.open(this.#index + 1));
    onClick("sheet-undo", async () => {
      await undo();
      await this.#again(null);
    });
  }

  open(index) {
    attempt(async () => {
      await this.#draw(index);
      if (!at("sheet").open) at("sheet").showModal();
      at("sheet-body").focus({ preventScroll: true });
      at("sheet").scrollTop = 0;
    })();
  }

  async #draw(index) {
    const { now, scores, words } = this.desk;
    const student = scores.students[index];
    const single = { signature: scores.signature, students: [student] };
    const { sheets } = await api("POST", "/api/pyramid/sheets", { pyramid: now, scores: single, words });
    this.#index = index;
    at("sheet-body").innerHTML = sheets[0]; // made by the server, with all text escaped
    at("sheet-before").disabled = index === 0;
    at("sheet-after").disabled = index === scores.students.length - 1;
    const decide = (edit) =>
      attempt(async () => {
        const idea = document.activeElement.closest(".idea")?.id ?? null;
        await this.decide(edit);
        await this.#again(idea);
      })();
    addControls(at("sheet-body"), student, now.units, decide);
  }

  // Draw the same sheet again, at the same place.
  async #again(idea) {
    await this.settled();
    if (!this.desk.scores) return;
    const { scrollTop } = at("sheet");
    await this.#draw(this.#index);
    at("sheet").scrollTop = scrollTop;
    const place = idea && at("sheet-body").querySelector(`#${idea} button`);
    (place ?? at("sheet-body")).focus({ preventScroll: true });
  }
}
