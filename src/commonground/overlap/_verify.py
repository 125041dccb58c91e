"""Is what a summary says said by every narrative? Sentence by sentence, whoever wrote it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground._score import Signature
from commonground.encoders import DEFAULT, TokenEncoder
from commonground.errors import InputError, unknown_name
from commonground.io import Narrative
from commonground.overlap._conflicts import every_conflict
from commonground.overlap._frames import claim, speaks_of
from commonground.overlap._judging import Judge
from commonground.overlap._reading import Readings
from commonground.overlap._result import Conflict, Passage
from commonground.overlap._sentence import Read
from commonground.overlap._texts import check_narratives
from commonground.overlap._verified import Checked, Mode, Verified
from commonground.text import PARSER, SPLITTERS, Sentence, split
from commonground.text._loose import loose_parts, without
from commonground.text._parse import parse
from commonground.units.evidence import FEATURES, SUPPORTED, Evidence
from commonground.units.evidence import MODEL as EVIDENCE

MODES = ("drop", "flag")

# Found with bench/verify_outputs.py on summaries of 50 systems. A sentence must come near to a
# passage of every narrative, and the evidence that it is stated must not speak against it. How
# near depends on the summary: where its best sentence comes near, the others must do so too.
NEAR = 0.45
NEAR_AT_MOST = 0.55
BEHIND_THE_BEST = 0.1
STATED = 0.05

_COSINE = FEATURES.index("sentence cosine")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """Claims x narratives, in the order of the sorted texts."""

    nearness: Array
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
        texts = check_narratives(narratives)
        self._narratives = tuple(
            one if isinstance(one, Narrative) else Narrative(f"narrative {number}", one)
            for number, one in enumerate(narratives, start=1)
        )
        # All work is done in the order of the texts; only numbers come from the order given.
        self._order = sorted(range(len(texts)), key=lambda place: texts[place])
        self._evidence = Evidence(encoder)
        self._readings = Readings(
            [texts[place] for place in self._order], Judge(self._evidence)
        ).narratives
        self._event_has_texts = speaks_of(texts)

    def verify(self, summary: str, mode: Mode = "drop") -> Verified:
        """Check every sentence of a summary; `mode` says what becomes of unsupported ones."""
        if mode not in MODES:
            raise unknown_name("mode", mode, MODES)
        if not isinstance(summary, str):
            raise InputError(f"summary must be a text, got {type(summary).__name__}")
        sentences = split(summary)
        claims = [claim(one.text, self._event_has_texts) for one in sentences]
        kept, cut = self._trimmed(claims)
        judged = self._judged(kept)
        reasons = self._reasons(judged)
        checked = tuple(
            Checked(
                text=sentence.text,
                start=sentence.start,
                end=sentence.end,
                claim=kept[number],
                cut=cut[number],
                evidence=self._passages(judged, number),
                nearness=float(judged.nearness[number].min()),
                probability=float(judged.probabilities[number].min()),
                supported=reasons[number] is None,
                reason=reasons[number],
            )
            for number, sentence in enumerate(sentences)
        )
        return Verified(summary, self._narratives, checked, mode, self._signature(mode))

    def _trimmed(self, claims: Sequence[str]) -> tuple[list[str], list[tuple[str, ...]]]:
        """The claims without the loose parts that some narrative does not support."""
        docs = parse(claims)
        loose = [loose_parts(doc) for doc in docs]
        parts = [part.text(doc) for doc, some in zip(docs, loose, strict=True) for part in some]
        stated = iter(self._probabilities(parts).min(axis=1) >= SUPPORTED)
        kept, cut = [], []
        for text, doc, some in zip(claims, docs, loose, strict=True):
            gone = [part for part in some if not next(stated)]
            kept.append(without(doc, gone, text) if gone else text)
            cut.append(tuple(part.text(doc) for part in gone))
        return kept, cut

    def _probabilities(self, texts: Sequence[str]) -> Array:
        units = self._evidence.read_units(texts)
        columns = [self._evidence.probabilities(units, one.text) for one in self._readings]
        return np.array(columns).T.reshape(len(texts), len(self._readings))

    def _judged(self, claims: Sequence[str]) -> _Judged:
        units, text = self._evidence.read_both(claims)
        compared = [self._evidence.compare(units, one.text) for one in self._readings]
        own = Read.of(_in_a_row(claims), text)
        starts = {sentence.start: number for number, sentence in enumerate(own.sentences)}
        conflicts: dict[int, tuple[int, Conflict]] = {}
        for place, other in enumerate(self._read):
            for _, conflict in every_conflict([own, other]):
                conflicts.setdefault(starts[conflict.sides[0].start], (place, conflict))
        return _Judged(
            nearness=np.array([one.features[:, _COSINE] for one in compared]).T,
            probabilities=np.array([one.probabilities for one in compared]).T,
            shown=np.array([one.shown for one in compared]).T,
            conflicts=conflicts,
        )

    @cached_property
    def _read(self) -> list[Read]:
        return [
            Read.of([one.sentences[place] for place in one.close], one.text)
            for one in self._readings
        ]

    def _reasons(self, judged: _Judged) -> list[str | None]:
        """For each claim why it is not supported, or None."""
        if not len(judged.nearness):
            return []
        nearness = np.round(judged.nearness.min(axis=1), 6)
        fit = judged.probabilities.min(axis=1) >= STATED
        fit[list(judged.conflicts)] = False
        best = float(nearness[fit].max()) if fit.any() else 0.0
        bar = min(max(best - BEHIND_THE_BEST, NEAR), NEAR_AT_MOST)
        return [self._reason(judged, number, bar) for number in range(len(nearness))]

    def _reason(self, judged: _Judged, number: int, bar: float) -> str | None:
        far = int(np.round(judged.nearness[number], 6).argmin())
        if round(float(judged.nearness[number, far]), 6) < bar:
            return f"nothing near it in {self._source(far)}"
        unsure = int(np.round(judged.probabilities[number], 6).argmin())
        if judged.probabilities[number, unsure] < STATED:
            return f"not stated in {self._source(unsure)}"
        if number in judged.conflicts:
            place, conflict = judged.conflicts[number]
            ours, theirs = conflict.sides
            return f"{self._source(place)} says {theirs.value!r}, not {ours.value!r}"
        return None

    def _source(self, place: int) -> str:
        return self._narratives[self._order[place]].source

    def _passages(self, judged: _Judged, number: int) -> tuple[Passage, ...]:
        found = []
        for place, one in enumerate(self._readings):
            shown = int(judged.shown[number, place])
            if shown >= 0:
                sentence = one.sentences[one.close[shown]]
                probability = float(judged.probabilities[number, place])
                found.append(self._passage(self._order[place], sentence, probability))
        return tuple(sorted(found, key=lambda passage: passage.narrative))

    def _passage(self, narrative: int, sentence: Sentence, probability: float) -> Passage:
        text = self._narratives[narrative].text[sentence.start : sentence.end]
        return Passage(narrative, text, sentence.start, sentence.end, probability)

    def _signature(self, mode: Mode) -> Signature:
        encoder = self._evidence.encoder
        return Signature.of(
            "VERIFY",
            mode=mode,
            enc=f"{encoder.name}@{encoder.fingerprint[:8]}",
            evidence=EVIDENCE,
            near=f"{NEAR:g}-{NEAR_AT_MOST:g}",
            stated=f"{STATED:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            narratives=str(len(self._narratives)),
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


def _in_a_row(claims: Sequence[str]) -> list[Sentence]:
    """Claims as sentences of a text of their own, so that each has its place."""
    found, start = [], 0
    for text in claims:
        found.append(Sentence(text, start, start + len(text)))
        start += len(text) + 1
    return found
