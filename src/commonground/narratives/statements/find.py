"""Statements: the longest cuts of sentences that enough narratives state, each read again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.course import CHOICE, JUDGED, Course
from commonground.narratives.knowledge import Knowledge
from commonground.narratives.narrator import speaks_as_group, speaks_of_self
from commonground.narratives.reading import Readings
from commonground.narratives.statements.alone import lead, named, pointers, points_away, told_among
from commonground.narratives.statements.belief import belief, bound, features
from commonground.narratives.statements.cutting import Cut, cuts, enough, form, splits_quotation
from commonground.narratives.statements.quotes import has_speaker, open_quotes
from commonground.narratives.statements.showing import shown
from commonground.narratives.statements.tree import Floats, Tree, by_token
from commonground.narratives.statements.wording import worded
from commonground.narratives.texts import STOP_WORDS
from commonground.reader import PreparedText, Reader, Reading
from commonground.text import parse, stem

STRICTNESS = 0.5
"""A statement is told from this probability on that every narrative states it in full."""

_WORTH_CUTTING = 0.2  # the probability that a part is shared
_CONTRADICTED = 0.3  # no narrative may contradict a statement so likely
_WELL_FORMED = 0.4
_FEWEST = 4  # tokens of a cut ...
_FEWEST_TELLING = 3  # ... of which so many words tell something, unless it names its subject
_POINTING = 0.8  # what a word that points elsewhere leaves of a wording's worth
_BRIDGED = 0.05  # what is known and leads to the other's own words may be so much less likely
_SAME_NARRATOR = 0.93
_SAME = 0.72  # the cosine from which two statements say the same ...
_SAME_PLACE = 0.45  # ... and where each is the other's evidence
_SAID = 0.5  # the probability that what is told states it, or a part where evidence is the same
_HELD = 0.85  # of the stems of a statement are in another one that says it as well
_SAME_WORDS = 0.3  # of two cuts of one sentence


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A wording that could be a statement.

    Attributes:
        text: Its words.
        narrative: Where it comes from.
        row: Its sentence, among the closely read ones there.
        kept: The words of that sentence that carry its content.
        form: The probability that it is a good sentence.
        pointers: How many of its words point to what is said elsewhere.
    """

    text: str
    narrative: int
    row: int
    kept: tuple[int, ...]
    form: float
    pointers: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """An option that was read again.

    Attributes:
        option: The wording.
        probabilities: That each narrative states it in full; 1 for its own.
        contradicted: That each narrative contradicts it.
        shown: For each narrative the place of the sentence that shows it, among all.
        through: The background statement that bridged the wordings, by narrative.
        features: What the probabilities rest on, by narrative.
        vector: Of the text.
    """

    option: Option
    probabilities: Floats
    contradicted: Floats
    shown: tuple[int | None, ...]
    through: dict[int, str]
    features: dict[int, Floats]
    vector: np.ndarray

    @property
    def text(self) -> str:
        """Its words."""
        return self.option.text


class Finder:
    """Finds the statements of one event.

    Args:
        readings: The narratives.
        reader: Reads sentences and cuts against them.
        at_least: How many narratives must state a statement.
        disputed: What narratives contradict each other on.
        knowledge: What may bridge wordings.
        course: What is told how far it is.

    Attributes:
        read: For each narrative, by other narrative, the readings of its closely read sentences.
    """

    def __init__(
        self,
        readings: Readings,
        reader: Reader,
        at_least: int,
        disputed: Disputed,
        knowledge: Knowledge | None = None,
        course: Course | None = None,
    ) -> None:
        self._course = course or Course()
        self._readings = readings
        self._reader = reader
        self._knowledge = knowledge
        self._wanted = at_least - 1  # others that must agree
        self._disputed = disputed
        texts = [[one.text for one in some.sentences] for some in readings.narratives]
        known = reader.encoder is readings.encoder
        self._vectors = [
            some.vectors if known and own else reader.encoder.encode(own)
            for some, own in zip(readings.narratives, texts, strict=True)
        ]
        self._texts: list[PreparedText] = list(map(reader.prepare, texts, self._vectors))
        whole = list(map(" ".join, texts))
        self._said = [_stems(text) for text in whole]
        self._flat = [_flat(text) for text in whole]
        self.read = [self._read_all(place) for place in range(len(readings))]

    def _read_all(self, place: int) -> dict[int, list[Reading]]:
        narrated = self._readings.narratives[place]
        others = len(self._readings) - 1
        words = f"Comparing narrative {place + 1} of {len(self._readings)}"
        self._course.step(words, JUDGED * others * len(narrated.close))
        sentences = [narrated.sentences[number].text for number in narrated.close]
        vectors = self._vectors[place][narrated.close]
        return {
            other: self._reader.read(sentences, self._texts[other], vectors)
            for other in self._readings.others(place)
        }

    def statements(self, strictness: float) -> list[Told]:
        """All that is shared, each fact once, the best first."""
        others = len(self._readings) - 1
        self._course.step("Choosing what they share", CHOICE * others * self._course.close)
        found = [
            one
            for place in range(len(self._readings))
            for one in self.told(place, strictness)
            if self._sure(one) >= strictness and one.contradicted.max() < _CONTRADICTED
        ]
        chosen: list[Told] = []
        for one in sorted(found, key=lambda one: (-round(self._worth(one), 6), one.text)):
            if not any(self._same(one, other) for other in chosen) and not self._said_by(
                one, chosen
            ):
                chosen.append(one)
        return [self._with_evidence(one) for one in chosen]

    def _with_evidence(self, one: Told) -> Told:
        """With the sentences that show it best; what is known may bridge to others."""
        seen = list(one.shown)
        for other in self._readings.others(one.option.narrative):
            if other not in one.through and one.shown[other] is not None:
                texts = self._texts[other].sentences
                seen[other] = shown(self._reader, one.text, one.vector, texts, self._vectors[other])
        return replace(one, shown=tuple(seen))

    def told(self, place: int, strictness: float = 0.0) -> list[Told]:
        """The options of one narrative that may reach the strictness, read again."""
        options = [one for one in self._options(place) if self._hopeful(one, strictness)]
        vectors = self._reader.encoder.encode([one.text for one in options])
        again = {
            other: self._read_again(options, vectors, other)
            for other in self._readings.others(place)
        }
        return [
            self._told(one, {other: some[number] for other, some in again.items()}, vectors[number])
            for number, one in enumerate(options)
        ]

    def _options(self, place: int) -> Iterator[Option]:
        narrated = self._readings.narratives[place]
        sentences = [narrated.sentences[number].text for number in narrated.close]
        trees = [Tree.of(doc, text) for doc, text in zip(parse(sentences), sentences, strict=True)]
        tells = told_among(trees)
        quoted = open_quotes([one.text for one in narrated.sentences])
        for row, tree in enumerate(trees):
            readings = [some[row] for some in self.read[place].values()]
            shared = enough([np.array([one.shared]) for one in readings], self._wanted)[0]
            known = bool(self._rewordings(sentences[row]))
            apart = quoted[narrated.close[row]] or not has_speaker(tree)
            if (shared >= _WORTH_CUTTING or known) and tells[row] and not apart:
                yield from self._wordings(place, trees, row, readings)

    def _wordings(
        self, place: int, trees: Sequence[Tree], row: int, readings: Sequence[Reading]
    ) -> list[Option]:
        """The wordings of a sentence, whole and cut."""
        tree = trees[row]
        support = enough([_within(one) for one in readings], self._wanted)
        first = lead(tree)
        whole = Cut(tree.root, tuple(n >= first for n in range(len(tree))), ())
        found: dict[str, Option] = {}
        for cut in (whole, *cuts(tree, by_token(tree, support))):
            kept = [stays and n >= first for n, stays in enumerate(cut.kept)]
            good = 1.0 if cut is whole else form(tree, cut)
            names = named(tree, kept, trees[:row])
            short = cut is not whole and sum(kept) < _FEWEST
            apart = points_away(tree, kept) or splits_quotation(tree, kept)
            if good < _WELL_FORMED or names is None or short or apart:
                continue
            text = worded(_with_names(tree, names), kept)
            if _flat(text) and self._may_stand(text):
                words = {tree.words[n] for n, stays in enumerate(kept) if stays}
                content = [n for n in sorted(words) if n < len(support)]
                telling = [n for n in content if _is_content(readings[0].words[n].text)]
                carried = tuple(telling or content)
                if cut is not whole and len(carried) < _FEWEST_TELLING and not _named(tree, kept):
                    continue
                one = Option(text, place, row, carried, good, pointers(tree, kept))
                found.setdefault(text, one)
        return list(found.values())

    def _may_stand(self, text: str) -> bool:
        return not speaks_as_group(text) or self._readings.all_say_we

    def _hopeful(self, one: Option, strictness: float) -> bool:
        """Whether enough narratives may turn out to state it; reading again costs most."""
        if self._rewordings(one.text):
            return True
        words = len(one.text.split())
        most = [
            bound(some[one.row], one.kept, one.form, words)
            for some in self.read[one.narrative].values()
        ]
        return sorted(most)[-self._wanted] >= strictness or self._verbatim(one)

    def _verbatim(self, one: Option) -> bool:
        wanted = f" {_flat(one.text)} "
        return any(
            wanted in f" {self._flat[other]} " for other in self._readings.others(one.narrative)
        )

    def _rewordings(self, text: str) -> list[tuple[str, str]]:
        return self._knowledge.rewordings(text) if self._knowledge else []

    def _read_again(
        self, options: Sequence[Option], vectors: np.ndarray, other: int
    ) -> list[tuple[Reading, str | None]]:
        """The best reading of each option or of what it means by what is known, and through what.

        A whole sentence was read before.
        """
        text, said = self._texts[other], self._said[other]
        whole = {
            number: self.read[one.narrative][other][one.row] for number, one in enumerate(options)
        }
        unread = [n for n, one in enumerate(options) if whole[n].sentence != one.text]
        again = self._reader.read([options[n].text for n in unread], text, vectors[unread])
        best: dict[int, tuple[Reading, str | None]]
        best = {
            n: (reading, None)
            for n, reading in (whole | dict(zip(unread, again, strict=True))).items()
        }
        bridges = [
            (number, reworded, through)
            for number, one in enumerate(options)
            for reworded, through in self._rewordings(one.text)
            if len(_stems(reworded) & said) > len(_stems(one.text) & said)
        ]
        readings = self._reader.read([reworded for _, reworded, _ in bridges], text)
        for (number, _, through), reading in zip(bridges, readings, strict=True):
            if reading.stated > best[number][0].stated - _BRIDGED:
                best[number] = reading, through
        return [best[number] for number in range(len(options))]

    def _told(
        self, one: Option, again: dict[int, tuple[Reading, str | None]], vector: np.ndarray
    ) -> Told:
        count = len(self._readings)
        stated, against = np.ones(count), np.zeros(count)
        seen: list[int | None] = [None] * count
        seen[one.narrative] = int(self._readings.narratives[one.narrative].close[one.row])
        held = self._disputed.held(one.text, (one.narrative, one.row))
        values = {}
        for other, (reading, known) in again.items():
            sentence = reading if known else self.read[one.narrative][other][one.row]
            kept = range(len(reading.words)) if known else one.kept
            fits = self._readings.details[other].bear(one.text)
            values[other] = features(sentence, reading, kept, one.form, fits)
            against[other] = reading.contradicted
            seen[other] = reading.evidence[0].sentence if reading.evidence else reading.nearest
            verbatim = f" {_flat(one.text)} " in f" {self._flat[other]} "
            denied = not known and not verbatim and self._denied(one, other, seen[other])
            sure = 1.0 if verbatim else belief(values[other])
            # What a narrator says as "I" is another's only in about the same words.
            apart = speaks_of_self(one.text) and sure < _SAME_NARRATOR
            stated[other] = 0.0 if held or denied or apart else sure
        through = {other: known for other, (_, known) in again.items() if known}
        return Told(one, stated, against, tuple(seen), through, values, vector)

    def _denied(self, one: Option, other: int, shown: int | None) -> bool:
        """Whether the sentence that is to show it may contradict it, by rules."""
        rows = np.flatnonzero(self._readings.narratives[other].close == shown)
        place = one.narrative, one.row
        return bool(len(rows)) and self._disputed.denied(one.text, place, other, int(rows[0]))

    def _sure(self, one: Told) -> float:
        """The probability of the least sure of the others that must agree."""
        return float(np.sort(np.delete(one.probabilities, one.option.narrative))[-self._wanted])

    def _worth(self, one: Told) -> float:
        """What it is worth beside another wording: sure, well formed, and telling much."""
        telling = np.log1p(len(one.option.kept)) * _POINTING**one.option.pointers
        return float(self._sure(one) * np.sqrt(one.option.form) * telling)

    def _said_by(self, one: Told, chosen: Sequence[Told]) -> bool:
        """Whether what is told already states it."""
        if not chosen:
            return False
        rows = np.array([other.vector for other in chosen])
        told = self._reader.prepare([other.text for other in chosen], rows)
        (reading,) = self._reader.read([one.text], told, one.vector[None])
        beside = any(self._mutual(one, other) for other in chosen)
        return (reading.shared if beside else reading.stated) >= _SAID

    def _same(self, one: Told, other: Told) -> bool:
        mine, theirs = one.option, other.option
        if (mine.narrative, mine.row) == (theirs.narrative, theirs.row):
            both = len({*mine.kept} & {*theirs.kept})
            return both >= _SAME_WORDS * min(len(mine.kept), len(theirs.kept))
        cosine = float(one.vector @ other.vector)
        if cosine >= _SAME or _holds(other.text, one.text):
            return True
        return self._mutual(one, other) and cosine >= _SAME_PLACE

    def _mutual(self, one: Told, other: Told) -> bool:
        """Whether the same sentences of both narratives show them."""
        return all(
            self._place(one, place) == self._place(other, place)
            for place in (one.option.narrative, other.option.narrative)
        )

    def _place(self, one: Told, narrative: int) -> str | None:
        """The sentence of a narrative that shows it, by its words: it may stand there twice."""
        shown = one.shown[narrative]
        if shown is None:
            return None
        return self._readings.narratives[narrative].sentences[shown].text


def _holds(text: str, other: str) -> bool:
    """Whether nearly all that a text tells is in another one, by stems."""
    small, large = _stems(other), _stems(text)
    if len(small) > len(large):
        small, large = large, small
    return len(small & large) >= _HELD * len(small)


def _flat(text: str) -> str:
    """The words alone."""
    return " ".join(word for word in map(_bare, text.split()) if any(map(str.isalnum, word)))


def _stems(text: str) -> set[str]:
    return {stem(_bare(word)) for word in text.split() if _is_content(word)}


def _with_names(tree: Tree, names: dict[int, str]) -> Tree:
    if not names:
        return tree
    texts = tuple(f"[{names[n]}]" if n in names else text for n, text in enumerate(tree.texts))
    return Tree(texts, tree.tags, tree.deps, tree.heads, tree.words, tree.spaced)


def _named(tree: Tree, kept: Sequence[bool]) -> bool:
    """Whether the subject of a cut is a noun: "The agent was located", not "You visit it"."""
    return any(
        stays and tree.deps[n] in ("nsubj", "nsubjpass") and tree.tags[n].startswith("NN")
        for n, stays in enumerate(kept)
    )


def _within(reading: Reading) -> Floats:
    part = np.clip([word.within for word in reading.words], 1e-4, 1 - 1e-4)
    return np.asarray(np.log(part / (1 - part)))


def _is_content(word: str) -> bool:
    bare = _bare(word)
    return bool(bare) and bare not in STOP_WORDS


def _bare(word: str) -> str:
    return word.strip(".,;:!?\"'“”‘’()[]").lower()
