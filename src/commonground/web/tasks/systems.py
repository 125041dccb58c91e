"""Score the summaries of many systems from one file, and a baseline for one summary."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import read_xlsx, strict_json
from commonground.metrics import Rouge, SemF1, random_output
from commonground.score import Interval
from commonground.web.tasks.differences import behind_best
from commonground.web.tasks.uploads import uploaded
from commonground.workers import Report

_MAX_ROWS: Final = 2_000
_MAX_CHARACTERS: Final = 3_000_000
_DRAWS: Final = 2  # of the random baseline, which scores the whole file again for each
_ROUGE: Final = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_UNRELATED: Final = Path(__file__).parent.parent / "data" / "unrelated.txt"


@dataclass(frozen=True, slots=True)
class Output:
    """One row: the summary of a system, and its references."""

    id: str
    system: str
    summary: str
    references: tuple[str, ...]


def score_systems(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return means and 95% intervals of F1 for each system, best first, with a random baseline.

    The baseline scores a system's summaries against the references of other rows. `behind` compares
    a system with the best one (`behind_best`).
    """
    report(0.02, "Reading the file")
    with uploaded({"file": payload["content"]}) as (path,):
        outputs = read_file(path)
    systems: dict[str, list[Output]] = {}
    for output in outputs:
        systems.setdefault(output.system, []).append(output)
    found, f1 = [], {}
    for number, (system, rows) in enumerate(systems.items()):
        report(0.05 + 0.95 * number / len(systems), f"Scoring {number + 1} of {len(systems)}")
        scores, f1[system] = _scored(system, rows)
        found.append(scores)
    found.sort(key=lambda row: -row["scores"]["SEM-F1"]["mean"])
    behind = behind_best({row["system"]: f1[row["system"]] for row in found})
    return {"systems": [{**row, "behind": behind.get(row["system"])} for row in found]}


def unrelated_f1(sem_f1: SemF1, references: Sequence[str]) -> dict[str, float]:
    """Return the mean F1 of texts about other things against the references, by metric.

    A score means little unless it is well above this.
    """
    texts = _UNRELATED.read_text("utf-8").strip().split("\n\n")
    scores = [sem_f1.score(text, list(references)).f1 for text in texts]
    rouge = [Rouge().score(text, list(references)).to_dict() for text in texts]
    names = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    means = {name: sum(row[name]["f1"] for row in rouge) / len(texts) for name in names}
    return {"sem_f1": sum(scores) / len(texts), **means}


def read_file(path: Path) -> list[Output]:
    """Return the rows of an XLSX, CSV or JSONL file."""
    if path.suffix == ".xlsx":
        return _outputs(_xlsx(path))
    try:
        return read_outputs(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("The file is not UTF-8 text.") from None


def read_outputs(text: str) -> list[Output]:
    """Return the rows of a CSV or JSONL file.

    Columns: `summary`; `references` (JSONL: a list or a text) or columns that start with
    "reference" (CSV); and, if there are several, `system` and `id`.
    """
    return _outputs(_jsonl(text) if text.lstrip().startswith("{") else _csv(text))


def _outputs(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Output]:
    outputs: list[Output] = []
    characters = 0
    for place, row in rows:
        outputs.append(_output(place, len(outputs) + 1, row))
        characters += len(outputs[-1].summary) + sum(map(len, outputs[-1].references))
        if len(outputs) > _MAX_ROWS or characters > _MAX_CHARACTERS:
            limits = f"{_MAX_ROWS:,} rows or {_MAX_CHARACTERS:,} characters"
            raise InputError(f"The file has more than {limits}. Use commonground score.")
    if not outputs:
        raise InputError("The file has no rows.")
    return outputs


def _jsonl(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    # Not `splitlines`: JSON allows other separators inside a string.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = strict_json(line)
        except json.JSONDecodeError:
            raise InputError(f"Line {number} is not JSON.") from None
        except RecursionError:
            raise InputError(f"Line {number} is nested too deeply.") from None
        except ValueError as error:
            raise InputError(f"Line {number} cannot be read: {error}.") from None
        if not isinstance(row, dict):
            raise InputError(f"Line {number} is not a JSON object.")
        yield f"Line {number}", row


def _csv(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
        for number, row in enumerate(rows, start=1):
            yield f"Row {number}", _by_column(row.items())
    except csv.Error as error:
        raise InputError(f"The file is not valid CSV: {error}.") from None


def _xlsx(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    rows = read_xlsx(path)
    _, header = next(rows, (1, []))
    for number, cells in rows:
        yield f"Row {number}", _by_column(zip(header, cells, strict=False))


def _by_column(row: Iterable[tuple[str, str | None]]) -> dict[str, Any]:
    cells = {str(name).strip().lower(): cell or "" for name, cell in row}
    given = [cells[name] for name in sorted(cells) if name.startswith("reference")]
    return {**cells, "references": [cell for cell in given if cell.strip()]}


def _output(place: str, number: int, row: Mapping[str, Any]) -> Output:
    given = row.get("references", row.get("reference"))
    references = [given] if isinstance(given, str) else given
    if not isinstance(row.get("summary"), str):
        raise InputError(f'{place} has no "summary".')
    if not isinstance(references, list) or not all(isinstance(one, str) for one in references):
        raise InputError(f'{place} has no "references".')
    texts = tuple(text for text in references if text.strip())
    if not texts:
        raise InputError(f'{place} has no "references".')
    system = str(row.get("system") or "summary").strip()
    return Output(str(row.get("id") or number), system, row["summary"], texts)


def _scored(system: str, rows: Sequence[Output]) -> tuple[dict[str, Any], list[tuple[str, float]]]:
    """Return a system's scores, and the SEM-F1 of each summary by its id."""
    predictions = [row.summary for row in rows]
    references = [list(row.references) for row in rows]
    sem_f1 = _sem_f1().corpus(predictions, references)
    rouge = Rouge().corpus(predictions, references)
    scores = {"SEM-F1": _column(sem_f1.mean.f1, sem_f1.interval)}
    for key, name in _ROUGE.items():
        scores[name] = _column(rouge.mean[key].f1, rouge.interval[key])
    baseline = None
    if len(rows) > 1:
        baseline = random_output(_sem_f1(), predictions, references, draws=_DRAWS).mean.f1
    shown = {
        "system": system,
        "items": len(rows),
        "scores": scores,
        "baseline": baseline,
        "signatures": [str(sem_f1.signature), str(rouge.signature)],
    }
    return shown, [(row.id, item.f1) for row, item in zip(rows, sem_f1.items, strict=True)]


def _column(mean: float, interval: Interval) -> dict[str, float]:
    return {"mean": mean, "low": interval.low, "high": interval.high}


@cache
def _sem_f1() -> SemF1:
    return SemF1()
