"""How likely a narrative states a cut in full: the reader's answers to it and to its sentence.

The reader is calibrated on sentences as people wrote them. A cut was made to fit, so its own answer
is too high; a regression over both answers corrects it. `training/belief.py` fits it on labelled
events that the reader had not seen.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from commonground.narratives.statements.tree import Floats
from commonground.narratives.word_lists import data_text
from commonground.reader import Reading

FEATURES = (
    "cut stated",
    "cut shared",
    "cut contradicted",
    "sentence stated",
    "sentence shared",
    "sentence contradicted",
    "least word within",
    "second word within",
    "mean word within",
    "least word of the cut",
    "second word of the cut",
    "mean word of the cut",
    "words",
    "share kept",
    "whole",
    "form",
    "details fit",
)


@cache
def fitted() -> Mapping[str, float]:
    """The weights of the package by feature; "" is the intercept."""
    text = data_text("belief.json")
    weights: dict[str, float] = json.loads(text)
    return weights


def features(
    sentence: Reading, cut: Reading, kept: Sequence[int], form: float, fits: bool
) -> Floats:
    """What the belief rests on.

    Args:
        sentence: The reading of the whole sentence.
        cut: The reading of the cut.
        kept: The words of the sentence that carry the cut's content.
        form: How good a sentence the cut is.
        fits: Whether the narrative has no other numbers or dates in place of the cut's.
    """
    within = np.sort([_log_odds(sentence.words[n].within) for n in kept] or [0.0])
    own = np.sort([_log_odds(word.support) for word in cut.words] or [0.0])
    count = len(cut.words)
    return np.array(
        [
            *(_log_odds(one) for one in (cut.stated, cut.shared, cut.contradicted)),
            *(_log_odds(one) for one in (sentence.stated, sentence.shared, sentence.contradicted)),
            within[0], within[min(1, len(within) - 1)], within.mean(),
            own[0], own[min(1, len(own) - 1)], own.mean(),
            np.log(max(count, 1)), count / max(len(sentence.words), 1),
            float(count >= len(sentence.words)), _log_odds(form), float(fits),
        ]
    )  # fmt: skip


def bound(sentence: Reading, kept: Sequence[int], form: float, words: int) -> float:
    """The highest belief that a cut of so many words can reach, before the cut is read."""
    best = Reading("", 1.0, 0.0, 0.0, 0.0, sentence.words[:words], (), None)
    return belief(features(sentence, best, kept, form, True))


def belief(values: Floats, weights: Mapping[str, float] | None = None) -> float:
    """The probability that the narrative states the cut in full."""
    weights = weights or fitted()
    moved = weights[""] + sum(weights[n] * v for n, v in zip(FEATURES, values, strict=True))
    return float(1 / (1 + np.exp(-np.clip(moved, -30, 30))))


def _log_odds(probability: float) -> float:
    inside = min(max(float(probability), 1e-3), 1 - 1e-3)
    return float(np.log(inside / (1 - inside)))
