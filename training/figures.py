"""How good predictions are: areas under the curve on labelled claims."""

from collections.abc import Sequence

import numpy as np

from training.items import CONTRADICTED, PARTLY, STATED, Claim, Item
from training.predictions import Predictions


def auc(positive: np.ndarray, scores: np.ndarray) -> float:
    """The chance that a positive scores above a negative; NaN without one of both."""
    positive = np.asarray(positive, dtype=bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    here, there = positive.sum(), (~positive).sum()
    if not here or not there:
        return float("nan")
    return float((ranks[positive].sum() - here * (here + 1) / 2) / (here * there))


def figures(
    items: Sequence[Item], first: Sequence[int], found: Predictions, wanted: Sequence[int]
) -> dict[str, float]:
    """The figures of some items: labelled reading claims with a prediction."""
    claims: list[Claim] = []
    numbers: list[int] = []
    for place in wanted:
        for offset, claim in enumerate(items[place].claims):
            number = first[place] + offset
            if claim.evidence is not None and not np.isnan(found.classes[number]).any():
                claims.append(claim)
                numbers.append(number)
    if not claims:
        return {}
    label = np.array([claim.allowed[0] for claim in claims])
    classes = found.classes[numbers]
    words, marks = [], []
    for claim, number in zip(claims, numbers, strict=True):
        if claim.allowed == (PARTLY,) and claim.words:
            part = found.words[number][: len(claim.words)]
            words.append(part)
            marks.append(claim.words[: len(part)])
    inside = (np.concatenate(marks), np.concatenate(words)) if words else (np.zeros(0), np.zeros(0))
    return {
        "n": len(claims),
        "shared": auc(np.isin(label, (STATED, PARTLY)), classes[:, STATED] + classes[:, PARTLY]),
        "stated": auc(label == STATED, classes[:, STATED]),
        "words": auc(inside[0] > 0, inside[1].astype(np.float32)),
        "contradicted": auc(label == CONTRADICTED, classes[:, CONTRADICTED]),
    }


def report(
    name: str, items: Sequence[Item], first: Sequence[int], found: Predictions, held: set[int]
) -> None:
    """Print the figures of held-out items: of all, of news, policies, rumours, own events."""
    groups = {
        "all": lambda item: (
            item.source in ("pairs", "three_way", "rumours", "policies", "news", "own")
        ),
        "old": lambda item: item.source in ("pairs", "three_way", "rumours"),
        "news": lambda item: item.source in ("pairs", "three_way", "news") and item.kind == "news",
        "policy": lambda item: item.source in ("pairs", "policies") and item.kind == "policy",
        "rumours": lambda item: item.source == "rumours",
        "own": lambda item: item.source == "own",
    }
    for group, belongs in groups.items():
        wanted = [n for n, item in enumerate(items) if item.fold in held and belongs(item)]
        row = figures(items, first, found, wanted)
        if row:
            shown = " ".join(f"{key} {value:.3f}" for key, value in row.items() if key != "n")
            print(f"FIG {name:16} {group:8} n {row['n']:5} {shown}", flush=True)
    units = [n for n, item in enumerate(items) if item.fold in held and item.source == "realsumm"]
    numbers = [first[n] + k for n in units for k in range(len(items[n].claims))]
    marks = [claim.allowed == (STATED,) for n in units for claim in items[n].claims]
    numbers_known = [n for n in numbers if not np.isnan(found.classes[n]).any()]
    if numbers and len(numbers_known) == len(numbers):
        score = found.classes[numbers, STATED]
        least = np.array([found.words[n].min() if len(found.words[n]) else 0 for n in numbers])
        both = auc(np.array(marks), score), auc(np.array(marks), least.astype(np.float32))
        print(
            f"FIG {name:16} realsumm n {len(numbers):5} stated {both[0]:.3f} least {both[1]:.3f}",
            flush=True,
        )
