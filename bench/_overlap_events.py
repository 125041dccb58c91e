"""The development events with human overlaps: read once, their sentences' signals and worth."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from commonground.metrics import Rouge, SemF1
from commonground.overlap._judging import Judge
from commonground.overlap._reading import Readings
from commonground.overlap._relevance import Relevance
from commonground.overlap._signals import signals
from commonground.units.evidence import Evidence

FILES = ("allsides", "policies")
FOLDS = 10
RIDGE = 30.0
ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")
# What a sentence alone is worth: half of it SEM-F1, half ROUGE.
SEM_SHARE, ROUGE_SHARES = 0.5, (0.2, 0.15, 0.15)


@dataclass(frozen=True)
class Event:
    """One pair of narratives with its references; worth is empty where there is no reference."""

    file: str
    id: str
    narratives: list[str]
    references: list[str]
    readings: Readings
    signals: np.ndarray
    worth: np.ndarray


def events(data: Path) -> list[Event]:
    """All development events, in the files' order."""
    judge = Judge(Evidence())
    found = []
    for file in FILES:
        path = data / "sos" / f"{file}_dev.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            texts = [narrative["text"] for narrative in row["narratives"]]
            references = [text for text in row["references"] if text.strip()]
            readings = Readings(texts, judge)
            rows = np.concatenate(signals(readings, len(texts)))
            sentences = [unit.text for one in readings.narratives for unit in one.units]
            worth = _worth(sentences, references)
            found.append(Event(file, row["id"], texts, references, readings, rows, worth))
    return found


def _worth(sentences: list[str], references: list[str]) -> np.ndarray:
    """How good a summary each sentence would be by itself."""
    if not references:
        return np.zeros(0)
    given = [references] * len(sentences)
    semantic = SemF1().corpus(sentences, given).items
    lexical = Rouge(types=ROUGE_TYPES, stemmer=True).corpus(sentences, given).items
    return np.array(
        [
            SEM_SHARE * one.f1
            + sum(
                share * other[kind].f1
                for share, kind in zip(ROUGE_SHARES, ROUGE_TYPES, strict=True)
            )
            for one, other in zip(semantic, lexical, strict=True)
        ]
    )


def folds(found: list[Event]) -> np.ndarray:
    """A fold for each event, drawn once."""
    places = np.random.default_rng(0).permutation(len(found))
    numbers = np.empty(len(found), dtype=int)
    numbers[places] = np.arange(len(found)) % FOLDS
    return numbers


def fit(found: list[Event]) -> Relevance:
    """Ridge regression within events: signals and worth are relative to the event's mean.

    Every event counts the same, however long its narratives are.
    """
    told = [event for event in found if len(event.worth)]
    rows = np.concatenate([event.signals for event in told])
    worth = np.concatenate([event.worth - event.worth.mean() for event in told])
    weights = np.concatenate([np.full(len(e.worth), 1 / len(e.worth)) for e in told])
    weights /= weights.mean()
    scale = np.sqrt(weights @ rows**2 / weights.sum())
    scale[scale == 0] = 1.0
    unit = rows / scale
    penalised = unit.T @ (weights[:, None] * unit) + RIDGE * np.eye(unit.shape[1])
    coefficients = np.linalg.solve(penalised, unit.T @ (weights * worth)) / scale
    return Relevance(float(np.mean([event.worth.mean() for event in told])), coefficients)
