"""What a file with the summaries of many systems may not have meant."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from commonground.web.tasks.columns import KINDS, likely_column
from commonground.web.tasks.languages import notices_of
from commonground.web.tasks.outputs import NO_SYSTEM, Output, OutputFile

_LISTED: Final = 5  # rows, ids or texts that are named
_LONGEST: Final = 80  # characters of a name


def notices(file: OutputFile) -> list[str]:
    """Return a line for each thing that was ignored, assumed or looks wrong."""
    return [*_ignored(file), *_systems(file), *_ids(file), *_blank(file), *_languages(file)]


def _ignored(file: OutputFile) -> list[str]:
    meant = {
        name: kind
        for kind in KINDS
        if kind not in file.columns and (name := likely_column(kind, file.ignored))
    }
    others = [_short(name) for name in file.ignored if name not in meant]
    lines = [f"“{_short(name)}” is ignored. Did you mean “{kind}”?" for name, kind in meant.items()]
    return lines + ([f"Ignored columns: {_listed(others)}."] if others else [])


def _systems(file: OutputFile) -> list[str]:
    if "system" in file.columns:
        return _rows(f"No system, counted as “{NO_SYSTEM}”", _without("system", file))
    if len(file.outputs) == 1:
        return []
    count = f"all {len(file.outputs):,} rows count as one system, “{NO_SYSTEM}”"
    return [f"There is no column “system”: {count}."]


def _ids(file: OutputFile) -> list[str]:
    several = len({one.system for one in file.outputs}) > 1
    if "id" not in file.columns:
        line = "There is no column “id”: the systems are not tested on the same texts."
        return [line] if several else []
    lines = _rows("No id, numbered instead", _without("id", file))
    counts = Counter((one.system, one.id) for one in file.outputs)
    again: dict[str, list[str]] = {}
    for (system, id), count in counts.items():
        if count > 1:
            again.setdefault(system, []).append(f"{_short(id)} ({count} times)")
    untested = " It is not tested against other systems." if several else ""
    for system, ids in list(again.items())[:_LISTED]:
        lines.append(f"“{_short(system)}” has repeated ids: {_listed(ids)}.{untested}")
    if len(again) > _LISTED:
        lines.append(f"{len(again) - _LISTED} more systems have repeated ids.")
    return lines


def _blank(file: OutputFile) -> list[str]:
    blank = [one for one in file.outputs if not any(map(str.isalnum, one.summary))]
    return _rows("Blank summaries, which score 0", blank)


def _languages(file: OutputFile) -> list[str]:
    texts: dict[str, str] = {}  # a reference of several systems is named once
    for one in file.outputs:
        texts.setdefault(one.summary, _short(f"{one.system}: {one.id}"))
        for text in one.references:
            texts.setdefault(text, _short(f"reference of {one.id}"))
    return [one["message"] for one in notices_of((name, text) for text, name in texts.items())]


def _without(key: str, file: OutputFile) -> list[Output]:
    return [one for one in file.outputs if key not in one.named]


def _rows(words: str, rows: Iterable[Output]) -> list[str]:
    names = [f"{one.place.lower()} ({_short(f'{one.system}: {one.id}')})" for one in rows]
    return [f"{words}: {_listed(names)}."] if names else []


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"
