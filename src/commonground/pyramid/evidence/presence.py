"""Presence: the probability that a text states a unit, and the sentence that shows it.

A logistic regression and small networks over `features`, fitted by `bench/fit_evidence.py` on
human labels; `data/evidence.json` has the coefficients and their source.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import DEFAULT, Encoder, one_blas_thread
from commonground.errors import InputError
from commonground.plain import Plain
from commonground.pyramid.evidence.features import FEATURES, features
from commonground.pyramid.evidence.network import coefficients, probabilities
from commonground.pyramid.evidence.units import ReadUnit
from commonground.reading import Document, read, token_encoder
from commonground.text import Sentence, sentences, split

MODEL = "realsumm2"
"""The name of the coefficients in signatures; it changes with them."""

SUPPORTED = 0.18
"""From this probability on a narrative supports a clause.

Nineteen of twenty clauses that people wrote down as the common ground of two narratives are above
it, and nearly all clauses about another event below (`bench/fit_overlap.py` prints them).
"""


@dataclass(frozen=True, slots=True)
class Presence(Plain):
    """The probability that a text states a unit.

    `sentence` and `text` are the index and the words of the sentence that shows it best; None if
    the text has no words.
    """

    unit: str
    probability: float
    sentence: int | None
    text: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Units compared with one text, a row for each unit.

    Attributes:
        features: In the order of `FEATURES`.
        probabilities: That the text states the unit.
        shown: Index of the sentence that shows it best; -1 in a text without words.
    """

    features: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    shown: NDArray[np.int64]


class Evidence:
    """Judges presence: prepare units and texts once, then compare any of them.

    Args:
        encoder: An encoder with token vectors, or its name. The coefficients were fitted with
            `minilm`.

    Example:
        >>> judge = Evidence()
        >>> (found,) = judge.judge(["The dam burst."], "Heavy rain fell. Then the dam broke.")
        >>> found.sentence, found.probability > 0.5
        (1, True)
    """

    def __init__(self, encoder: str | Encoder = DEFAULT) -> None:
        self.encoder = token_encoder(encoder)

    def read_units(self, units: Sequence[str]) -> list[ReadUnit]:
        """Prepare units; each is one sentence or clause."""
        if isinstance(units, str):
            raise InputError("units must be a list of texts, got one string; write [text]")
        entries = [Sentence(unit, 0, len(unit)) for unit in units]
        return list(map(ReadUnit.of, read(entries, self.encoder).parsed))

    def read_text(self, text: str | Sequence[str]) -> Document:
        """Prepare a text: a `str`, which is split, or a list of sentences."""
        if isinstance(text, str):
            return read(split(text), self.encoder)
        return read([Sentence(entry, 0, len(entry)) for entry in sentences(text)], self.encoder)

    def judge(self, units: Sequence[str], text: str | Sequence[str]) -> list[Presence]:
        """Judge the presence of every unit."""
        return self.judge_read(self.read_units(units), self.read_text(text))

    def judge_read(self, units: Sequence[ReadUnit], text: Document) -> list[Presence]:
        """Judge the presence of prepared units."""
        compared = self.compare(units, text)
        rows = zip(units, compared.probabilities.tolist(), compared.shown.tolist(), strict=True)
        return [
            Presence(unit.parsed.text, probability, shown, text.texts[shown])
            if shown >= 0
            else Presence(unit.parsed.text, probability, None, None)
            for unit, probability, shown in rows
        ]

    def probabilities(self, units: Sequence[ReadUnit], text: Document) -> NDArray[np.float64]:
        """Return the probability of each unit."""
        return self.compare(units, text).probabilities

    def compare(self, units: Sequence[ReadUnit], text: Document) -> Compared:
        """Return the features, the probability and the best sentence of each unit."""
        if not units:
            return Compared(np.zeros((0, len(FEATURES))), np.zeros(0), np.zeros(0, dtype=np.int64))
        with one_blas_thread():  # many small products, which threads would slow down
            computed = features(units, text)
            return Compared(computed.rows, probabilities(computed, coefficients()), computed.shown)
