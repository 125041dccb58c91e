"""The overlap of narratives by the default method, from texts to the result."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from commonground.encoders import DEFAULT, TokenEncoder, shown
from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.conflicts.also import also_stated
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import (
    CLAIM,
    Facts,
    Meeting,
    by_matter,
    meetings_of,
    reported,
)
from commonground.narratives.conflicts.likely import likely
from commonground.narratives.knowledge import Knowledge
from commonground.narratives.reading import Progress, Readings, Stages
from commonground.narratives.result import Overlap, Passage, Side, Statement
from commonground.narratives.statements.choose import Judged
from commonground.narratives.statements.find import LEAST_LIKELY, STRICTNESS, Finder
from commonground.narratives.statements.unique import unique
from commonground.narratives.statements.words import word_readings
from commonground.narratives.texts import Text, check_at_least, given_narratives, split_by
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
            raise InputError(
                f"max_sentences must be a whole number of at least 1, not {max_sentences}"
            )
        if not isinstance(strictness, int | float) or not 0 <= strictness <= 1:
            raise InputError(f"strictness must be from 0 to 1, not {strictness}")
        if not isinstance(knowledge, str | Knowledge | None):
            raise InputError("knowledge must be a text with one statement per line")
        self._knowledge = Knowledge.of(knowledge) if isinstance(knowledge, str) else knowledge
        self._encoder = token_encoder(encoder)
        self._at_least = at_least
        self._most = max_sentences
        self._strictness = float(strictness)
        self._reader = reader or Reader(self._encoder)

    def find(
        self, narratives: Sequence[Text | Narrative], *, progress: Progress | None = None
    ) -> Overlap:
        """Return the overlap of two or more narratives, in any order.

        Args:
            narratives: Texts, with or without names, or lists of sentences.
            progress: Callback for the completed share, from 0 to 1, and the next step in words.
        """
        named, given = given_narratives(narratives)
        texts = [narrative.text for narrative in named]
        at_least = check_at_least(self._at_least, len(texts))
        # All work is done on sorted texts; only the numbers depend on the caller's order.
        order = sorted(range(len(texts)), key=lambda index: texts[index])
        stages = Stages(progress)
        readings = Readings([given[index] for index in order], self._encoder, stages)
        facts = facts_of(readings, stages)
        stages.report("conflicts", "Looking for contradictions")
        meetings = self._meetings(facts)
        by_rules = [conflict for meeting in meetings for _, conflict in meeting.conflicts]
        disputed = Disputed(readings, facts, by_rules)
        finder = Finder(readings, self._reader, at_least, disputed, self._knowledge, stages)
        conflicts = likely(facts, meetings, finder.read, self._reader)
        disputed.add(conflict for conflict in conflicts if conflict.kind == CLAIM)
        listed = reported(conflicts)
        listed += tuple(also_stated(facts, listed))
        chosen, doubtful = finder.statements(self._strictness, self._most)
        statements = _statements(readings, chosen, self._strictness)
        less_likely = _statements(readings, doubtful, LEAST_LIKELY)
        shown = {(p.narrative, p.start) for statement in statements for p in statement.evidence}
        shown |= {(side.narrative, side.start) for c in (*conflicts, *listed) for side in c.sides}
        stages.report("unique", "Finding what only one narrative says")
        own = list(unique(readings, finder.read, shown))
        stages.finish()
        quoted = partial(_quoted, order=order, texts=texts)
        return Overlap(
            narratives=named,
            statements=_with_quotations(statements, quoted),
            unique=quoted(own),
            conflicts=by_matter(
                replace(conflict, sides=quoted(conflict.sides)) for conflict in listed
            ),
            at_least=at_least,
            signature=self.signature(len(texts), split_by(given)),
            strictness=self._strictness,
            less_likely=_with_quotations(less_likely, quoted),
            readings=word_readings(readings, finder.read, order),
        )

    def _meetings(self, facts: Sequence[Facts]) -> list[Meeting]:
        """Return near sentences, without the conflicts that background knowledge resolves."""
        knowledge = self._knowledge
        if not knowledge:
            return meetings_of(facts)
        return [
            replace(
                meeting,
                conflicts=tuple(
                    (sureness, conflict)
                    for sureness, conflict in meeting.conflicts
                    if not knowledge.bridged(*(side.value for side in conflict.sides))
                ),
            )
            for meeting in meetings_of(facts)
        ]

    def signature(self, narratives: int, split: str = SPLITTERS["layout"]) -> Signature:
        """Return the signature for n narratives; `split` names what split them into sentences."""
        at_least = check_at_least(self._at_least, narratives)
        known = {"known": self._knowledge.fingerprint} if self._knowledge else {}
        return Signature.of(
            "OVERLAP",
            method="statements",
            enc=shown(self._encoder),
            reader=self._reader.shown,
            strict=f"{self._strictness:g}",
            split=split,
            parse=PARSER,
            of=f"{at_least}/{narratives}",
            max=str(self._most or "all"),
            **known,
        )


def overlap(
    narratives: Sequence[Text | Narrative],
    *,
    at_least: int | None = None,
    max_sentences: int | None = None,
    strictness: float = STRICTNESS,
    encoder: str | TokenEncoder = DEFAULT,
    knowledge: str | None = None,
) -> Overlap:
    """Return what narratives have in common, each statement with its evidence.

    For many events, `commonground.narratives.Overlaps` keeps the models open.

    Args:
        narratives: Two texts or more about one event; their order does not change the result. A
            text is a `str`, or a list of sentences, which are not split further.
        at_least: Minimum number of narratives that must agree (default: all).
        max_sentences: Maximum sentences of the summary (default: all shared statements).
        strictness: Minimum probability that a narrative states a statement, from 0 to 1; higher
            values give fewer and more certain statements.
        encoder: Finds the nearest sentences: a name, or an encoder with token vectors.
        knowledge: Background statements that bridge wordings, one per line.

    Returns:
        `summary`, `statements`, `unique` passages and `conflicts`; `to_html` writes a page.

    Raises:
        InputError: Fewer than two texts, or an invalid option.

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
    """Return the facts of each narrative, for conflicts."""
    stages, count = stages or Stages(), len(readings)
    facts = []
    for narrative, document in enumerate(readings.narratives):
        message = f"Extracting facts from narrative {narrative + 1} of {count}"
        stages.report("facts", message, narrative, count)
        facts.append(Facts.of(document))
    return facts


def _in_order(readings: Readings, chosen: Sequence[Judged]) -> list[Judged]:
    """Sort statements by the mean relative position of their evidence."""

    def position(judged: Judged) -> tuple[float, str]:
        positions = [
            index / len(document.sentences)
            for document, index in zip(readings.narratives, judged.shown, strict=True)
            if index is not None
        ]
        return round(float(np.mean(positions)), 6), judged.text

    return sorted(chosen, key=position)


def _statements(readings: Readings, chosen: Sequence[Judged], strictness: float) -> list[Statement]:
    return [_statement(readings, judged, strictness) for judged in _in_order(readings, chosen)]


def _statement(readings: Readings, judged: Judged, strictness: float) -> Statement:
    evidence = []
    for narrative, document in enumerate(readings.narratives):
        index, probability = judged.shown[narrative], float(judged.probabilities[narrative])
        if probability >= strictness and index is not None:
            sentence = document.sentences[index]
            span = (sentence.text, sentence.start, sentence.end)
            evidence.append(Passage(narrative, *span, probability, judged.through.get(narrative)))
    lowest = min(passage.probability for passage in evidence)
    return Statement(judged.text, len(evidence), lowest, tuple(evidence))


def _with_quotations(
    statements: Iterable[Statement], quoted: Callable[[Iterable[Passage]], tuple[Passage, ...]]
) -> tuple[Statement, ...]:
    return tuple(replace(one, evidence=quoted(one.evidence)) for one in statements)


Quoted = TypeVar("Quoted", Passage, Side)


def _quoted(
    passages: Iterable[Quoted], order: Sequence[int], texts: Sequence[str]
) -> tuple[Quoted, ...]:
    """Return passages with the caller's numbers and the original markup, in order."""
    result = []
    for passage in passages:
        narrative = order[passage.narrative]
        text = texts[narrative]
        changes: dict[str, Any] = {"text": text[passage.start : passage.end]}
        if isinstance(passage, Side):
            changes["value"] = text[passage.value_start : passage.value_end]
        result.append(replace(passage, narrative=narrative, **changes))
    return tuple(sorted(result, key=lambda passage: (passage.narrative, passage.start)))
