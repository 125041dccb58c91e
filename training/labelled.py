"""Labelled sentences beside the answers of models that had not seen them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.items import Item
from training.prepare import labelled_items
from training.raw import Raw, load_raw

ANSWERS = Path(__file__).parent.parent / "data" / "reader" / "answers.npz"
NATURAL = ("pairs", "three_way", "policies", "news")
"""Sources with as many conflicts as texts have that people bring."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A labelled sentence and the answer to it.

    Attributes:
        event: The event it belongs to.
        source: The data set.
        kind: The kind of text.
        label: Its class.
        marks: Whether each word is stated; None where it is not labelled.
        evidence: The sentences of the text that show it.
        occurs: Whether each word occurs in the text.
        raw: The answer.
    """

    event: str
    source: str
    kind: str
    label: int
    marks: np.ndarray | None
    evidence: tuple[int, ...]
    occurs: np.ndarray
    raw: Raw


def labelled_rows(data: Path, answers: Path = ANSWERS) -> list[Row]:
    """Every labelled sentence that asserts something and has an answer."""
    raw = load_raw(answers)
    return [row for item in labelled_items(data) for row in _rows(item, raw)]


def key_of(item: Item, key: tuple[int, ...]) -> str:
    """The name of a sentence in the file of answers."""
    return f"{item.source}:{item.id}:{'.'.join(map(str, key))}"


def _rows(item: Item, raw: dict[str, Raw]) -> list[Row]:
    known = {_bare(word) for text in item.text for word in text.split()}
    found = []
    for claim in item.claims:
        answer = raw.get(key_of(item, claim.key))
        if claim.evidence is None or claim.allowed is None or answer is None:
            continue
        marks = None if claim.words is None else np.array(claim.words)
        occurs = np.array([_bare(word) in known for word in claim.sentence.split()], dtype=float)
        label, evidence = claim.allowed[0], claim.evidence
        row = Row(item.id, item.source, item.kind, label, marks, evidence, occurs, answer)
        found.append(row)
    return found


def _bare(word: str) -> str:
    return word.strip(".,;:!?\"'()").lower()
