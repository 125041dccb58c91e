"""A set of summaries with human scores, in the layout of docs/meta-evaluation.md."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from commonground.agreement import Overlaps, Scores, human_scores, is_csv, read_labels, read_tables
from commonground.errors import InputError
from commonground.io import (
    Event,
    Narrative,
    Row,
    event_of,
    prediction_of,
    read_rows,
    write_events,
    write_rows,
)

_ENDINGS: Final = (".jsonl", ".jsonl.gz", ".csv", ".csv.gz", ".parquet")
_NUMBERED: Final = re.compile(r"(reference|narrative)[ _-]?\d*")


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Events with references, each system's summaries by event, and human scores of summaries."""

    title: str
    events: Mapping[str, Event]
    outputs: Mapping[str, Mapping[str, str]]
    human: Scores

    def __post_init__(self) -> None:
        if not self.human.rows:
            raise InputError(f"{self.title}: has no human scores")
        for row in self.human:
            if row.id not in self.outputs.get(row.system, {}):
                raise InputError(
                    f"{self.title}: a human score is for system {row.system!r}, id {row.id!r}, "
                    "which has no summary"
                )

    @property
    def summaries(self) -> int:
        """The number of summaries."""
        return sum(map(len, self.outputs.values()))

    def write(self, folder: str | Path) -> None:
        """Write `events.jsonl`, `outputs.jsonl` and `human.jsonl`."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_events(folder / "events.jsonl", self.events.values())
        rows = (
            {"id": id_, "system": system, "summary": text}
            for system, texts in self.outputs.items()
            for id_, text in texts.items()
        )
        write_rows(folder / "outputs.jsonl", rows)
        write_rows(folder / "human.jsonl", self.human.to_rows())


def is_layout(path: Path) -> bool:
    """Return whether the folder has the layout."""
    return path.is_dir() and any(path.glob("outputs.*"))


def read_layout(folder: Path) -> JudgedSet:
    """Read `events`, `outputs`, and `human` scores or a folder of `labels`, as JSONL or CSV."""
    events: dict[str, Event] = {}
    for row in _rows(_found(folder, "events")):
        event = _event(row)
        if event.id in events:
            raise row.wrong(f"duplicate id {event.id!r}")
        events[event.id] = event
    outputs: dict[str, dict[str, str]] = {}
    path = _found(folder, "outputs")
    for row in _rows(path):
        output = prediction_of(row)
        if output.id not in events:
            raise row.wrong(f"id {output.id!r} is not in the events")
        texts = outputs.setdefault(output.system, {})
        if output.id in texts:
            raise row.wrong(f"duplicate id {output.id!r} of system {output.system!r}")
        texts[output.id] = output.summary
    return JudgedSet(folder.resolve().name, events, outputs, _human(folder))


def _human(folder: Path) -> Scores:
    """Return the scores of `human.*`, and those of the label files in `labels`."""
    scores = Scores(())
    for path in _candidates(folder, "human"):
        rows = list(_rows(path))
        wide = bool(rows) and not {"metric", "value"} & set(rows[0].values)
        scores += Scores.of(map(_score, _unfolded(rows))) if wide else Scores.read(path)
    for path in sorted((folder / "labels").glob("*")) if (folder / "labels").is_dir() else ():
        labels = read_labels(path)
        if not isinstance(labels, Overlaps):
            scores += human_scores(labels)
    if not scores.rows:
        raise InputError(f'{folder}: has no human scores; give "human.csv" or a folder "labels"')
    return scores


def _unfolded(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    for row in rows:
        for key, value in row.values.items():
            if key not in ("id", "system") and value not in (None, ""):
                yield row, key


def _score(cell: tuple[Row, str]) -> tuple[str, str, str, float]:
    row, key = cell
    try:
        return str(row.required("id")), str(row.required("system")), key, float(row.values[key])
    except (TypeError, ValueError):
        raise row.wrong(f'"{key}" must be a number, not {row.values[key]!r}') from None


def _event(row: Row) -> Event:
    """Return an event; a CSV row has columns `reference`, `reference2`, `narrative1` and so on."""
    if not is_csv(row.path):
        return event_of(row)
    texts: dict[str, list[str]] = {"reference": [], "narrative": []}
    for key, value in row.values.items():
        kind = _NUMBERED.fullmatch(key)
        if kind and value:
            texts[kind[1]].append(value)
    narratives = [Narrative(f"narrative {n}", text) for n, text in enumerate(texts["narrative"], 1)]
    return Event(row.identifier(), tuple(narratives), tuple(texts["reference"]))


def _rows(path: Path) -> Iterator[Row]:
    return iter(read_tables([path])) if is_csv(path) else read_rows(path)


def _candidates(folder: Path, name: str) -> list[Path]:
    return [folder / f"{name}{end}" for end in _ENDINGS if (folder / f"{name}{end}").is_file()]


def _found(folder: Path, name: str) -> Path:
    found = _candidates(folder, name)
    if not found:
        raise InputError(f"{folder}: has no {name}.jsonl or {name}.csv")
    return found[0]
