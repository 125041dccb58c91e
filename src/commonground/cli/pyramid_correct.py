"""`commonground pyramid correct`: add a correction to a file, or undo the last one."""

import getpass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from commonground.cli.terminal import print_lines
from commonground.documents import read_document
from commonground.errors import InputError
from commonground.io import check_writable, is_sheet, read_class
from commonground.pyramid import Change, Corrections, text_hash
from commonground.report import counted

_MARK = "accept, reject, point (with --sentence), comment (with --words)"
_EDIT = "rename (with --words), reweigh (with --weight), delete, merge, split, add"


def correct(
    corrections: Annotated[Path, typer.Argument(help="Corrections file (JSON); made if missing.")],
    do: Annotated[
        str | None,
        typer.Argument(help=f"About a student: {_MARK}. About the pyramid: {_EDIT}."),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            help="The student's summary: its name without suffix is the student. Or the table of "
            "the class, with --student."
        ),
    ] = None,
    student: Annotated[
        str | None,
        typer.Option(help="Name of the student, if it is not that of the summary."),
    ] = None,
    idea: Annotated[
        list[str] | None, typer.Option(help="Words of the idea; for merge, several. Repeatable.")
    ] = None,
    sentence: Annotated[
        int | None, typer.Option(help="Number of the sentence that says it, from 1.")
    ] = None,
    words: Annotated[str | None, typer.Option(help="A comment, or new words of an idea.")] = None,
    weight: Annotated[int | None, typer.Option(help="Weight of an idea.")] = None,
    wording: Annotated[
        list[str] | None, typer.Option(help="Wording that split moves to a new idea. Repeatable.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="Who decides (default: your user name).")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Drop the last correction.")] = False,
) -> None:
    """Add a correction to a file, or undo the last one; `pyramid score` applies them."""
    log = Corrections.load(corrections) if corrections.exists() else Corrections()
    if undo == (do is not None):
        raise InputError("give either what to do or --undo")
    check_writable(corrections)
    if do is None:
        log = log.undone()
    else:
        ideas = idea or []
        given: dict[str, Any] = {
            "student": student or (summary.stem if summary else None),
            "text": text_hash(_text_of(summary, student)) if summary else None,
            ("units" if do == "merge" else "unit"): ideas if do == "merge" else (*ideas, None)[0],
            "sentence": sentence,
            ("comment" if do == "comment" else "label"): words,
            "weight": weight,
            "contributors": wording,
        }
        values = {key: value for key, value in given.items() if value is not None}
        if do == "reweigh":
            values.setdefault("weight", None)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        signed = {"by": by or getpass.getuser(), "at": now}
        log = log.plus(Change.of({"do": do, **values, **signed}, f"{do}"))
    log.save(corrections)
    print_lines(f"{corrections}: {counted(len(log.changes), 'correction')}")


def _text_of(summary: Path, student: str | None) -> str:
    """Return the text of a summary, from its own file or from the table of the class."""
    if not is_sheet(summary):
        return read_document(summary).text
    for one in read_class(summary):
        if one.name == student:
            return one.text
    raise InputError(f"{summary}: give the name of a student in it as --student")
