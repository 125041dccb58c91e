"""How likely is it that a text states a unit, and which sentence shows it?

A logistic regression and small networks over the features of `features`, fitted by
`bench/fit_evidence.py` on human labels; the coefficients and where they come from are in
`data/evidence.json`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import DEFAULT, Encoder, TokenEncoder, load, one_blas_thread
from commonground.errors import InputError
from commonground.pyramid.evidence.features import FEATURES, features
from commonground.pyramid.evidence.network import coefficients, probabilities
from commonground.pyramid.evidence.reading import ReadText, ReadUnit, read, read_units
from commonground.text import sentences

MODEL = "realsumm2"
"""What a signature calls the coefficients; raised whenever they change."""

SUPPORTED = 0.18
"""From this probability on a narrative is held to support a clause.

Nineteen of twenty clauses that people wrote down as the common ground of two narratives lie above
it, and nearly all clauses about another event below (`bench/fit_overlap.py` prints them).
"""


@dataclass(frozen=True, slots=True)
class Presence:
    """How likely a text states a unit.

    `sentence` is the sentence that shows it best, as a number in the text and as words; a text
    without words has none.
    """

    unit: str
    probability: float
    sentence: int | None
    text: str | None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "unit": self.unit,
            "probability": self.probability,
            "sentence": self.sentence,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Units compared with one text, a row for each unit.

    Attributes:
        features: What speaks for the text stating the unit, in the order of `FEATURES`.
        probabilities: That the text states it.
        shown: The place of the sentence that shows it best; -1 in a text without words.
    """

    features: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    shown: NDArray[np.int64]


class Evidence:
    """The judge of presence: read units and texts once, then ask about any pair of them.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder; it must have
            token vectors. The coefficients were fitted with `minilm`.

    Example:
        >>> judge = Evidence()
        >>> (found,) = judge.judge(["The dam burst."], "Heavy rain fell. Then the dam broke.")
        >>> found.sentence, found.probability > 0.5
        (1, True)
    """

    def __init__(self, encoder: str | Encoder = DEFAULT) -> None:
        found = load(encoder) if isinstance(encoder, str) else encoder
        if not isinstance(found, TokenEncoder):
            raise InputError(f"evidence needs token vectors, which {found.name!r} has not")
        self.encoder = found

    def read_units(self, units: Sequence[str]) -> list[ReadUnit]:
        """Prepare units; each is one sentence or clause."""
        if isinstance(units, str):
            raise InputError("units must be a list of texts, got one string; write [text]")
        return read_units(units, self.encoder.tokens(units))

    def read_text(self, text: str | Sequence[str]) -> ReadText:
        """Prepare a text: a `str`, which is split, or a list of sentences."""
        found = sentences(text)
        return read(found, self.encoder.tokens(found))

    def probabilities(self, units: Sequence[ReadUnit], text: ReadText) -> NDArray[np.float64]:
        """The probability of each unit; both sides as `read_units` and `read_text` made them."""
        return self.compare(units, text).probabilities

    def read_both(self, sentences: Sequence[str]) -> tuple[list[ReadUnit], ReadText]:
        """Sentences as units and as a text, with one pass of the encoder."""
        tokens = self.encoder.tokens(sentences)
        text = read(sentences, tokens)
        return read_units(sentences, tokens), text

    def judge(self, units: Sequence[str], text: str | Sequence[str]) -> list[Presence]:
        """Judge every unit, with the sentence that shows it."""
        return self.judge_read(self.read_units(units), self.read_text(text))

    def judge_read(self, units: Sequence[ReadUnit], text: ReadText) -> list[Presence]:
        """`judge` on what has been read before."""
        compared = self.compare(units, text)
        return [
            Presence(
                unit.text,
                float(probability),
                int(place) if place >= 0 else None,
                text.sentences[place] if place >= 0 else None,
            )
            for unit, probability, place in zip(
                units, compared.probabilities, compared.shown, strict=True
            )
        ]

    def compare(self, units: Sequence[ReadUnit], text: ReadText) -> Compared:
        """The features, the probability and the best sentence of each unit."""
        if not units:
            return Compared(np.zeros((0, len(FEATURES))), np.zeros(0), np.zeros(0, dtype=np.int64))
        with one_blas_thread():  # many small products, on which threads would only wait
            found = features(units, text)
            return Compared(found.rows, probabilities(found, coefficients()), found.shown)
