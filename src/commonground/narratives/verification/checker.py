"""Check a summary against its sources, word by word."""

import warnings
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import DEFAULT, Encoder, shown
from commonground.errors import InputError, unknown_name
from commonground.io import Narrative
from commonground.narratives.conflicts.find import Facts, conflicts_of
from commonground.narratives.reading import sentences_of
from commonground.narratives.result import Conflict, Passage
from commonground.narratives.texts import named_narratives
from commonground.narratives.verification.claims import Claim, claims_of
from commonground.narratives.verification.frames import speaks_of
from commonground.narratives.verification.source import Source
from commonground.narratives.verification.verified import (
    MODES,
    SUPPORTED,
    Checked,
    CheckedWord,
    Mode,
    Verified,
)
from commonground.reader import LABELS, Label, Reader, Reading, warn_unless_english
from commonground.reading import read, token_encoder
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS, Sentence, split, unmarked
from commonground.text.clauses import bearable, without

STATED = 0.35
"""Minimum probability for a claim to count as stated; precision equals recall there."""

CONTRADICTED = 0.5
"""Minimum probability for a source to contradict a claim."""

PARTLY = 0.5
"""Minimum probability for a source to state a claim at least in part."""

_NEAR = 0.3  # conflict rules skip claims that a source shares with a lower probability
_MAX_WORDS = 12  # named in a reason

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """The reading of each claim against each source, in the order of the sorted texts."""

    readings: list[list[Reading]]  # sources x claims
    conflicts: dict[int, tuple[int, Conflict]]  # by claim: the source, and what differs

    def probabilities(self, claim: int) -> Array:
        """Return sources x labels."""
        return np.array([one[claim].probabilities for one in self.readings])


class Checker:
    """Sources that summaries can be checked against; they are read once.

    Args:
        narratives: One source or more, in any order.
        encoder: Finds the nearest sentences: a name for `commonground.encoders.load`, or an
            encoder.
        at_least: Minimum number of sources that must state a claim (default: all).

    Example:
        >>> checker = Checker(["The dam broke at night.", "At night the dam burst."])
        >>> checker.verify("The dam broke. Two cooks fell in love.").summary
        'The dam broke.'
    """

    def __init__(
        self,
        narratives: Sequence[str | Narrative],
        encoder: str | Encoder = DEFAULT,
        *,
        at_least: int | None = None,
    ) -> None:
        self._narratives = named_narratives(narratives, fewest=1)
        count = len(self._narratives)
        if at_least is not None and not (isinstance(at_least, int) and 1 <= at_least <= count):
            raise InputError(f"at_least must be from 1 to {count} (sources), not {at_least}")
        self._wanted = at_least or count
        texts = [one.text for one in self._narratives]
        # Work in canonical order; only indices refer to the caller's order.
        self._order = sorted(range(count), key=lambda index: texts[index])
        self._reader = Reader(encoder)
        self._sentences = [tuple(sentences_of(texts[index])) for index in self._order]
        self._texts = [
            self._reader.prepare([sentence.text for sentence in sentences])
            for sentences in self._sentences
        ]
        for index, text in zip(self._order, self._texts, strict=True):
            if not any(text.sizes):
                name = self._narratives[index].source
                warnings.warn(f"{name} has no words, so it states nothing", stacklevel=2)
        self._facts: list[Source] | None = None
        self._event_has_texts = speaks_of(texts)

    def verify(self, summary: str, mode: Mode = "drop") -> Verified:
        """Check every sentence of a summary; "drop" removes unsupported ones, "flag" marks them."""
        if mode not in MODES:
            raise unknown_name("mode", mode, MODES)
        if not isinstance(summary, str):
            raise InputError(f"summary must be a text, got {type(summary).__name__}")
        claims = claims_of(split(unmarked(summary)), self._event_has_texts)
        warn_unless_english([one.text for one in claims], "the summary")
        first = self._read([one.text for one in claims])
        # Before cutting, since an optional part can conflict too.
        conflicts = self._conflicts([one.text for one in claims], first)
        kept, cut = self._trimmed(claims, first, conflicts)
        judged = _Judged(self._again(first, kept, cut), conflicts)
        checked = tuple(
            self._checked(summary, one, number, kept[number], cut[number], first, judged)
            for number, one in enumerate(claims)
        )
        signed = signature(self._reader, mode, len(self._narratives), self._wanted)
        return Verified(summary, self._narratives, checked, mode, signed)

    def _read(self, claims: Sequence[str]) -> list[list[Reading]]:
        return [self._reader.read(claims, text) for text in self._texts]

    def _again(
        self, first: list[list[Reading]], kept: list[str], cut: list[tuple[str, ...]]
    ) -> list[list[Reading]]:
        """Read the claims that were cut again; return all readings."""
        changed = [number for number, parts in enumerate(cut) if parts]
        updated = [list(readings) for readings in first]
        for readings, new in zip(updated, self._read([kept[n] for n in changed]), strict=True):
            for number, reading in zip(changed, new, strict=True):
                readings[number] = reading
        return updated

    def _enough(self, values: Array) -> Array:
        """Return the K-th largest value over the sources, if K of them must agree."""
        return np.asarray(np.sort(values, axis=0)[len(values) - self._wanted])

    def _support(self, readings: list[list[Reading]], claim: int) -> Array:
        """Return the support of each word: sources x words."""
        return np.array([[word.support for word in one[claim].words] for one in readings])

    def _trimmed(
        self,
        claims: Sequence[Claim],
        readings: list[list[Reading]],
        conflicts: Container[int],
    ) -> tuple[list[str], list[tuple[str, ...]]]:
        """Cut optional parts that too few sources state, unless the claim conflicts."""
        kept, cut = [], []
        for number, one in enumerate(claims):
            support = self._enough(self._support(readings, number))
            lacking = [
                part
                for part in one.loose
                if number not in conflicts
                and (places := one.words_of(part))
                and support[places].mean() < SUPPORTED
            ]
            gone = bearable(one.doc, lacking)
            kept.append(without(one.doc, gone, one.text) if gone else one.text)
            cut.append(tuple(part.text(one.doc) for part in gone))
        return kept, cut

    def _checked(
        self,
        summary: str,
        claim: Claim,
        number: int,
        text: str,
        cut: tuple[str, ...],
        first: list[list[Reading]],
        judged: _Judged,
    ) -> Checked:
        sentence, chances = claim.sentence, judged.probabilities(number)
        reason = self._reason(number, judged)
        stated = float(self._enough(chances[:, 0]))
        return Checked(
            text=summary[sentence.start : sentence.end],
            start=sentence.start,
            end=sentence.end,
            claim=text,
            cut=cut,
            words=self._words(summary, claim, self._support(first, number)),
            label="contradicted" if self._against(number, judged) else self._label(chances),
            evidence=self._passages(number, judged),
            probability=stated,
            supported=reason is None,
            reason=reason,
        )

    def _label(self, chances: Array) -> Label:
        if self._stated(chances).sum() >= self._wanted:
            return LABELS[0]
        return LABELS[1] if self._shared(chances).sum() >= self._wanted else LABELS[3]

    @staticmethod
    def _stated(chances: Array) -> NDArray[np.bool_]:
        return np.asarray(np.round(chances[:, 0], 6) >= STATED)

    @staticmethod
    def _shared(chances: Array) -> NDArray[np.bool_]:
        return np.asarray(np.round(chances[:, 0] + chances[:, 1], 6) >= PARTLY)

    def _words(self, summary: str, claim: Claim, support: Array) -> tuple[CheckedWord, ...]:
        found = []
        for start, end, number in claim.placed():
            if number is None or not support.size:
                found.append(CheckedWord(summary[start:end], start, end, None, ()))
                continue
            stated = np.flatnonzero(support[:, number] >= SUPPORTED)
            sources = tuple(sorted(self._order[place] for place in stated))
            chance = float(self._enough(support[:, number]))
            found.append(CheckedWord(summary[start:end], start, end, chance, sources))
        return tuple(found)

    def _against(self, number: int, judged: _Judged) -> list[int]:
        """Return the sources that contradict a claim."""
        if number in judged.conflicts:
            return [judged.conflicts[number][0]]
        return np.flatnonzero(judged.probabilities(number)[:, 2] >= CONTRADICTED).tolist()

    def _reason(self, number: int, judged: _Judged) -> str | None:
        if number in judged.conflicts:
            place, conflict = judged.conflicts[number]
            ours, theirs = conflict.sides
            return f"{self._source(place)} says {theirs.value!r}, not {ours.value!r}"
        against = self._against(number, judged)
        if against:
            return f"contradicted by {self._sources(against)}"
        chances = judged.probabilities(number)
        found, partly = self._stated(chances), self._shared(chances)
        if found.sum() >= self._wanted:
            return None
        if partly.sum() >= self._wanted:
            lacking = self._lacking(number, judged)
            return f"not stated: {lacking!r}" if lacking else "not fully stated"
        return self._missing(found | partly)

    def _lacking(self, number: int, judged: _Judged) -> str:
        """Return the words of a claim that too few sources state."""
        support = self._enough(self._support(judged.readings, number))
        words = judged.readings[0][number].words
        lacking = [word.text for word, one in zip(words, support, strict=True) if one < SUPPORTED]
        return " ".join(lacking[:_MAX_WORDS]).strip(".,;:")

    def _missing(self, found: NDArray[np.bool_]) -> str:
        """Say which sources do not state a claim."""
        if not found.any():
            return "found in no source" if len(found) > 1 else f"not found in {self._source(0)}"
        few = found.sum() == 1 < len(found) - 1
        places = np.flatnonzero(found if few else ~found).tolist()
        return f"{'found only' if few else 'not found'} in {self._sources(places)}"

    def _sources(self, places: Sequence[int]) -> str:
        return ", ".join(map(self._source, sorted(places, key=self._order.__getitem__)))

    def _source(self, place: int) -> str:
        """Return the name of a source, or its index as in passages."""
        number = self._order[place]
        name = self._narratives[number].source
        return f"narratives[{number}]" if name == f"narrative {number + 1}" else name

    def _passages(self, number: int, judged: _Judged) -> tuple[Passage, ...]:
        found = []
        for place, readings in enumerate(judged.readings):
            reading, sentences = readings[number], self._sentences[place]
            best = reading.evidence[0].sentence if reading.evidence else reading.nearest
            if best is not None:
                index, start, end = self._order[place], sentences[best].start, sentences[best].end
                text = self._narratives[index].text[start:end]
                found.append(Passage(index, text, start, end, reading.stated))
        return tuple(sorted(found, key=lambda passage: passage.narrative))

    def _conflicts(
        self, claims: Sequence[str], readings: list[list[Reading]]
    ) -> dict[int, tuple[int, Conflict]]:
        """Return, for claims that a source shares, the first source with another value.

        The rules name the two values; the reader only detects a contradiction.
        """
        near = [
            number
            for number in range(len(claims))
            if max(1 - one[number].absent for one in readings) >= _NEAR
        ]
        if not near:
            return {}
        encoder = token_encoder(DEFAULT)
        if self._facts is None:
            texts = [self._narratives[index].text for index in self._order]
            self._facts = [Source(text, encoder) for text in texts]
        texts = [claims[number] for number in near]
        document = read([Sentence(text, 0, len(text)) for text in texts], encoder, entities=True)
        sources = [source.near(document.vectors) for source in self._facts]
        found: dict[int, tuple[int, Conflict]] = {}
        for row, number in enumerate(near):
            # Alone, so that other claims cannot explain a conflict away.
            own = Facts.of(document.only(row))
            for place, other in enumerate(sources):
                if 1 - readings[place][number].absent < _NEAR:
                    continue
                for _, conflict in conflicts_of([own, other]):
                    found.setdefault(number, (place, conflict))
        return found


def signature(reader: Reader, mode: Mode, narratives: int, at_least: int) -> Signature:
    """Return the signature of a check against n sources."""
    return Signature.of(
        "VERIFY",
        mode=mode,
        reader=reader.shown,
        enc=shown(reader.encoder),
        above=f"{STATED:g}-{SUPPORTED:g}",
        split=SPLITTERS["layout"],
        parse=PARSER,
        narratives=str(narratives),
        **({} if at_least == narratives else {"at_least": str(at_least)}),
    )


def verify(
    summary: str,
    narratives: Sequence[str | Narrative],
    *,
    mode: Mode = "drop",
    encoder: str | Encoder = DEFAULT,
    at_least: int | None = None,
) -> Verified:
    """Check a summary against its sources; use `Checker` for many summaries of one event.

    Args:
        summary: The text.
        narratives: One source or more; their order only sets their indices.
        mode: "drop" removes unsupported sentences from `summary`; "flag" keeps them.
        encoder: Finds the nearest sentences: a name, or an encoder.
        at_least: Minimum number of sources that must state a sentence (default: all).

    Example:
        >>> left = "The ferry ran aground on Saturday. The captain resigned."
        >>> right = "On Saturday a ferry hit rocks and ran aground."
        >>> verify("The ferry ran aground. The captain resigned.", [left, right]).summary
        'The ferry ran aground.'
    """
    return Checker(narratives, encoder, at_least=at_least).verify(summary, mode)
