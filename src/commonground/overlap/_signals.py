"""What speaks for a sentence being common ground, in numbers.

Each sentence is compared with the narrative that is the least sure among those that must agree.
All signals are then taken relative to the mean of the event: what counts is which of its
sentences stand out.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._reading import Narrated, Readings
from commonground.units.evidence import FEATURES

Array = NDArray[np.float64]

_OWN = (
    "logit",  # of the probability that the other narrative states it
    "reverse",  # the probability that this narrative states the sentence that shows it
    "cosine",  # to the nearest sentence of the other narrative
    "second cosine",
    "mean of three cosines",
    "own centre",  # cosine to the mean of its narrative
    "other centre",
    "other opening",  # cosine to the first sentence of the other narrative
    "own nearest",  # the nearest sentence of its own narrative
    "place",  # from 0 to 1
    "opening",  # 1 for the first sentence
    "inverse rank",
    "log rank",
    "place of evidence",
    "inverse rank of evidence",
    "inverse rank of nearest",
    "log words",
    "log words squared",
    "short",
    "long",
    "quotes",
    "opens with quote",
    "question",
    "no full stop",
    "colon",
    "first person",
    "opens with reference",  # a pronoun or connective that leans on what came before
    "density",  # how many sentences of the event share its words
    "names",  # share of its words
)
SIGNALS = (*FEATURES, *_OWN)

_FIRST_PERSON = re.compile(r"\b(?:I|me|my)\b")
_LEANING = re.compile(r"(?:He|She|It|They|This|That|These|Those|But|And|However|Also|So|Then)\b")
_SHORT, _LONG = 8, 45  # words


def signals(readings: Readings, at_least: int) -> list[Array]:
    """For each narrative, a row for each sentence that was read closely."""
    spread = _spread(readings)
    rows = [_rows(readings, place, at_least - 1, spread) for place in range(len(readings))]
    filled = [found for found in rows if len(found)]
    if not filled:
        return rows
    mean = np.concatenate(filled).mean(axis=0)
    return [found - mean for found in rows]


def weakest(probabilities: Array, needed: int) -> NDArray[np.int64]:
    """For each sentence, the place of the other narrative that is least sure of those needed."""
    order = np.argsort(-np.round(probabilities, 9), axis=0, kind="stable")
    return np.asarray(order[needed - 1], dtype=np.int64)


def _spread(readings: Readings) -> Counter[str]:
    """In how many sentences each stem occurs."""
    return Counter(
        stem
        for narrated in readings.narratives
        for words in narrated.text.words
        for stem in set(words.stems)
    )


def _rows(readings: Readings, place: int, needed: int, spread: Counter[str]) -> Array:
    own = readings.narratives[place]
    others = readings.others(place)
    if not len(own.close):
        return np.zeros((0, len(SIGNALS)))
    chosen = weakest(readings.probabilities(place), needed)
    centre, elsewhere = _centre([own]), _centre([readings.narratives[other] for other in others])
    nearest = own.text.vectors @ own.vectors.T
    rows = []
    for number, sentence in enumerate(own.close):
        other = others[chosen[number]]
        compared = readings.compared(place, other)
        near = _nearness(own, number, readings.narratives[other])
        nearest[number, sentence] = -1.0
        rows.append(
            [
                *compared.features[number],
                _logit(compared.probabilities[number]),
                _reverse(readings, place, other, int(compared.shown[number])),
                *near[:3],
                float(own.text.vectors[number] @ centre),
                float(own.text.vectors[number] @ elsewhere),
                near[3],
                max(float(nearest[number].max()), 0.0),
                *_place(int(sentence), len(own.sentences)),
                *_evidence_place(readings.narratives[other], int(compared.shown[number])),
                near[4],
                *_wording(own, number, spread),
            ]
        )
    return np.array(rows)


def _nearness(own: Narrated, number: int, other: Narrated) -> list[float]:
    """Three ways of nearness, the cosine to the opening, the inverse rank of the nearest."""
    if not len(other.vectors):
        return [0.0] * 5
    cosines = other.vectors @ own.text.vectors[number]
    best = np.sort(cosines)[::-1][:3]
    second = best[min(1, len(best) - 1)]
    rank = 1 / (1 + int(np.round(cosines, 6).argmax()))
    return [float(best[0]), float(second), float(best.mean()), float(cosines[0]), rank]


def _reverse(readings: Readings, place: int, other: int, shown: int) -> float:
    return float(readings.compared(other, place).probabilities[shown]) if shown >= 0 else 0.0


def _place(sentence: int, count: int) -> list[float]:
    return [
        sentence / max(count - 1, 1),
        float(sentence == 0),
        1 / (1 + sentence),
        float(np.log1p(sentence)),
    ]


def _evidence_place(other: Narrated, shown: int) -> list[float]:
    if shown < 0:
        return [0.0, 1.0]
    sentence = int(other.close[shown])
    return [sentence / max(len(other.sentences) - 1, 1), 1 / (1 + sentence)]


def _wording(own: Narrated, number: int, spread: Counter[str]) -> list[float]:
    unit = own.units[number]
    text = unit.text.strip()
    words = len(text.split())
    length = float(np.log1p(words))
    shared = [
        np.log(spread[stem])
        for stem, content in zip(unit.words.stems, unit.content, strict=True)
        if content
    ]
    return [
        length,
        length**2,
        float(words < _SHORT),
        float(words > _LONG),
        float(any(mark in text for mark in '"“”')),
        float(text[:1] in ('"', "“")),
        float(text.endswith("?")),
        float(text[-1:] not in '.!?"”)'),
        float(":" in text),
        float(_FIRST_PERSON.search(text) is not None),
        float(_LEANING.match(text) is not None),
        float(np.mean(shared)) if shared else 0.0,
        float(unit.parts[1].mean()) if len(unit.words.stems) else 0.0,
    ]


def _centre(narratives: Sequence[Narrated]) -> NDArray[np.float32]:
    """The unit mean of the narratives' own centres."""
    total = sum(_unit(one.vectors.mean(axis=0)) for one in narratives if len(one.vectors))
    return _unit(np.asarray(total, dtype=np.float32)) if np.ndim(total) else _nothing(narratives)


def _nothing(narratives: Sequence[Narrated]) -> NDArray[np.float32]:
    return np.zeros(narratives[0].vectors.shape[1], dtype=np.float32)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length else vector, dtype=np.float32)


def _logit(probability: float) -> float:
    kept = min(max(float(probability), 1e-6), 1 - 1e-6)
    return float(np.log(kept / (1 - kept)))
