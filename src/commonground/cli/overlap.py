"""`commonground overlap`: what narratives agree on, for files and for data sets.

In a terminal, statements have a number in brackets, narratives a letter, conflicts `≠` and a
number, as on the HTML page. Colours repeat these marks. Markup of the narratives is not shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text

from commonground import encoders
from commonground.cli.events import AtLeastOption, Events, HtmlOption
from commonground.cli.options import DeviceOption, TokenEncoderOption, encoder_name, takes
from commonground.cli.terminal import console, note, print_lines
from commonground.io import read_text
from commonground.report import (
    NOTHING_IN_COMMON,
    conflict_kind,
    counted,
    narrative_letter,
    narrative_source,
    overlap_heading,
)
from commonground.text import unmarked

if TYPE_CHECKING:
    from commonground.narratives import Knowledge, Overlap, Overlaps

_SHARED: Final = "bold blue"
_DIFFER: Final = "bold red"
_SIDES: Final = ("yellow", "magenta", "green", "cyan", "bright_magenta", "bright_yellow")
_MIN_WIDTH: Final = 24  # columns for the text, even on a narrower terminal
_OWN: Final = 5  # passages shown of those that only one narrative has

_GONE: Final = "\0"
_BEFORE_STOP: Final = re.compile(rf"{_GONE}+(?=[.,;:!?)\]”’])")

_Result = Mapping[str, Any]


@takes(Events)
def overlap(
    events: Events,
    at_least: AtLeastOption = None,
    strictness: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Minimum probability of a statement; higher gives fewer, surer statements "
            "(default: 0.5).",
        ),
    ] = None,
    max_sentences: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of statements (default: all that are shared)."),
    ] = None,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            help='File of background knowledge, one line each, such as "AP = Associated Press".'
        ),
    ] = None,
    encoder: TokenEncoderOption = None,
    device: DeviceOption = None,
    html: HtmlOption = None,
) -> None:
    """Find what narratives agree on, with the evidence in each."""
    options: dict[str, Any] = {
        "at_least": at_least,
        "max_sentences": max_sentences,
        "knowledge": _load_knowledge(knowledge) if knowledge else None,
    }
    if strictness is not None:
        options["strictness"] = strictness
    events.compare(
        partial(_open, encoder_name(encoder), options),
        at_least=at_least,
        html=html,
        show=_print_beside_page if html else lambda result: print_overlap(result.to_dict()),
    )


def _open(encoder: str, options: dict[str, Any]) -> "Overlaps":
    from commonground.narratives import Overlaps

    return Overlaps(encoders.load(encoder), **options)  # type: ignore[arg-type]  # it checks


def _load_knowledge(path: Path) -> "Knowledge":
    from commonground.narratives import Knowledge

    knowledge = Knowledge.of(read_text(path))
    for line in knowledge.unused:
        note(f"{path}: line ignored, it does not equate two wordings: {line}")
    return knowledge


def _print_beside_page(result: "Overlap") -> None:
    print_lines(*str(result).splitlines(), *conflict_count(result.to_dict()))


def print_overlap(result: _Result) -> None:
    """Print the result of `Overlap.to_dict()`: summary, evidence, conflicts, unique passages."""
    screen = console()
    for line in overlap_lines(result, screen):
        # Already wrapped; the terminal breaks words that are longer than a line.
        screen.print(line, soft_wrap=True)


def conflict_count(result: _Result) -> list[str]:
    """Return a line with the number of conflicts, if there are any."""
    count = len(result["conflicts"])
    return [f"{counted(count, 'conflict')}, see the page."] if count else []


def overlap_lines(result: _Result, screen: Console) -> Iterator[Text]:
    """Yield the lines to print, wrapped if the output is a terminal."""
    result = _without_markup(result)
    yield from _summary(result, screen)
    yield from _evidence(result, screen)
    yield from _conflicts(result, screen)
    yield from _own(result, screen)
    yield Text()
    yield Text(_flat(result["signature"]), style="dim")


def _entry(screen: Console, sign: Text, words: Text) -> Iterator[Text]:
    """Yield a paragraph after its mark, with later lines indented."""
    start = sign + " " if sign else sign
    room = max(screen.width - start.cell_len, _MIN_WIDTH)
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
        for passage in passages:
            words = Text(_flat(passage["text"]))
            words.append(_probability(passage, few if passage is passages[-1] else ""), "dim")
            yield from _entry(screen, sign + " " + _side(passage["narrative"]), words)
            sign = Text(" " * sign.cell_len)


def _probability(passage: _Result, few: str) -> str:
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
    """Return a sentence with the words that differ between arrows."""
    text, start = side["text"], side["start"]
    cut, end = side["value_start"] - start, side["value_end"] - start
    before, value, after = (
        re.sub(" +", " ", _safe(part)) for part in (text[:cut], text[cut:end], text[end:])
    )
    return Text.assemble(before, (value and f"→{value}←", _DIFFER), after)


def _own(result: _Result, screen: Console) -> Iterator[Text]:
    passages: Sequence[_Result] = sorted(
        result["unique"], key=lambda passage: (passage["narrative"], passage["start"])
    )
    for narrative, group in groupby(passages, key=lambda passage: int(passage["narrative"])):
        yield from _title(f"Only in {narrative_letter(narrative)}")
        own = list(group)
        # "1 more" takes as much room as the passage itself.
        shown = own if len(own) == _OWN + 1 else own[:_OWN]
        for passage in shown:
            words = Text(_flat(passage["text"]), style=_colour(narrative))
            yield from _entry(screen, _side(narrative), words)
        if rest := len(own) - len(shown):
            yield Text(f"and {rest} more; --html or --json shows all", style="dim")


def _marked_out(text: str) -> str:
    """Return a text of the same length with `_GONE` in place of markup."""
    pairs = zip(text, unmarked(text), strict=True)
    return "".join(_GONE if new.isspace() and new != old else new for old, new in pairs)


def _without_markup(result: _Result) -> _Result:
    """Return the result with passages that have no markup."""
    texts = [_marked_out(narrative["text"]) for narrative in result["narratives"]]

    def plain(passage: _Result) -> _Result:
        text = texts[passage["narrative"]][passage["start"] : passage["end"]]
        return {**passage, "text": text}

    return {
        **result,
        "statements": [
            {**statement, "evidence": [plain(passage) for passage in statement["evidence"]]}
            for statement in result["statements"]
        ],
        "unique": [plain(passage) for passage in result["unique"]],
        "conflicts": [
            {**conflict, "sides": [plain(side) for side in conflict["sides"]]}
            for conflict in result["conflicts"]
        ],
    }


def _side(narrative: int) -> Text:
    return Text(narrative_letter(narrative), style=f"bold {_colour(narrative)}")


def _colour(narrative: int) -> str:
    return _SIDES[narrative % len(_SIDES)]


def _flat(text: str) -> str:
    return " ".join(_safe(text).split())


def _safe(text: str) -> str:
    """Replace control characters by spaces, and drop removed markup before punctuation."""
    text = _BEFORE_STOP.sub("", text)
    return "".join(sign if sign.isprintable() else " " for sign in text)
