"""Which sentence of a narrative shows a statement.

A statement is cut from a sentence, and its vector says too little: "The gate stuck" resembles every
sentence about the gate. Each of its words is therefore sought in its context, and the sentences
before count too. The best sentences are then read one by one. `training/evidence.py` fits the
weights.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from commonground.narratives.logistic import Floats
from commonground.narratives.word_lists import data_text
from commonground.reader import PreparedText, Reader, Reading
from commonground.reading import Document

CLUES = ("words", "before")
READ = "within"

_WEIGHTS = json.loads(data_text("evidence.json"))
WEIGHTS: Final[Floats] = np.array([_WEIGHTS[name] for name in (*CLUES, READ)])
"""The weights of the clues and of the reading."""

_MOST = 3  # sentences that are read ...
_CLOSE = 2.0  # ... if their score is at most this much below the best


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """A statement whose evidence is sought in a narrative.

    Attributes:
        text: Its words.
        vector: Their vector.
        source: The narrative it was cut from.
        row: The row of its sentence there, among the closely read ones.
        kept: Indices of the words of that sentence that carry its content.
        narrative: Where its evidence is sought, among the closely read sentences.
    """

    text: str
    vector: np.ndarray
    source: Document
    row: int
    kept: Sequence[int]
    narrative: Document


def evidence_of(reader: Reader, sought: Sequence[Sought]) -> list[int]:
    """Return for each statement the index of the sentence that shows it best."""
    best: dict[Sought, tuple[float, int]] = {}
    asked: list[tuple[Sought, int, float, PreparedText]] = []
    texts: dict[tuple[Document, int], PreparedText] = {}
    for one in sought:
        scores = clues(one) @ WEIGHTS[:-1]
        rows = worth_reading(scores)
        best[one] = -np.inf, rows[0]
        for row in rows if len(rows) > 1 else ():
            key = one.narrative, row
            if key not in texts:  # a sentence that several statements are read against
                texts[key] = sentence_alone(reader, *key)
            asked.append((one, row, float(scores[row]), texts[key]))
    readings = reader.read_each(
        [one.text for one, *_ in asked],
        [alone for *_, alone in asked],
        np.array([one.vector for one, *_ in asked]),
    )
    for (one, row, score, _), reading in zip(asked, readings, strict=True):
        total = round(score + WEIGHTS[-1] * within(reading), 5)
        if total > best[one][0]:
            best[one] = total, row
    return [int(one.narrative.close[best[one][1]]) for one in sought]


def unread_evidence(sought: Sought) -> int:
    """Return the index of the sentence with the best clues; this takes no reading."""
    return int(sought.narrative.close[worth_reading(clues(sought) @ WEIGHTS[:-1])[0]])


def clues(sought: Sought) -> Floats:
    """Return the `CLUES` of each closely read sentence of the narrative.

    - words: how near its words come to the kept ones, each in its context, by rarity
    - before: the cosine of the sentences before it and before the statement's own sentence; 0 at
      the start of a text
    """
    source, narrative = sought.source, sought.narrative
    place = int(source.close[sought.row])
    before = np.zeros(len(narrative.vectors))
    if place:
        before[1:] = narrative.vectors[:-1] @ source.vectors[place - 1]
    return np.column_stack([_words_found(sought), before[narrative.close]]).round(5)


def worth_reading(scores: Floats) -> list[int]:
    """Return the rows that are worth a reading, given the scores of their clues, best first."""
    scores = np.round(scores, 5)
    order = np.argsort(-scores, kind="stable")[:_MOST]
    return [int(row) for row in order if scores[row] >= scores[order[0]] - _CLOSE]


def sentence_alone(reader: Reader, document: Document, row: int) -> PreparedText:
    """Return one closely read sentence as a text of its own."""
    known = document.encoder is reader.encoder
    vectors = document.vectors[document.close[[row]]] if known else None
    return PreparedText([document.parsed[row].text], vectors)


def within(reading: Reading) -> float:
    """Return the mean support of the words, given that the text states a part of them."""
    return float(np.mean([word.within for word in reading.words])) if reading.words else 0.0


def _words_found(sought: Sought) -> Floats:
    """Return for each closely read sentence the mean best cosine of the kept words."""
    parsed = sought.source.parsed[sought.row]
    wanted = {*sought.kept}
    ends = parsed.words.spans[:, 1]
    own = [n for n, end in enumerate(ends) if len(parsed.text[:end].split()) - 1 in wanted]
    weights = parsed.words.weights[own]
    found = np.zeros(len(sought.narrative.parsed))
    if not weights.sum():
        return found
    vectors = parsed.words.vectors[own]
    for row, other in enumerate(sought.narrative.parsed):
        if len(other.words.vectors):
            nearest = (vectors @ other.words.vectors.T).max(axis=1)
            found[row] = nearest @ weights / weights.sum()
    return found
