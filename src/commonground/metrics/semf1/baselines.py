"""The random baselines of the SEM-F1 paper (section 6.2).

A useful metric scores real outputs far above both of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING

import numpy as np

from commonground.errors import InputError
from commonground.metrics.texts import CheckedPair, Text, check_corpus
from commonground.plain import Plain
from commonground.score import PRF, Signature
from commonground.text import sentences

if TYPE_CHECKING:
    from commonground.metrics.semf1.measure import SemF1

DRAWS = 10


@dataclass(frozen=True, slots=True, repr=False)
class Baseline(Plain):
    """A random baseline: means over all items and draws.

    Attributes:
        kind: "random-reference" or "random-output".
        mean: Mean precision, recall and F1.
        deviation: Standard deviation of the draws' mean F1; 0 for one draw.
        draws: The number of draws.
        signature: That of the metric, with the kind, the draws and the seed.
    """

    kind: str
    mean: PRF
    deviation: float
    draws: int
    signature: Signature

    def __repr__(self) -> str:
        return f"Baseline({self.kind}, mean={self.mean!r}, signature='{self.signature}')"


def random_reference(
    measure: "SemF1",
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Baseline:
    """Score each output against one reference drawn from the other events' references.

    Args:
        measure: The metric.
        predictions: One system's outputs, one for each event.
        references: For each event its references.
        draws: The number of draws that the means are over.
        seed: The seed of the draws.
    """
    pairs = _events(predictions, references, draws)
    pool = [
        (event, text)
        for event, (_, texts) in enumerate(pairs)
        for text in texts
        if sentences(text, measure.splitter)
    ]
    if len({event for event, _ in pool}) < 2:
        raise InputError("a random reference needs two events with references that are not empty")
    owners = np.array([event for event, _ in pool])
    generator = np.random.default_rng(seed)
    drawn = [
        [pool[int(generator.choice(np.flatnonzero(owners != event)))][1]]
        for _ in range(draws)
        for event in range(len(pairs))
    ]
    outputs = [prediction for prediction, _ in pairs] * draws
    return _baseline("random-reference", measure, outputs, drawn, draws, seed)


def random_output(
    measure: "SemF1",
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Baseline:
    """Score the same system's output for another event against the event's own references.

    The arguments are those of `random_reference`.
    """
    pairs = _events(predictions, references, draws)
    count = len(pairs)
    generator = np.random.default_rng(seed)
    # A shift by 1 to count - 1 reaches every other event with equal probability.
    steps = generator.integers(1, count, size=(draws, count))
    drawn = ((np.arange(count) + steps) % count).ravel()
    outputs = [pairs[int(other)][0] for other in drawn]
    targets = [texts for _, texts in pairs] * draws
    return _baseline("random-output", measure, outputs, targets, draws, seed)


def _events(
    predictions: Sequence[Text], references: Sequence[Sequence[Text]], draws: int
) -> list[CheckedPair]:
    if draws < 1:
        raise InputError(f"draws must be at least 1, not {draws}")
    pairs = check_corpus(predictions, references)
    if len(pairs) < 2:
        raise InputError("a random baseline needs at least two events")
    return pairs


def _baseline(
    kind: str,
    measure: "SemF1",
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    draws: int,
    seed: int,
) -> Baseline:
    corpus = measure.corpus(predictions, references)
    by_draw = np.array([item.f1 for item in corpus.items]).reshape(draws, -1).mean(axis=1)
    centre = fsum(by_draw) / draws
    variance = fsum((value - centre) ** 2 for value in by_draw) / max(draws - 1, 1)
    fields = {key: value for key, value in corpus.signature.fields if key not in ("boot", "v")}
    fields |= {"base": kind, "draws": str(draws), "seed": str(seed)}
    signature = Signature.of(corpus.signature.measure, **fields)
    return Baseline(kind, corpus.mean, sqrt(variance), draws, signature)
