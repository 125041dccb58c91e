// A class: the students' summaries and their scores.

import { api, complain, say } from "./api.js";
import { at, counted, make } from "./dom.js";
import { fileStudents, fileText, isTable, onFiles, save } from "./drop.js";
import { showNotices } from "./notices.js";
import { attempt, onClick, Work } from "./panel.js";
import { showOverview } from "./pyramid_overview.js";
import { offerScales } from "./pyramid_scales.js";
import { Sheet } from "./pyramid_sheet.js";
import { Unsaved } from "./unsaved.js";

const studentOf = (file) => file.replace(/\.\w+$/, "");

const sentence = (words) => (/[^.!?]$/.test(words) ? `${words}.` : words);

// The students in a file: one, or those of a table; `problem` says whose summary is missing.
async function submissions(file, options) {
  if (!isTable(file)) {
    const { name, text } = await fileText(file, options);
    return { students: [{ name: studentOf(name), text }] };
  }
  const { name, students, blank } = await fileStudents(file, options);
  const problem = blank.length ? { message: `${name} has no summary of ${blank.join(", ")}.` } : null;
  return { students, problem };
}

export class ClassScores {
  #work = null;
  #changed = false;
  #scoring = null;
  #submitted = new Unsaved();
  #pasted = new Unsaved(); // the content of the form
  #leftOut = new Map(); // by student or table, why it could not be read: {words, file, isError}

  // `desk` holds the students and their scores, `desk.now` the pyramid. `decide(edit)` makes a
  // change about a student, `undo()` drops the last change, `tabs` are those of the page, and
  // `changed()` is called after every change of the class.
  constructor(desk, isOwner, isExample, { decide, undo, tabs, changed }) {
    Object.assign(this, { desk, isOwner, isExample, tabs, changed });
    const checked = () => {
      if (!this.isExample) this.#submitted.changed();
      changed();
    };
    if (!isOwner) return;
    this.sheet = new Sheet(desk, { decide, undo, checked });
    this.#wire();
  }

  // Wait until a scoring that is under way has ended; its errors are shown where it was started.
  async settled() {
    await this.#scoring?.catch(() => {});
  }

  // Draw everything.
  show() {
    const { students, scores } = this.desk;
    at("scores").hidden = !scores;
    at("count-students").textContent = students.length;
    if (this.isOwner) {
      this.#showForms();
      at("with-class").hidden = !students.length;
      at("again").hidden = !students.length || scores !== null || this.#scoring !== null;
      if (!students.length) at("adding").open = true;
      at("no-scores").hidden = scores !== null;
      at("grading").hidden = !scores;
      this.#showSubmissions();
      showNotices(at("class-notices"), scores ? (this.desk.judged?.notices ?? []) : []);
      at("notes").hidden = !scores?.notes?.length;
      at("notes").textContent = scores?.notes?.join(" ") ?? "";
    } else {
      at("tab-overview").hidden = !scores;
    }
    if (scores) at("scores-signature").textContent = scores.signature;
    this.showPanel();
    this.changed();
  }

  // Draw what the open tab shows.
  showPanel() {
    if (!this.desk.scores) return;
    this.sheet?.show().catch(complain);
    if (at("overview").hidden) return;
    const open = (index) => {
      this.tabs.open("class");
      this.sheet.open(index, true);
    };
    showOverview(this.desk, this.isOwner ? open : null).catch(complain);
  }

  // Score with the current pyramid; old scores are pale until then. Changes meanwhile are scored
  // next: cancelling costs the server a process, which takes longer to restart than most classes
  // take to score.
  async score() {
    this.desk.scores = null;
    this.#changed = true;
    at("grading").inert = true;
    this.#scoring ??= this.#scored().finally(() => {
      this.#scoring = null;
      at("grading").inert = false;
      this.show();
    });
    await this.#scoring;
  }

  // Score new summaries, and show the list of students.
  async #scoreNew() {
    this.tabs.open("class");
    at("adding").open = false;
    await this.score();
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
    this.#submitted.forget();
  }

  // Remove the example's students.
  forgetExample() {
    if (this.isExample) Object.assign(this.desk, { students: [], scores: null, judged: null, checked: {} });
    this.isExample = false;
  }

  async #take(files) {
    const most = Number(at("result").dataset.mostStudents);
    const read = await this.#work.steps(files, "Reading", submissions);
    const wrong = read.filter(({ error }) => error).map(({ error }) => error.message);
    if (wrong.length) complain(wrong.map(sentence).join(" "));
    if (read.some(({ value }) => value)) this.#forgetTables(files.some((file, index) => isTable(file) && read[index].value));
    read.forEach(({ error, value }, index) => this.#leaveOut(files[index], error ?? value.problem));
    const named = read.flatMap(({ value }) => value?.students ?? []);
    if (!named.length) return;
    const newNames = new Set(named.map(({ name }) => name));
    const before = this.isExample ? [] : this.desk.students;
    const replaced = before.filter(({ name }) => newNames.has(name)).map(({ name }) => name);
    if (before.length - replaced.length + named.length > most) {
      throw new Error(`Too many summaries (limit ${most}).`);
    }
    this.forgetExample();
    this.#put(named);
    await this.#scoreNew();
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
    this.#submitted.changed();
  }

  #add(name, text) {
    this.#submitted.changed();
    const taken = new Set(this.desk.students.map((student) => student.name));
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
    this.desk.students.push({ name: free, text });
  }

  #showForms() {
    if (!at("grade-form").contains(document.activeElement)) at("grade-scale").value = this.desk.grades;
    const most = this.desk.now.units.reduce((sum, { weight }) => sum + weight, 0);
    offerScales(most);
    at("most-points").textContent =
      `All ideas together: ${counted(most, "point")}. Percent is of “Both together”, the comprehensive ` +
      "score. For another one, write its name first: mark quality, or mark coverage.";
    if (at("words-form").contains(document.activeElement)) return;
    for (const field of at("words-form").querySelectorAll("input")) {
      field.value = this.desk.words[field.name] ?? field.defaultValue;
    }
  }

  #showSubmissions() {
    const box = at("submissions");
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
    const { name } = file;
    const why = sentence(error?.message ?? "");
    const words = why.startsWith(name) ? why : `${name}: ${why}`;
    if (error) this.#leftOut.set(studentOf(name), { words, file, isError: error instanceof Error });
    else this.#leftOut.delete(studentOf(name));
    this.#showLeftOut();
  }

  // Once another file could be read, forget tables that could not; after a table (`all`), also the
  // missing summaries of earlier ones.
  #forgetTables(all) {
    for (const [key, { file, isError }] of this.#leftOut) {
      if (isTable(file) && (isError || all)) this.#leftOut.delete(key);
    }
  }

  #showLeftOut() {
    const problems = [...this.#leftOut.values()].map(({ words }) => words);
    const isEmpty = problems.some((words) => / has no (text\.$|summary of )/.test(words));
    const hint = isEmpty ? " To score an empty summary as 0, paste it." : "";
    at("left-out").hidden = !problems.length;
    at("left-out").textContent = `Not scored: ${problems.join(" ")}${hint}`;
  }

  async #remove(index) {
    const [{ name }] = this.desk.students.splice(index, 1);
    delete this.desk.checked[name];
    if (this.#scoring) return this.score();
    // Nobody's score depends on the others.
    this.desk.judged?.students.splice(index, 1);
    if (this.desk.students.length) await this.remark();
    else Object.assign(this.desk, { scores: null, judged: null });
    this.show();
    at("submissions").querySelector("summary").focus();
  }

  // Ask before scores are saved of students who are not checked.
  #isAgreed() {
    const { students } = this.desk.scores;
    const open = students.filter((student) => !this.sheet.roster.isChecked(student)).length;
    const count = `${open} of ${counted(students.length, "student")} ${open === 1 ? "is" : "are"}`;
    return !open || confirm(`${count} not checked yet. Save anyway?`);
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
      this.#leaveOut(new File([], name), null);
      event.target.reset();
      this.#pasted.forget();
      attempt(() => this.#scoreNew())();
    });
    at("paste").addEventListener("input", () => this.#pasted.changed());
    onClick("rescore", () => this.score());
    onClick("empty", () => {
      this.stop();
      Object.assign(this.desk, { students: [], scores: null, judged: null, checked: {} });
      this.#submitted.forget();
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
      this.changed();
      say("The sheets use these words.");
    });
    onClick("save-csv", async () => {
      if (!this.#isAgreed()) return;
      save("class.csv", await api("POST", "/api/pyramid/scores.csv", graded()), "text/csv");
      this.saved();
    });
    onClick("save-sheets", async () => {
      if (!this.#isAgreed()) return;
      const sheets = await api("POST", "/api/pyramid/sheets.zip", graded());
      save("feedback.zip", sheets, "application/zip");
      this.saved();
    });
  }
}
