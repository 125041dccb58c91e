"""`commonground verify`: which words of a summary do its sources state?"""

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.options import (
    DeviceOption,
    JsonOption,
    TokenEncoderOption,
    encoder_name,
)
from commonground.cli.terminal import note, print_json, print_lines
from commonground.cli.texts import read_narratives, read_texts
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable
from commonground.report import counted, joined
from commonground.text import plain, unmarked

if TYPE_CHECKING:
    from commonground.narratives import Checked, Verified


def verify(
    summary: Annotated[Path, typer.Argument(help="File with the summary.")],
    narratives: Annotated[
        list[Path] | None,
        typer.Argument(help="One or more sources, one file each: text, Markdown, HTML, PDF, DOCX."),
    ] = None,
    verify: Annotated[
        str,
        typer.Option(
            "--verify", help="What to do with unsupported sentences: drop them or flag them."
        ),
    ] = "drop",
    at_least: Annotated[
        int | None,
        typer.Option(help="Minimum number of sources that must state a sentence (default: all)."),
    ] = None,
    encoder: TokenEncoderOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
    html: Annotated[
        Path | None, typer.Option(help="Write an HTML page that marks unsupported words.")
    ] = None,
) -> None:
    """Check every sentence of a summary against its sources."""
    if not narratives:
        raise InputError("verify needs a summary and at least one source")
    from commonground.narratives import MODES
    from commonground.narratives import verify as check

    if verify == "off":
        raise InputError("verify has no off mode; use drop or flag")
    if verify not in MODES:
        raise unknown_name("mode", verify, MODES)
    if html:
        check_writable(html, summary, *narratives)
    (text,) = read_texts([summary])
    event = read_narratives(narratives)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = check(
            text,
            event,
            mode=verify,  # type: ignore[arg-type]  # checked above
            encoder=encoder_name(encoder),
            at_least=at_least,
        )
    for line in dict.fromkeys(str(w.message) for w in caught if w.category is UserWarning):
        note(f"warning: {line}")
    if html:
        result.to_html(html)
    if as_json:
        print_json(result.to_dict())
    else:
        print_lines(*_lines(result))


def _lines(result: "Verified") -> list[str]:
    """Return every sentence with its evidence or the reason against it, then the summary.

    Words that the sources do not state are between `[-` and `-]`.
    """
    # Without markup, which the passages of the result have.
    summary, *texts = map(unmarked, (result.text, *(n.text for n in result.narratives)))
    lines = []
    for sentence in result.sentences:
        sign = "!" if sentence.label == "contradicted" else "+" if sentence.supported else "-"
        lines.append(f"{sign} {_marked(summary, sentence)}")
        if not sentence.supported:
            lines.append(f"    {sentence.reason}")
            continue
        claim = _flat(sentence.claim)
        if claim != _flat(summary[sentence.start : sentence.end]):
            lines.append(f"    read as: {claim}")
        if sentence.cut:
            lines.append(f"    left out: {_flat('; '.join(sentence.cut))}")
        for passage in sentence.evidence:
            source = result.narratives[passage.narrative].source
            quote = _flat(texts[passage.narrative][passage.start : passage.end])
            lines.append(f"    {source} ({passage.probability:.0%}): {quote}")
    total = len(result.sentences)
    kept = total - len(result.dropped)
    verb = "is" if 1 in (kept, total) else "are"
    lines += ["", f"{kept} of {counted(total, 'sentence')} {verb} supported.", ""]
    if not total:
        lines = ["The summary has no sentences.", ""]
    summary = plain(result.marked) or "Nothing is left of the summary."
    return [*lines, *summary.splitlines(), "", str(result.signature)]


def _marked(summary: str, sentence: "Checked") -> str:
    """Return a sentence with its unsupported words in brackets."""
    unsupported = joined([(w.start, w.end) for w in sentence.words if not w.supported], summary)
    text, position = "", sentence.start
    for start, end in unsupported:
        text += f"{summary[position:start]}[-{summary[start:end]}-]"
        position = end
    return _flat(text + summary[position : sentence.end])


def _flat(text: str) -> str:
    """Return the text as one line, without control characters or gaps left by markup."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in plain(text)).split())
    return re.sub(r" (?=[.,;!?](?:\s|$))", "", line)
