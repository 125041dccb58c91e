"""`commonground verify`: do sources state what a summary says, word by word?"""

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground import encoders, settings
from commonground.cli.device import DeviceOption
from commonground.cli.narratives import read_narratives
from commonground.cli.terminal import note, print_json, print_lines
from commonground.errors import InputError, unknown_name
from commonground.io import read_text
from commonground.report import joined
from commonground.text import plain, unmarked

if TYPE_CHECKING:
    from commonground.narratives import Checked, Verified

_USUAL = "drop"


def verify(
    summary: Annotated[Path, typer.Argument(help="The summary, a text file.")],
    narratives: Annotated[
        list[Path] | None, typer.Argument(help="One source or more, a text file each.")
    ] = None,
    verify: Annotated[
        str, typer.Option("--verify", help="drop unsupported sentences, or flag them.")
    ] = _USUAL,
    at_least: Annotated[
        int | None, typer.Option(help="Sources that must state a sentence (default: all).")
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="Finds the nearest sentences.")] = None,
    device: DeviceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page that marks unsupported words.")
    ] = None,
) -> None:
    """Read every sentence of a summary against every source, whoever wrote it."""
    if not narratives:
        raise InputError("verify needs a summary and at least one source")
    from commonground.narratives import MODES
    from commonground.narratives import verify as check

    if verify == "off":
        raise InputError("verify has no off mode; use drop or flag")
    if verify not in MODES:
        raise unknown_name("mode", verify, MODES)
    text = read_text(summary)
    event = read_narratives(narratives)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = check(
            text,
            event,
            mode=verify,  # type: ignore[arg-type]  # which it checks
            encoder=encoder or settings.setting("encoder") or encoders.DEFAULT,
            at_least=at_least,
        )
    for line in dict.fromkeys(str(one.message) for one in told if one.category is UserWarning):
        note(f"warning: {line}")
    if html:
        found.to_html(html)
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(*_lines(found))


def _lines(found: "Verified") -> list[str]:
    """Every sentence with its evidence or the reason against it, then what is left.

    Words that the sources do not state stand between `[-` and `-]`.
    """
    # As they are read: the passages of the result quote their narratives, markup and all.
    summary, *texts = map(unmarked, (found.text, *(one.text for one in found.narratives)))
    lines = []
    for one in found.sentences:
        words = _flat(summary[one.start : one.end])
        sign = "!" if one.label == "contradicted" else "+" if one.supported else "-"
        lines.append(f"{sign} {_marked(summary, one)}")
        if not one.supported:
            lines.append(f"    {one.reason}")
            continue
        if _flat(one.claim) != words:
            lines.append(f"    read as: {_flat(one.claim)}")
        if one.cut:
            lines.append(f"    left out: {_flat('; '.join(one.cut))}")
        for passage in one.evidence:
            source = found.narratives[passage.narrative].source
            shown = _flat(texts[passage.narrative][passage.start : passage.end])
            lines.append(f"    {source} ({passage.probability:.0%}): {shown}")
    kept = len(found.sentences) - len(found.dropped)
    lines += ["", f"{_counted(kept, len(found.sentences))} supported.", ""]
    if not found.sentences:
        lines = ["The summary has no sentences.", ""]
    left = plain(found.marked) or "Nothing is left of the summary."
    return [*lines, *left.splitlines(), "", str(found.signature)]


def _marked(summary: str, one: "Checked") -> str:
    """A sentence with its unsupported words between brackets."""
    lacking = joined([(w.start, w.end) for w in one.words if not w.supported], summary)
    found, end = "", one.start
    for start, stop in lacking:
        found += f"{summary[end:start]}[-{summary[start:stop]}-]"
        end = stop
    return _flat(found + summary[end : one.end])


def _counted(kept: int, all_of_them: int) -> str:
    sentences = "sentence" if all_of_them == 1 else "sentences"
    return f"{kept} of {all_of_them} {sentences} {'is' if 1 in (kept, all_of_them) else 'are'}"


def _flat(text: str) -> str:
    """One line, without what would move the cursor of a terminal, nor gaps that markup left."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in plain(text)).split())
    return re.sub(r" (?=[.,;!?](?:\s|$))", "", line)
