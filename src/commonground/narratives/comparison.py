"""The overlap of narratives: the default method, from texts to the result."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.encoders import DEFAULT, TokenEncoder, shown
from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.conflicts.by_matter import by_matter
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import CLAIM, Facts, Meeting, meetings_of, reported
from commonground.narratives.conflicts.likely import likely
from commonground.narratives.knowledge import Knowledge
from commonground.narratives.progress import Progress, Stages
from commonground.narratives.reading import Readings
from commonground.narratives.result import Conflict, Overlap, Passage, Statement
from commonground.narratives.statements.choose import Judged
from commonground.narratives.statements.find import STRICTNESS, Finder
from commonground.narratives.statements.unique import unique
from commonground.narratives.texts import check_at_least, named_narratives
from commonground.reader import Reader
from commonground.reading import token_encoder
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS


class Overlaps:
    """Finds what narratives have in common, for any number of events.

    Args:
        encoder: A name for `commonground.encoders.load`, or an encoder with token vectors.
        at_least: Minimum number of narratives that must agree (default: all).
        max_sentences: Maximum sentences of the summary (default: all shared statements).
        strictness: Minimum probability that a narrative fully states a statement; higher values
            give fewer and more certain statements.
        knowledge: Background statements that bridge wordings, one per line.
        reader: The reader to use.
    """

    def __init__(
        self,
        encoder: str | TokenEncoder = DEFAULT,
        *,
        at_least: int | None = None,
        max_sentences: int | None = None,
        strictness: float = STRICTNESS,
        knowledge: str | Knowledge | None = None,
        reader: Reader | None = None,
    ) -> None:
        if max_sentences is not None and (not isinstance(max_sentences, int) or max_sentences < 1):
            raise InputError(f"max_sentences must be a whole number from 1 on, not {max_sentences}")
        if not isinstance(strictness, int | float) or not 0 <= strictness <= 1:
            raise InputError(f"strictness must be from 0 to 1, not {strictness}")
        if not isinstance(knowledge, str | Knowledge | None):
            raise InputError("knowledge must be a text, a statement a line")
        self._knowledge = Knowledge.of(knowledge) if isinstance(knowledge, str) else knowledge
        self._encoder = token_encoder(encoder)
        self._at_least = at_least
        self._most = max_sentences
        self._strictness = float(strictness)
        self._reader = reader or Reader(self._encoder)

    def find(
        self, narratives: Sequence[str | Narrative], *, progress: Progress | None = None
    ) -> Overlap:
        """Return the overlap of two or more narratives, in any order.

        Args:
            narratives: Texts, with or without names.
            progress: Callback for the completed share, from 0 to 1, and the next step in words.
        """
        named = named_narratives(narratives)
        texts = [narrative.text for narrative in named]
        at_least = check_at_least(self._at_least, len(texts))
        # All work is done in the order of the texts; only numbers come from the order given.
        order = sorted(range(len(texts)), key=lambda place: texts[place])
        stages = Stages(progress)
        readings = Readings([texts[index] for index in order], self._encoder, stages)
        facts = facts_of(readings, stages)
        stages.report("conflicts", "Looking for contradictions")
        meetings = self._meetings(facts)
        disputed = Disputed(readings, facts, [one for met in meetings for _, one in met.found])
        finder = Finder(readings, self._reader, at_least, disputed, self._knowledge, stages)
        conflicts = likely(facts, meetings, finder.read, self._reader)
        disputed.add(one for one in conflicts if one.kind == CLAIM)
        chosen = finder.statements(self._strictness)[: self._most]
        statements = [
            _statement(readings, one, self._strictness) for one in _in_order(readings, chosen)
        ]
        shared = [one.evidence for one in statements] + [one.sides for one in conflicts]
        shown = {(place.narrative, place.start) for places in shared for place in places}
        stages.report("unique", "Looking for what one alone says")
        own = [_quoted(one, order, texts) for one in unique(readings, finder.read, shown)]
        stages.finish()
        return Overlap(
            narratives=named,
            statements=tuple(_renumbered(one, order, texts) for one in statements),
            unique=tuple(sorted(own, key=lambda passage: (passage.narrative, passage.start))),
            conflicts=_told(reported(conflicts), order, texts),
            at_least=at_least,
            signature=self.signature(len(texts)),
        )

    def _meetings(self, facts: Sequence[Facts]) -> list[Meeting]:
        """Near sentences, without the conflicts that background knowledge resolves."""
        found = meetings_of(facts)
        known = self._knowledge
        if not known:
            return found
        return [
            replace(
                met,
                found=tuple(
                    (sureness, one)
                    for sureness, one in met.found
                    if not known.bridged(*(side.value for side in one.sides))
                ),
            )
            for met in found
        ]

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
        at_least = check_at_least(self._at_least, narratives)
        encoder = self._encoder
        known = {"known": self._knowledge.fingerprint} if self._knowledge else {}
        return Signature.of(
            "OVERLAP",
            method="statements",
            enc=shown(encoder),
            reader=self._reader.shown,
            strict=f"{self._strictness:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            of=f"{at_least}/{narratives}",
            max=str(self._most or "all"),
            **known,
        )


def overlap(
    narratives: Sequence[str | Narrative],
    *,
    at_least: int | None = None,
    max_sentences: int | None = None,
    strictness: float = STRICTNESS,
    encoder: str | TokenEncoder = DEFAULT,
    knowledge: str | None = None,
) -> Overlap:
    """Return what narratives have in common; see `Overlaps` for the options.

    Example:
        >>> left = "The old bridge was closed on Monday after cracks were found."
        >>> right = "Cracks were found in the old bridge, and it was closed on Monday."
        >>> overlap([left, right]).statements[0].weight
        2
    """
    finder = Overlaps(
        encoder,
        at_least=at_least,
        max_sentences=max_sentences,
        strictness=strictness,
        knowledge=knowledge,
    )
    return finder.find(narratives)


def facts_of(readings: Readings, stages: Stages | None = None) -> list[Facts]:
    """Return what each narrative tells, for conflicts."""
    stages, count = stages or Stages(), len(readings)
    facts = []
    for narrative, document in enumerate(readings.narratives):
        message = f"Taking in what narrative {narrative + 1} of {count} says"
        stages.report("facts", message, narrative, count)
        facts.append(Facts.of(document))
    return facts


def _in_order(readings: Readings, chosen: Sequence[Judged]) -> list[Judged]:
    """Sort statements by the mean relative position of their evidence."""

    def place(one: Judged) -> tuple[float, str]:
        shares = [
            shown / len(narrated.sentences)
            for narrated, shown in zip(readings.narratives, one.shown, strict=True)
            if shown is not None
        ]
        return round(float(np.mean(shares)), 6), one.text

    return sorted(chosen, key=place)


def _statement(readings: Readings, one: Judged, strictness: float) -> Statement:
    evidence = []
    for number, narrated in enumerate(readings.narratives):
        shown = one.shown[number]
        if one.probabilities[number] >= strictness and shown is not None:
            sentence, probability = narrated.sentences[shown], float(one.probabilities[number])
            span = (sentence.text, sentence.start, sentence.end)
            evidence.append(Passage(number, *span, probability, one.through.get(number)))
    lowest = min(passage.probability for passage in evidence)
    return Statement(one.text, len(evidence), lowest, tuple(evidence))


def _quoted(one: Passage, order: Sequence[int], texts: Sequence[str]) -> Passage:
    """Return the passage in the caller's order, with its original markup."""
    narrative = order[one.narrative]
    return replace(one, narrative=narrative, text=texts[narrative][one.start : one.end])


def _renumbered(statement: Statement, order: Sequence[int], texts: Sequence[str]) -> Statement:
    evidence = [_quoted(one, order, texts) for one in statement.evidence]
    return replace(statement, evidence=tuple(sorted(evidence, key=lambda one: one.narrative)))


def _told(
    conflicts: Sequence[Conflict], order: Sequence[int], texts: Sequence[str]
) -> tuple[Conflict, ...]:
    """The conflicts by matter, with the numbers of the order given."""
    found = []
    for conflict in conflicts:
        sides = [
            replace(
                side,
                narrative=order[side.narrative],
                text=texts[order[side.narrative]][side.start : side.end],
                value=texts[order[side.narrative]][side.value_start : side.value_end],
            )
            for side in conflict.sides
        ]
        found.append(replace(conflict, sides=tuple(sides)))
    return tuple(
        sorted(
            by_matter(found),
            key=lambda conflict: [(side.narrative, side.value_start) for side in conflict.sides],
        )
    )
