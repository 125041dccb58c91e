"""An overlap in a terminal, marked as on its page: by signs first, and by colours where there are.

Statements have their number in brackets, narratives their letter, conflicts `≠` and a number.
Markup of the narratives is not shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from commonground.cli.terminal import console
from commonground.report import (
    NOTHING_IN_COMMON,
    conflict_kind,
    narrative_letter,
    narrative_source,
    overlap_heading,
)
from commonground.text import unmarked

_SHARED: Final = "bold blue"
_DIFFER: Final = "bold red"
_SIDES: Final = ("yellow", "magenta", "green", "cyan", "bright_magenta", "bright_yellow")
_LEAST: Final = 24  # columns for the words, however narrow the terminal
_OWN: Final = 5  # passages that only one narrative has; the rest are counted

_GONE: Final = "\0"
_BEFORE_STOP: Final = re.compile(rf"{_GONE}+(?=[.,;:!?)\]”’])")

_Result = Mapping[str, Any]


def print_overlap(result: _Result) -> None:
    """Print a result as `Overlap.to_dict()` gives it: summary, evidence, conflicts, own text."""
    screen = console()
    for line in overlap_lines(result, screen):
        # Wrapped already; what is longer is one word, and a terminal breaks it as it likes.
        screen.print(line, soft_wrap=True)


def conflicts_told(result: _Result) -> Iterator[str]:
    """For whoever sees the summary alone: that there are conflicts, if there are."""
    if count := len(result["conflicts"]):
        yield f"{count} conflict{'s' if count > 1 else ''}, see the page."


def overlap_lines(result: _Result, screen: Console) -> Iterator[Text]:
    """The lines that are printed: wrapped on a terminal, as long as they are elsewhere."""
    result = _without_markup(result)
    yield from _summary(result, screen)
    yield from _evidence(result, screen)
    yield from _conflicts(result, screen)
    yield from _own(result, screen)
    yield Text()
    yield Text(_flat(result["signature"]), style="dim")


def _entry(screen: Console, sign: Text, words: Text) -> Iterator[Text]:
    """A paragraph after its sign, later lines set in under the first."""
    start = sign + " " if sign else sign
    room = max(screen.width - start.cell_len, _LEAST)
    lines = words.wrap(screen, room) if screen.is_terminal else [words]
    for line in lines:
        line.rstrip()
        yield start + line
        start = Text(" " * start.cell_len)


def _title(words: str) -> Iterator[Text]:
    yield Text()
    yield Text(words, style="bold underline")


def _summary(result: _Result, screen: Console) -> Iterator[Text]:
    yield Text(overlap_heading(result), style="bold underline")
    words = Text()
    for number, statement in enumerate(result["statements"], start=1):
        words.append(_flat(statement["text"]))
        words.append(f" [{number}] ", style=_SHARED)
    yield from _entry(screen, Text(), words or Text(NOTHING_IN_COMMON))
    yield from _title("The narratives")
    for narrative in range(len(result["narratives"])):
        yield from _entry(
            screen, _side(narrative), Text(_flat(narrative_source(result, narrative)))
        )


def _evidence(result: _Result, screen: Console) -> Iterator[Text]:
    if not result["statements"]:
        return
    yield from _title("Where they say it")
    several = len(result["narratives"])
    for number, statement in enumerate(result["statements"], start=1):
        sign = Text(f"[{number}]", style=_SHARED)
        few = f"by {statement['weight']} of {several}" if statement["weight"] < several else ""
        passages = statement["evidence"]
        for place, passage in enumerate(passages):
            words = Text(_flat(passage["text"]))
            words.append(_sureness(passage, few if place == len(passages) - 1 else ""), "dim")
            yield from _entry(screen, sign + " " + _side(passage["narrative"]), words)
            sign = Text(" " * sign.cell_len)


def _sureness(passage: _Result, few: str) -> str:
    parts = [f"{passage['probability']:.0%}", few]
    if passage["through"]:
        parts.insert(1, f"through “{_flat(passage['through'])}”")
    return f" ({', '.join(part for part in parts if part)})"


def _conflicts(result: _Result, screen: Console) -> Iterator[Text]:
    if not result["conflicts"]:
        return
    yield from _title("Where they differ")
    for number, conflict in enumerate(result["conflicts"], start=1):
        sign = Text(f"≠{number}", style=_DIFFER)
        for side in conflict["sides"]:
            words = _with_value(side)
            if side is conflict["sides"][-1]:
                words.append(f" ({_flat(conflict_kind(conflict))})", "dim")
            yield from _entry(screen, sign + " " + _side(side["narrative"]), words)
            sign = Text(" " * sign.cell_len)


def _with_value(side: _Result) -> Text:
    """A sentence with the words that differ between arrows, which need no colour to be seen."""
    text, start = side["text"], side["start"]
    cut, end = side["value_start"] - start, side["value_end"] - start
    before, value, after = (
        re.sub(" +", " ", _safe(part)) for part in (text[:cut], text[cut:end], text[end:])
    )
    return Text.assemble(before, (value and f"→{value}←", _DIFFER), after)


def _own(result: _Result, screen: Console) -> Iterator[Text]:
    passages: Sequence[_Result] = sorted(
        result["unique"], key=lambda one: (one["narrative"], one["start"])
    )
    for narrative, own in groupby(passages, key=lambda one: int(one["narrative"])):
        yield from _title(f"Only in {narrative_letter(narrative)}")
        shown, rest = _first(list(own))
        for passage in shown:
            words = Text(_flat(passage["text"]), style=_colour(narrative))
            yield from _entry(screen, _side(narrative), words)
        if rest:
            yield Text(f"and {rest} more; --html or --json shows all", style="dim")


def _first(passages: Sequence[_Result]) -> tuple[Sequence[_Result], int]:
    """The first few, and how many more there are; a single one is shown as well."""
    shown = passages if len(passages) == _OWN + 1 else passages[:_OWN]
    return shown, len(passages) - len(shown)


def _marked_out(text: str) -> str:
    """A text of the same length with `_GONE` where markup was."""
    read = unmarked(text)
    if read == text:
        return text
    return "".join(
        _GONE if new.isspace() and new != old else new for old, new in zip(text, read, strict=True)
    )


def _without_markup(result: _Result) -> _Result:
    """The same, with passages as they are read and not as they are quoted."""
    texts = [_marked_out(narrative["text"]) for narrative in result["narratives"]]

    def plain(one: _Result) -> _Result:
        return {**one, "text": texts[one["narrative"]][one["start"] : one["end"]]}

    return {
        **result,
        "statements": [
            {**one, "evidence": [plain(passage) for passage in one["evidence"]]}
            for one in result["statements"]
        ],
        "unique": [plain(passage) for passage in result["unique"]],
        "conflicts": [
            {**one, "sides": [plain(side) for side in one["sides"]]} for one in result["conflicts"]
        ],
    }


def _side(narrative: int) -> Text:
    return Text(narrative_letter(narrative), style=f"bold {_colour(narrative)}")


def _colour(narrative: int) -> str:
    return _SIDES[narrative % len(_SIDES)]


def _flat(text: str) -> str:
    return " ".join(_safe(text).split())


def _safe(text: str) -> str:
    """What would move the cursor of a terminal becomes a space; no blank for markup at a stop."""
    text = _BEFORE_STOP.sub("", text)
    return "".join(sign if sign.isprintable() else " " for sign in text)
