"""`commonground verify`: is what a summary says said by every narrative?"""

from pathlib import Path
from typing import Annotated

import typer

from commonground import _settings, encoders
from commonground.cli._terminal import print_json, print_lines
from commonground.errors import InputError
from commonground.io import Narrative, read_text

_USUAL = "drop"


def verify(
    summary: Annotated[Path, typer.Argument(help="The summary, a text file.")],
    narratives: Annotated[
        list[Path] | None, typer.Argument(help="Two or more narratives, a text file each.")
    ] = None,
    verify: Annotated[
        str, typer.Option("--verify", help="drop unsupported sentences, or flag them.")
    ] = _USUAL,
    encoder: Annotated[str | None, typer.Option(help="An encoder with token vectors.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Look for every sentence of a summary in every narrative, whoever wrote it."""
    if len(narratives or []) < 2:
        raise InputError("verify needs a summary and at least two narratives")
    from commonground.overlap import verify as check

    found = check(
        read_text(summary),
        [Narrative(path.name, read_text(path)) for path in narratives or []],
        mode=verify,  # type: ignore[arg-type]  # which it checks
        encoder=encoders.load(encoder or _settings.setting("encoder") or encoders.DEFAULT),  # type: ignore[arg-type]
    )
    if as_json:
        print_json(found.to_dict())
        return
    lines = []
    for one in found.sentences:
        lines.append(f"{'+' if one.supported else '-'} {_flat(one.text)}")
        if one.supported:
            if one.claim != one.text:
                lines.append(f"    read as: {_flat(one.claim)}")
            lines += [
                f"    {found.narratives[p.narrative].source} ({p.probability:.0%}): {_flat(p.text)}"
                for p in one.evidence
            ]
        else:
            lines.append(f"    {one.reason}")
    kept = len(found.sentences) - len(found.dropped)
    lines += ["", f"{kept} of {len(found.sentences)} sentences are supported.", ""]
    print_lines(*lines, found.summary or "Nothing is left of the summary.", "")
    print_lines(str(found.signature))


def _flat(text: str) -> str:
    return " ".join(text.split())
