"""A small topic model: probabilistic latent semantic analysis by expectation maximisation.

Every word of a sentence comes from a topic; a topic is a distribution over words, and a sentence
has its own mixture of topics. This is also the factorisation of the table of counts that
minimises the Kullback-Leibler divergence, which gives the short form of the update.

Chosen over LDA because the texts are short: the priors of LDA outweigh a dozen sentences, and its
topics then depend on the seed. Here nothing is drawn: topics start at sentences that are central
and unlike each other, so the same sentences give the same topics. And the share of a topic in a
text is simply the share of its words, a number that can be checked by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float64]

_ROUNDS = 200
_STILL = 1e-6  # no share of a sentence moves more in a round
_BACKGROUND = 0.01  # the part of every topic's start that all words share
_ZERO = 1e-6  # shares below are what rounding left of nothing


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """What was fitted.

    Attributes:
        shares: For each sentence the probability of each topic.
        words: For each topic the probability of each word.
    """

    shares: Floats
    words: Floats


def fit(sentences: Sequence[Sequence[int]], vocabulary: int, topics: int) -> Topics:
    """Fit topics to sentences, each given by the numbers of its words.

    Args:
        sentences: In an order that does not depend on the caller; each with at least one word.
        vocabulary: How many words there are.
        topics: How many topics at most; there are fewer where the sentences are not different
            enough to begin so many.
    """
    counts = _counts(sentences, vocabulary)
    words = _start(counts, topics)
    shares = np.full((len(sentences), len(words)), 1 / len(words))
    for _ in range(_ROUNDS):
        moved, words = _round(counts, shares, words)
        still = float(np.abs(moved - shares).max()) < _STILL
        shares = moved
        if still:
            break
    return Topics(_shares(np.where(shares < _ZERO, 0.0, shares)), words)


def _counts(sentences: Sequence[Sequence[int]], vocabulary: int) -> Any:
    rows = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
    columns = np.concatenate([np.asarray(words) for words in sentences])
    shape = (len(sentences), vocabulary)
    table = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    table.sum_duplicates()
    return table


def _start(counts: Any, topics: int) -> Floats:
    """Topics around sentences that resemble many others and none of those chosen before."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    rows = counts.multiply(np.log((1 + counts.shape[0]) / (1 + frequency)) + 1).tocsr()
    rows = csr_array(rows.multiply(1 / np.sqrt(rows.multiply(rows).sum(axis=1))[:, None]))
    central = rows @ np.asarray(rows.sum(axis=0)).ravel()
    nearest = np.zeros(counts.shape[0])
    started: list[Floats] = []
    while len(started) < topics:
        # Rounded, so that equals stay equal and the first of them is taken.
        worth = np.round(central * (1 - nearest), 9)
        if worth.max() <= 0:
            break
        chosen = int(worth.argmax())
        likeness = rows @ rows[[chosen]].toarray().ravel()
        nearest = np.maximum(nearest, likeness)
        nearest[chosen] = 1
        started.append(counts.T @ likeness)
    found = _shares(np.array(started))
    return np.asarray((1 - _BACKGROUND) * found + _BACKGROUND / counts.shape[1])


def _round(counts: Any, shares: Floats, words: Floats) -> tuple[Floats, Floats]:
    """One round of expectation and maximisation, for all topics at once."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    expected = np.einsum("ij,ji->i", shares[rows], words[:, counts.indices])
    ratio = csr_array((counts.data / expected, counts.indices, counts.indptr), shape=counts.shape)
    return _shares(shares * (ratio @ words.T)), _shares(words * (ratio.T @ shares).T)


def _shares(rows: Floats) -> Floats:
    totals = rows.sum(axis=1, keepdims=True)
    return np.asarray(rows / np.where(totals > 0, totals, 1))
