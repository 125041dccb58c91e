"""A language model as judge: repeated, cached by content, resumable, with costs counted."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from commonground.agreement import Estimate, Scores, krippendorff_alpha
from commonground.benchmark.judge.rubric import Rubric
from commonground.errors import InputError
from commonground.io import Event
from commonground.metrics import bootstrap_interval
from commonground.narratives.generators import Gguf, Llm, Tokens
from commonground.plain import Plain
from commonground.score import Interval, Progress, Signature

REPEATS: Final = 3
ATTEMPTS: Final = 3
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Judged(Plain):
    """One criterion over all summaries.

    Attributes:
        mean, interval: Of the summaries' means over repeats; a bootstrap over summaries.
        agreement: Krippendorff's alpha (interval) between repeats.
        summaries: The number of summaries with a valid answer.
    """

    mean: float | None
    interval: Interval | None
    agreement: Estimate
    summaries: int


@dataclass(frozen=True, slots=True)
class Judgement(Plain):
    """All criteria, and what they cost.

    Attributes:
        scores: Rows `judge.CRITERION` for every other command; the mean over repeats.
        answers: The number of answers that were needed.
        asked: The number of requests that this run made; the other answers were in the cache.
        invalid: The number of answers that remained invalid after all attempts.
        tokens, cost: Of all answers, including those in the cache, and of invalid ones.
    """

    criteria: Mapping[str, Judged]
    scores: Scores
    answers: int
    asked: int
    invalid: int
    tokens: Tokens
    cost: float | None
    signature: Signature
    hidden = ("scores",)


class AnswerCache:
    """Answers by content in a JSONL file, to which each is added at once.

    A last line that an interruption cut off is removed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}
        if not path.exists():
            return
        content = path.read_bytes()
        whole = content.rpartition(b"\n")[0]
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                row = json.loads(line)
                self._known[row["key"]] = row
            except (ValueError, TypeError, KeyError, RecursionError):
                raise InputError(f"{path}, line {number}: is not an answer") from None
        if len(content) > len(whole):
            with path.open("r+b") as stream:
                stream.truncate(len(whole) + 1 if whole else 0)

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the row of a key."""
        return self._known.get(key)

    def add(self, row: dict[str, Any]) -> None:
        """Add a row and write it."""
        self._known[row["key"]] = row
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")


def judge(
    events: Mapping[str, Event],
    outputs: Mapping[str, Mapping[str, str]],
    rubric: Rubric,
    writer: Llm | Gguf,
    cache: AnswerCache,
    *,
    repeats: int = REPEATS,
    attempts: int = ATTEMPTS,
    prices: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Ask for scores of every summary, `repeats` times each.

    An answer that is not exactly what the rubric asks for is asked again, up to `attempts` times,
    and then counts as missing. `prices` are for a million tokens read and written.

    Raises:
        InputError: A summary of an unknown event, or without what the rubric shows.
        EndpointError: The endpoint failed; the answers so far are in the cache.
    """
    if repeats < 1 or attempts < 1:
        raise InputError("repeats and attempts must be at least 1")
    tasks = dict(_tasks(events, outputs, rubric, writer, repeats))
    asked = 0
    for attempt in range(attempts):
        left = [key for key in tasks if not _settled(cache.get(key), attempt)]
        conversations = (tasks[key][3] for key in left)
        # Repeats and attempts differ only by chance, so each has a seed of its own.
        seeds = (tasks[key][2] * attempts + attempt for key in left)
        for number, written in writer.converse(conversations, seeds):
            key, before = left[number], cache.get(left[number])
            tokens = written.tokens + (Tokens(**before["tokens"]) if before else Tokens())
            scores = rubric.parse(written.text)
            row = {"key": key, "scores": scores, "tries": attempt + 1, "tokens": tokens.to_dict()}
            cache.add(row)
            asked += 1
            if progress:
                progress(sum(cache.get(one) is not None for one in tasks), len(tasks))
    return _judgement(tasks, rubric, writer, cache, repeats, prices, asked)


_Task = tuple[str, str, int, list[dict[str, str]]]  # id, system, repeat, conversation


def _tasks(
    events: Mapping[str, Event],
    outputs: Mapping[str, Mapping[str, str]],
    rubric: Rubric,
    writer: Llm | Gguf,
    repeats: int,
) -> Iterator[tuple[str, _Task]]:
    for system, texts in outputs.items():
        for id_, summary in texts.items():
            if id_ not in events:
                raise InputError(f"system {system!r}: id {id_!r} is not in the data set")
            event = events[id_]
            for part in ("references", "narratives"):
                if rubric.needs(part) and not getattr(event, part):
                    raise InputError(f"id {id_!r} has no {part}, which the rubric shows")
            sources = [narrative.text for narrative in event.narratives]
            conversation = rubric.conversation(summary, event.references, sources)
            for repeat in range(repeats):
                content = json.dumps([dict(writer.settings), id_, system, conversation, repeat])
                key = hashlib.sha256(content.encode()).hexdigest()
                yield key, (id_, system, repeat, conversation)


def _settled(row: Mapping[str, Any] | None, attempt: int) -> bool:
    return row is not None and (row["scores"] is not None or row["tries"] > attempt)


def _judgement(
    tasks: Mapping[str, _Task],
    rubric: Rubric,
    writer: Llm | Gguf,
    cache: AnswerCache,
    repeats: int,
    prices: tuple[float, float] | None,
    asked: int,
) -> Judgement:
    places: dict[tuple[str, str], int] = {}
    for id_, system, *_ in tasks.values():
        places.setdefault((id_, system), len(places))
    table = np.full((len(rubric.criteria), repeats, len(places)), np.nan)
    tokens, invalid = Tokens(), 0
    for key, (id_, system, repeat, _) in tasks.items():
        row = cache.get(key) or {"scores": None, "tokens": {}}
        tokens += Tokens(**row["tokens"])
        invalid += row["scores"] is None
        for number, name in enumerate(rubric.criteria if row["scores"] else ()):
            table[number, repeat, places[id_, system]] = row["scores"][name]
    criteria, rows = {}, []
    for name, values in zip(rubric.criteria, table, strict=True):
        known = ~np.isnan(values)
        count = known.sum(axis=0)
        means = np.where(known, values, 0).sum(axis=0) / np.maximum(count, 1)
        valid = means[count > 0]
        rows += [
            (id_, system, f"judge.{name}", float(means[place]))
            for (id_, system), place in places.items()
            if count[place]
        ]
        criteria[name] = Judged(
            float(valid.mean()) if len(valid) else None,
            bootstrap_interval(valid)[0] if len(valid) else None,
            krippendorff_alpha(values, "interval"),
            len(valid),
        )
    cost = None
    if prices is not None:
        cost = (tokens.read * prices[0] + tokens.written * prices[1]) / _MILLION
    settings = {**writer.settings, "prompt": rubric.shown, "repeats": str(repeats)}
    signature = Signature.of("JUDGE", **settings)
    return Judgement(criteria, Scores.of(rows), len(tasks), asked, invalid, tokens, cost, signature)
