"""Fit the networks of `pyramid.evidence.network`: cross entropy with a ridge, by L-BFGS."""

import numpy as np
from scipy.optimize import minimize

from commonground.pyramid.evidence.features import Features
from commonground.pyramid.evidence.network import Network, Scale, overall

WORD_HIDDEN, SCORES, HIDDEN = 8, 4, 8
RIDGE = 3e-3
STEPS = 80


def fit(examples: Features, labels: np.ndarray, start: int) -> Network:
    """One network; `start` is the number of its random start."""
    known = overall(examples)
    scales = Scale.of(known), Scale.of(examples.words)
    whole = scales[0](known).astype(np.float32)
    single = scales[1](examples.words).astype(np.float32)
    shapes = _shapes(whole.shape[1], single.shape[1])
    found = minimize(
        _loss,
        _start(shapes, start),
        args=(shapes, whole, single, examples.counts, labels),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": STEPS, "maxcor": 20},
    )
    return Network(*scales, *_parts(found.x, shapes))


def _shapes(whole: int, word: int) -> list[tuple[int, ...]]:
    joined = whole + 2 * SCORES
    return [
        (word, WORD_HIDDEN),
        (WORD_HIDDEN,),
        (WORD_HIDDEN, SCORES),
        (SCORES,),
        (joined, HIDDEN),
        (HIDDEN,),
        (joined + HIDDEN,),
        (1,),
    ]


def _start(shapes: list[tuple[int, ...]], number: int) -> np.ndarray:
    """Random matrices; biases and the last coefficients begin at 0."""
    chance = np.random.default_rng(number)
    parts = [
        chance.normal(0, 1 / np.sqrt(shape[0]), shape) if len(shape) == 2 else np.zeros(shape)
        for shape in shapes
    ]
    return np.concatenate([part.ravel() for part in parts])


def _parts(flat: np.ndarray, shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]


def _loss(
    flat: np.ndarray,
    shapes: list[tuple[int, ...]],
    whole: np.ndarray,
    single: np.ndarray,
    counts: np.ndarray,
    labels: np.ndarray,
) -> tuple[float, np.ndarray]:
    """Mean cross entropy and ridge, with the gradient."""
    word, word_bias, score, score_bias, deep, deep_bias, out, out_bias = (
        part.astype(np.float32) for part in _parts(flat, shapes)
    )
    of, first = np.repeat(np.arange(len(counts)), counts), np.cumsum(counts) - counts
    inner = np.tanh(single @ word + word_bias)
    scores = inner @ score + score_bias
    bent = np.tanh(scores)
    mean = np.add.reduceat(bent, first) / counts[:, None].astype(np.float32)
    least = np.minimum.reduceat(scores, first)
    joined = np.hstack([whole, mean, least])
    hidden = np.tanh(joined @ deep + deep_bias)
    logits = np.hstack([joined, hidden]) @ out + out_bias[0]
    expected = 1 / (1 + np.exp(-logits))
    entropy = float(np.mean(np.logaddexp(0, logits) - labels * logits))

    size = joined.shape[1]
    error = ((expected - labels) / len(labels)).astype(np.float32)
    to_hidden = np.outer(error, out[size:]) * (1 - hidden**2)
    to_joined = np.outer(error, out[:size]) + to_hidden @ deep.T
    to_mean, to_least = np.split(to_joined[:, -2 * SCORES :], 2, axis=1)
    to_scores = (to_mean / counts[:, None])[of] * (1 - bent**2)
    to_scores += (scores == least[of]) * to_least[of]
    to_inner = to_scores @ score.T * (1 - inner**2)
    gradient = np.concatenate(
        [
            (single.T @ to_inner).ravel(),
            to_inner.sum(axis=0),
            (inner.T @ to_scores).ravel(),
            to_scores.sum(axis=0),
            (joined.T @ to_hidden).ravel(),
            to_hidden.sum(axis=0),
            np.hstack([joined, hidden]).T @ error,
            [error.sum()],
        ]
    ).astype(np.float64)
    free = np.concatenate([np.full(int(np.prod(s)), s != (1,)) for s in shapes])
    return entropy + RIDGE / 2 * float((flat**2 * free).sum()), gradient + RIDGE * flat * free
