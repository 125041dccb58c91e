"""Judged sets as their authors publish them; `read_judged` recognises the form.

- `pyramid`: a folder of REALSumm or PyrXSum in the repository Lite2-3Pyramid, with `ids.txt`,
  `references.txt`, `SCUs.txt`, `summaries/*.summary` and `labels/*.label`.
- `realsumm`: the folder `scores_dicts` of REALSumm's own repository, or the repository.
- `summeval`: `model_annotations.aligned.jsonl` of SummEval, also with the articles (`.paired`).
- `rose`: a split of RoSE (Salesforce/rose) as JSONL or Parquet.
- `layout`: our own layout (docs/meta-evaluation.md), also for annotation projects.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from commonground.agreement import Scores
from commonground.benchmark.meta.judged import JudgedSet, is_layout, read_layout
from commonground.benchmark.meta.scores_dicts import read_scores_dict, scores_files
from commonground.errors import InputError, check_known
from commonground.io import Event, Narrative, Row, read_lines, read_rows

_SENTENCE_MARKS: Final = re.compile(r"\s*</?t>\s*")


@dataclass(frozen=True, slots=True)
class Form:
    """A form of published files: what recognises it and what reads it."""

    recognises: Callable[[Path], bool]
    read: Callable[[Path], JudgedSet]


def read_judged(path: str | Path, form: str | None = None) -> JudgedSet:
    """Read a judged set; the form is recognised unless it is named.

    Raises:
        InputError: No such file or form, or the content does not fit the form.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    if form is None:
        form = next((name for name, one in FORMS.items() if one.recognises(path)), None)
        if form is None:
            raise InputError(f"{path}: is none of the forms {', '.join(FORMS)}; see --form")
    check_known("form", FORMS, form)
    return FORMS[form].read(path)


def read_pyramid_folder(folder: Path) -> JudgedSet:
    """Read REALSumm or PyrXSum; the human score is the share of content units in the summary."""
    ids = _lines(folder / "ids.txt")
    references = _lines(folder / "references.txt", len(ids))
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt", len(ids))]
    narratives: list[tuple[Narrative, ...]] = [()] * len(ids)
    if (folder / "documents.txt").is_file():
        documents = _lines(folder / "documents.txt", len(ids))
        narratives = [(Narrative("document", _plain(text)),) for text in documents]
    events = {
        id_: Event(id_, narrative, (_plain(reference),))
        for id_, narrative, reference in zip(ids, narratives, references, strict=True)
    }
    outputs: dict[str, dict[str, str]] = {}
    scores = []
    for path in sorted((folder / "summaries").glob("*.summary")):
        system = path.stem
        texts = _lines(path, len(ids))
        outputs[system] = dict(zip(ids, map(_plain, texts), strict=True))
        file = folder / "labels" / f"{system}.label"
        for number, line in enumerate(_lines(file, len(ids))):
            labels = line.split()
            if len(labels) != len(units[number]) or not set(labels) <= {"0", "1"}:
                raise InputError(
                    f"{file}, line {number + 1}: must have {len(units[number])} labels of 0 or 1"
                )
            share = labels.count("1") / len(labels)
            scores.append((ids[number], system, "human-units", share))
    return JudgedSet(folder.resolve().name, events, outputs, Scores.of(scores))


def read_realsumm(path: Path) -> JudgedSet:
    """Read REALSumm's `scores_dicts`; the human score is the share of content units."""
    events: dict[str, Event] = {}
    outputs: dict[str, dict[str, str]] = {}
    scores = []
    for file in scores_files(path):
        for id_, reference, texts, people in read_scores_dict(file):
            # Extractive and abstractive systems have the same references, tokenised alike.
            events.setdefault(id_, Event(id_, (), (_plain(reference),)))
            for system, text in texts.items():
                outputs.setdefault(system, {})[id_] = _plain(text)
                scores.append((id_, system, "human-units", people[system]))
    return JudgedSet("REALSumm", events, outputs, Scores.of(scores))


def read_summeval(path: Path) -> JudgedSet:
    """Read SummEval; a human score is the mean of the experts, or of the crowd (`turker`)."""
    return _collected(path, "model_id", _summeval_row)


def _summeval_row(row: Row) -> tuple[Event, dict[str, str], dict[str, dict[str, float]]]:
    article = row.values.get("text")
    narratives = (Narrative("document", article),) if isinstance(article, str) else ()
    event = Event(row.identifier(), narratives, tuple(row.list_of("references")))
    means: dict[str, float] = {}
    for who in ("expert", "turker"):
        votes = row.values.get(f"{who}_annotations") or []
        for quality in votes[0] if votes else ():
            means[f"{who}.{quality}"] = sum(float(vote[quality]) for vote in votes) / len(votes)
    system = row.text("model_id")
    return event, {system: row.text("decoded")}, {system: means}


def read_rose(path: Path) -> JudgedSet:
    """Read a split of RoSE; every number among a system's annotations is a human score."""
    return _collected(path, "system_outputs", _rose_row)


def _rose_row(row: Row) -> tuple[Event, dict[str, str], dict[str, dict[str, float]]]:
    known = ("example_id", "id", "count_id", "doc_id")
    id_ = next((str(row.values[key]) for key in known if row.values.get(key) is not None), None)
    event = Event(
        id_ or str(row.line),
        (Narrative("document", row.text("source")),) if "source" in row.values else (),
        (row.text("reference"),),
    )
    scores = {
        system: {
            name: float(value)
            for name, value in values.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }
        for system, values in row.required("annotations").items()
        if isinstance(values, Mapping)
    }
    return event, dict(row.required("system_outputs")), scores


def _collected(path: Path, key: str, parse: Callable[[Row], Any]) -> JudgedSet:
    events: dict[str, Event] = {}
    outputs: dict[str, dict[str, str]] = {}
    scores: list[tuple[str, str, str, float]] = []
    for row in read_rows(path):
        row.required(key)
        try:
            event, texts, values = parse(row)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise row.wrong(f"does not have the published form ({error})") from None
        events.setdefault(event.id, event)
        for system, text in texts.items():
            if event.id in outputs.setdefault(system, {}):
                raise row.wrong(f"duplicate id {event.id!r} of system {system!r}")
            outputs[system][event.id] = text
        for system, by_name in values.items():
            scores += [(event.id, system, name, value) for name, value in by_name.items()]
    title = path.name.removesuffix(".gz").rpartition(".")[0]
    return JudgedSet(title, events, outputs, Scores.of(scores))


def _has(path: Path, *keys: str) -> bool:
    if not path.is_file():
        return False
    try:
        first = next(read_rows(path), None)
    except InputError:
        return False
    return first is not None and set(keys) <= set(first.values)


def _lines(path: Path, count: int | None = None) -> list[str]:
    lines = [line for _, line in read_lines(path)]
    if count is not None and len(lines) != count:
        raise InputError(f"{path}: has {len(lines)} lines for {count} ids")
    return lines


def _plain(text: str) -> str:
    r"""Return the text with sentence marks (`<t> ... </t>`) as line breaks.

    Example:
        >>> _plain("<t> One . </t> <t> Two . </t>")
        'One .\nTwo .'
    """
    return "\n".join(filter(None, _SENTENCE_MARKS.split(text)))


FORMS: Final[Mapping[str, Form]] = {
    "layout": Form(is_layout, read_layout),
    "pyramid": Form(lambda path: (path / "SCUs.txt").is_file(), read_pyramid_folder),
    "realsumm": Form(lambda path: bool(scores_files(path)), read_realsumm),
    "summeval": Form(lambda path: _has(path, "model_id", "decoded"), read_summeval),
    "rose": Form(lambda path: _has(path, "system_outputs", "annotations"), read_rose),
}
