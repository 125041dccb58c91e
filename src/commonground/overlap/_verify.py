"""Is what a summary says said by every narrative? Sentence by sentence, whoever wrote it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground._score import Signature
from commonground.encoders import DEFAULT, TokenEncoder, shown
from commonground.errors import InputError, unknown_name
from commonground.io import Narrative
from commonground.overlap._conflicts import Facts, conflicts_of
from commonground.overlap._frames import claim, speaks_of
from commonground.overlap._result import Conflict, Passage
from commonground.overlap._sentence import Read
from commonground.overlap._source import Reading, Source
from commonground.overlap._texts import named_narratives
from commonground.overlap._verified import MODES, Checked, Mode, Verified
from commonground.text import PARSER, SPLITTERS, Sentence, split
from commonground.text._loose import Loose, bearable, loose_parts, without
from commonground.text._markup import unmarked
from commonground.text._parse import parse
from commonground.units.evidence import FEATURES, SUPPORTED, Evidence, ReadText
from commonground.units.evidence import MODEL as EVIDENCE

if TYPE_CHECKING:
    from spacy.tokens import Doc

# Found with bench/verify_outputs.py on summaries of 50 systems. How near a sentence comes to a
# passage of the narrative counts most; the evidence that it is stated there raises or lowers it.
# The bar depends on the summary: where its best sentence has much support, the others need more.
SUPPORT = 0.42
SUPPORT_AT_MOST = 0.6
BEHIND_THE_BEST = 0.1
_EVIDENCE_SHARE = 0.2
_EVIDENCE_NEUTRAL = 0.2

_GAP = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,;:!?])")
_GAP_AT_STOP = re.compile(r" (?=[.,;:!?])")

_COSINES = [FEATURES.index("sentence cosine"), FEATURES.index("clause cosine")]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """Claims x narratives, in the order of the sorted texts."""

    support: Array
    probabilities: Array
    shown: NDArray[np.int64]
    conflicts: dict[int, tuple[int, Conflict]]  # by claim: the narrative and what differs


class Checker:
    """Narratives that summaries can be checked against; they are read once.

    Args:
        narratives: Two or more, in any order.
        encoder: A name that `commonground.encoders.load` knows, or an encoder with token vectors.

    Example:
        >>> checker = Checker(["The dam broke at night.", "At night the dam burst."])
        >>> checker.verify("The dam broke. Two cooks fell in love.").summary
        'The dam broke.'
    """

    def __init__(
        self, narratives: Sequence[str | Narrative], encoder: str | TokenEncoder = DEFAULT
    ) -> None:
        self._narratives = named_narratives(narratives)
        texts = [one.text for one in self._narratives]
        # All work is done in the order of the texts; only numbers come from the order given.
        self._order = sorted(range(len(texts)), key=lambda place: texts[place])
        self._evidence = Evidence(encoder)
        self._sources = [Source(texts[place], self._evidence) for place in self._order]
        self._event_has_texts = speaks_of(texts)

    def verify(self, summary: str, mode: Mode = "drop") -> Verified:
        """Check every sentence of a summary; `mode` says what becomes of unsupported ones."""
        if mode not in MODES:
            raise unknown_name("mode", mode, MODES)
        if not isinstance(summary, str):
            raise InputError(f"summary must be a text, got {type(summary).__name__}")
        sentences = split(unmarked(summary))
        claims = _claims([claim(_written(one.text), self._event_has_texts) for one in sentences])
        readings = self._read(claims)
        kept, cut = self._trimmed(claims, readings)
        judged = self._judged(kept, readings)
        reasons = self._reasons(judged)
        checked = tuple(
            Checked(
                text=summary[sentence.start : sentence.end],
                start=sentence.start,
                end=sentence.end,
                claim=kept[number],
                cut=cut[number],
                evidence=self._passages(judged, number, readings),
                support=float(judged.support[number].min()),
                probability=float(judged.probabilities[number].min()),
                supported=reasons[number] is None,
                reason=reasons[number],
            )
            for number, sentence in enumerate(sentences)
        )
        signed = signature(self._evidence.encoder, mode, len(self._narratives))
        return Verified(summary, self._narratives, checked, mode, signed)

    def _read(self, claims: Sequence["_Claim"]) -> list[Reading]:
        """The narratives, long ones where they come near the claims or their parts."""
        vectors = np.zeros((0, 0), dtype=np.float32)
        if any(source.long for source in self._sources):
            texts = [text for one in claims for text in (one.text, *one.parts)]
            vectors = self._evidence.encoder.encode(texts or [""])
        return [source.near(vectors) for source in self._sources]

    def _trimmed(
        self, claims: Sequence["_Claim"], readings: Sequence[Reading]
    ) -> tuple[list[str], list[tuple[str, ...]]]:
        """The claims without the loose parts that some narrative does not support."""
        units = self._evidence.read_units([part for one in claims for part in one.parts])
        found = [self._evidence.probabilities(units, one.text) for one in readings]
        stated = iter(np.min(found, axis=0) >= SUPPORTED)
        kept, cut = [], []
        for one in claims:
            gone = bearable(one.doc, [part for part in one.loose if not next(stated)])
            kept.append(without(one.doc, gone, one.text) if gone else one.text)
            cut.append(tuple(part.text(one.doc) for part in gone))
        return kept, cut

    def _judged(self, claims: Sequence[str], readings: Sequence[Reading]) -> _Judged:
        units, text = self._evidence.read_both(claims)
        compared = [self._evidence.compare(units, one.text) for one in readings]
        nearness = np.array([one.features[:, _COSINES].max(axis=1) for one in compared]).T
        probabilities = np.array([one.probabilities for one in compared]).T
        # Rounded, so that the last digits, which depend on the machine, decide nothing.
        support = np.round(nearness + _EVIDENCE_SHARE * (probabilities - _EVIDENCE_NEUTRAL), 6)
        near = np.flatnonzero(support.min(axis=1, initial=1.0) >= SUPPORT)
        return _Judged(
            support=support,
            probabilities=probabilities,
            shown=np.array([one.shown for one in compared]).T,
            conflicts=_conflicts(text, near, readings),
        )

    def _reasons(self, judged: _Judged) -> list[str | None]:
        """For each claim why it is not supported, or None."""
        weakest = judged.support.min(axis=1, initial=1.0)
        best = max(
            (weakest[n] for n in range(len(weakest)) if n not in judged.conflicts), default=0
        )
        bar = min(max(best - BEHIND_THE_BEST, SUPPORT), SUPPORT_AT_MOST)
        return [self._reason(judged, number, bar) for number in range(len(weakest))]

    def _reason(self, judged: _Judged, number: int, bar: float) -> str | None:
        if number in judged.conflicts:
            place, conflict = judged.conflicts[number]
            ours, theirs = conflict.sides
            return f"{self._source(place)} says {theirs.value!r}, not {ours.value!r}"
        return self._missing(judged.support[number] >= bar)

    def _missing(self, found: NDArray[np.bool_]) -> str | None:
        """Which narratives do not state a claim; None where all do."""
        if found.all():
            return None
        if not found.any():
            return "found in no narrative"
        few = found.sum() == 1 < len(found) - 1
        places = np.flatnonzero(found if few else ~found).tolist()
        names = ", ".join(map(self._source, sorted(places, key=self._order.__getitem__)))
        return f"found only in {names}" if few else f"not found in {names}"

    def _source(self, place: int) -> str:
        """The name of a narrative; without one its place, counted as passages count it."""
        number = self._order[place]
        name = self._narratives[number].source
        return f"narratives[{number}]" if name == f"narrative {number + 1}" else name

    def _passages(
        self, judged: _Judged, number: int, readings: Sequence[Reading]
    ) -> tuple[Passage, ...]:
        found = []
        for place, one in enumerate(readings):
            shown = int(judged.shown[number, place])
            if shown >= 0:
                probability = float(judged.probabilities[number, place])
                sentence = one.sentences[shown]
                found.append(self._passage(self._order[place], sentence, probability))
        return tuple(sorted(found, key=lambda passage: passage.narrative))

    def _passage(self, narrative: int, sentence: Sentence, probability: float) -> Passage:
        text = self._narratives[narrative].text[sentence.start : sentence.end]
        return Passage(narrative, text, sentence.start, sentence.end, probability)


def signature(encoder: TokenEncoder, mode: Mode, narratives: int) -> Signature:
    """All that a check against so many narratives depends on."""
    return Signature.of(
        "VERIFY",
        mode=mode,
        enc=shown(encoder),
        evidence=EVIDENCE,
        above=f"{SUPPORT:g}-{SUPPORT_AT_MOST:g}",
        split=SPLITTERS["layout"],
        parse=PARSER,
        narratives=str(narratives),
    )


def verify(
    summary: str,
    narratives: Sequence[str | Narrative],
    *,
    mode: Mode = "drop",
    encoder: str | TokenEncoder = DEFAULT,
) -> Verified:
    """Check a summary, whoever wrote it; `Checker` serves many summaries of one event.

    Args:
        summary: The text.
        narratives: Two or more; their order changes nothing but their numbers.
        mode: "drop" leaves unsupported sentences out of `summary`; "flag" leaves them in.
        encoder: A name that `commonground.encoders.load` knows, or an encoder with token vectors.

    Example:
        >>> left = "The ferry ran aground on Saturday. The captain resigned."
        >>> right = "On Saturday a ferry hit rocks and ran aground."
        >>> verify("The ferry ran aground. The captain resigned.", [left, right]).summary
        'The ferry ran aground.'
    """
    return Checker(narratives, encoder).verify(summary, mode)


def _written(sentence: str) -> str:
    """A sentence without the gaps that markup leaves; one without gaps stays as it is."""
    return _GAP_AT_STOP.sub("", _GAP.sub(" ", sentence)) if _GAP.search(sentence) else sentence


@dataclass(frozen=True, slots=True, eq=False)
class _Claim:
    """What a sentence says, its parse, and the parts that it could lose."""

    text: str
    doc: "Doc"
    loose: tuple[Loose, ...]
    parts: tuple[str, ...]


def _claims(texts: Sequence[str]) -> list[_Claim]:
    found = []
    for text, doc in zip(texts, parse(texts), strict=True):
        loose = tuple(loose_parts(doc))
        found.append(_Claim(text, doc, loose, tuple(part.text(doc) for part in loose)))
    return found


def _conflicts(
    claims: ReadText, numbers: NDArray[np.int64], readings: Sequence[Reading]
) -> dict[int, tuple[int, Conflict]]:
    """For each of these claims the first narrative that says otherwise, if one does."""
    docs = parse([claims.sentences[number] for number in numbers], entities=True)
    found: dict[int, tuple[int, Conflict]] = {}
    for number, doc in zip(map(int, numbers), docs, strict=True):
        own = Facts.of(_alone(claims, number, doc))
        for place, other in enumerate(readings):
            for _, conflict in conflicts_of([own, other.facts]):
                found.setdefault(number, (place, conflict))
    return found


def _alone(claims: ReadText, number: int, doc: "Doc") -> Read:
    """One claim as a narrative: what the summary says elsewhere must not excuse it."""
    text = claims.sentences[number]
    only = ReadText(
        sentences=(text,),
        words=(claims.words[number],),
        vectors=claims.vectors[number : number + 1],
        clauses=claims.clauses[:0],
    )
    return Read((Sentence(text, 0, len(text)),), (doc,), only)
