"""What each conflict rule is worth.

    python bench/conflicts_ablation.py DATA --readers FOLDER [--only NAME ...]

Each line switches one rule off and counts again, as `conflicts_labelled.py` does and on the texts
written for the purpose (`examples/conflict*.jsonl`, see `conflicts.py`): the conflicts reported,
those that are right, and the labelled plain contradictions found. "the model" reports all that the
rules find, and nothing else.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground.narratives.conflicts.find import Facts
from commonground.narratives.conflicts.likely import Read
from commonground.narratives.conflicts.values import values
from commonground.pyramid.evidence import Evidence
from commonground.reader import Reader, Reading
from conflicts import FILES, matches
from conflicts_labelled import (
    conflicts_told,
    judged,
    labelled_sets,
    read_event,
    readers_of,
    texts_of,
)

EXAMPLES = Path(__file__).parent.parent / "examples"
_PACKAGE = "commonground.narratives."


class Remembering:
    """A reader that reads no sentence twice against the same text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[tuple[str, tuple[str, ...]], Reading] = {}

    def read(self, sentences: Sequence[str], text: Sequence[str]) -> list[Reading]:
        """As `Reader.read`."""
        new = [one for one in sentences if (one, tuple(text)) not in self._known]
        for one, reading in zip(new, self._reader.read(new, text), strict=True):
            self._known[one, tuple(text)] = reading
        return [self._known[one, tuple(text)] for one in sentences]


Event = tuple[dict[str, Any], list[Facts], Read, Remembering]


def _answer(value: Any) -> Callable[..., Any]:
    return lambda *_args, **_named: value


def _without(kind: str) -> dict[str, Any]:
    kept = lambda parsed: [one for one in values(parsed) if one.kind != kind]  # noqa: E731
    return {"_conflicts.values": kept}


RULES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "the model": {"_likely.probability": lambda found: float(found[6])},
    "all rules": {"_conflicts.differences": _answer([])},
    "numbers": _without("number"),
    "dates": _without("date"),
    "names and places": _without("name"),
    "qualities": _without("quality"),
    "yes and no": {"_conflicts.assertions": _answer([])},
    "contrary verbs": {"_negation.opposite": _answer(False)},
    "word families": {"_negation._derived": _answer(False)},
    "told as a fact": {"_negation._told": _answer(True)},
    "one matter": {"_differences._of_one_matter": _answer(True)},
    "dated apart": {"_differences._dated_apart": _answer(False)},
    "said elsewhere": {"_conflicts._said_elsewhere": _answer(False)},
    "other verbs": {"_same_matter._other_verbs": _answer(False)},
    "the rest": {"_same_matter._rest": _answer(False)},
    "same frame": {"_same_matter._same_frame": _answer(True)},
    "arguments": {"_same_matter.is_argument": _answer(True)},
    "regions": {"_same_matter._REGIONS": frozenset()},
    "list of verbs": {"_sentence.same_verb": lambda one, other: one == other},
    "groups of words": {"_sentence._GROUPS": {}},
    "closeness": {"_matter._SHARE": 0},
    "numbers that name": {"_values._is_label": _answer(False)},
    "nobody": {"_values._NOBODY": ()},
}


def main() -> None:
    """Print a line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--only", nargs="+", default=list(RULES), choices=RULES, metavar="NAME")
    given = parser.parse_args()
    evidence, readers = Evidence(), readers_of(given.readers)
    labelled: dict[str, list[Event]] = {}
    for name, rows in labelled_sets(given.data).items():
        group = labelled.setdefault("natural" if "news" in name else name, [])
        group += [_event(row, texts_of(row), evidence, readers[row["fold"]]) for row in rows]
    shipped = Reader()
    stories = [
        _event(row, [one["text"] for one in row["narratives"]], evidence, shipped)
        for row in _stories()
    ]
    print(f"{'without':20}" + "".join(f"{name:>18}" for name in (*labelled, "examples")))
    for rule in given.only:
        with ExitStack() as stack:
            for target, value in RULES[rule].items():
                stack.enter_context(patch(_PACKAGE + target, value))
            cells = [*(_counted(events) for events in labelled.values()), _examples(stories)]
        print(f"{rule:20}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


def _event(row: dict[str, Any], texts: Sequence[str], evidence: Evidence, reader: Reader) -> Event:
    facts, read = read_event(texts, evidence, reader)
    return row, facts, read, Remembering(reader)


def _stories() -> list[dict[str, Any]]:
    lines = (line for name in FILES for line in (EXAMPLES / name).read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines]


def _told(event: Event) -> Any:
    _, facts, read, reader = event
    again = [Facts.of(one.read) for one in facts]
    return conflicts_told(again, read, cast(Reader, reader))


def _counted(events: Sequence[Event]) -> str:
    counts = [judged(event[0], _told(event)) for event in events]
    found, right, _, hit = (sum(column) for column in zip(*counts, strict=True))
    return f"{found:>6}{right:>5}{hit:>5}"


def _examples(stories: Sequence[Event]) -> str:
    found = right = 0
    for event in stories:
        for conflict in _told(event):
            found += 1
            right += any(matches(conflict, one) for one in event[0]["conflicts"])
    return f"{found:>6}{right:>5}{right:>5}"


if __name__ == "__main__":
    main()
