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

from commonground.encoders import DEFAULT, TokenEncoder
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.conflicts.likely import Read
from commonground.narratives.conflicts.values import values
from commonground.reader import Reader, Reading
from commonground.reading import token_encoder
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
_PACKAGE = "commonground.narratives.conflicts."


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
    return {"find.values": kept}


RULES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "the model": {"likely.probability": lambda found: float(found[6])},
    "all rules": {"find.differences": _answer([])},
    "numbers": _without("number"),
    "dates": _without("date"),
    "names and places": _without("name"),
    "qualities": _without("quality"),
    "yes and no": {"find.assertions": _answer([])},
    "contrary verbs": {"negation.opposite": _answer(False)},
    "word families": {"negation._derived": _answer(False)},
    "told as a fact": {"negation._is_asserted": _answer(True)},
    "one matter": {"differences._of_one_matter": _answer(True)},
    "dated apart": {"differences._dated_apart": _answer(False)},
    "said elsewhere": {"find._said_elsewhere": _answer(False)},
    "other verbs": {"same_matter._other_verbs": _answer(False)},
    "the rest": {"same_matter._rest": _answer(False)},
    "same frame": {"same_matter._same_frame": _answer(True)},
    "arguments": {"same_matter.is_argument": _answer(True)},
    "regions": {"same_matter.one_may_hold_the_other": _answer(False)},
    "list of verbs": {"pair.same_verb": lambda one, other: one == other},
    "groups of words": {"pair._SAME_MATTER": {}},
    "closeness": {"pair._CLOSENESS": 0},
    "numbers that name": {"values._is_label": _answer(False)},
    "nobody": {"values._NOBODY": ()},
}


def main() -> None:
    """Print a line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--only", nargs="+", default=list(RULES), choices=RULES, metavar="NAME")
    given = parser.parse_args()
    encoder, readers = token_encoder(DEFAULT), readers_of(given.readers)
    labelled: dict[str, list[Event]] = {}
    for name, rows in labelled_sets(given.data).items():
        group = labelled.setdefault("natural" if "news" in name else name, [])
        group += [_event(row, texts_of(row), encoder, readers[row["fold"]]) for row in rows]
    shipped = Reader()
    stories = [
        _event(row, [one["text"] for one in row["narratives"]], encoder, shipped)
        for row in _stories()
    ]
    print(f"{'without':20}" + "".join(f"{name:>18}" for name in (*labelled, "examples")))
    for rule in given.only:
        with ExitStack() as stack:
            for target, value in RULES[rule].items():
                stack.enter_context(patch(_PACKAGE + target, value))
            cells = [*(_counted(events) for events in labelled.values()), _examples(stories)]
        print(f"{rule:20}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


def _event(
    row: dict[str, Any], texts: Sequence[str], encoder: TokenEncoder, reader: Reader
) -> Event:
    facts, read = read_event(texts, encoder, reader)
    return row, facts, read, Remembering(reader)


def _stories() -> list[dict[str, Any]]:
    lines = (line for name in FILES for line in (EXAMPLES / name).read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines]


def _reported(event: Event) -> Any:
    _, facts, read, reader = event
    again = [Facts.of(one.document) for one in facts]
    return conflicts_told(again, read, cast(Reader, reader))


def _counted(events: Sequence[Event]) -> str:
    counts = [judged(event[0], _reported(event)) for event in events]
    found, right, _, hit = (sum(column) for column in zip(*counts, strict=True))
    return f"{found:>6}{right:>5}{hit:>5}"


def _examples(stories: Sequence[Event]) -> str:
    found = right = 0
    for event in stories:
        for conflict in _reported(event):
            found += 1
            right += any(matches(conflict, one) for one in event[0]["conflicts"])
    return f"{found:>6}{right:>5}{right:>5}"


if __name__ == "__main__":
    main()
