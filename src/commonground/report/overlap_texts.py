"""A narrative with all its marks: sentences, word runs, passages of its own, disputed values."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from typing import Any

from commonground.report.marks import Mark, marked
from commonground.report.overlap_words import Run, Span, apart, runs, shares, undecided

_Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A narrative as HTML.

    Attributes:
        html: The text with its marks.
        words: The number of words.
        shares: The share of words of each kind, in percent.
        all_read: Whether every sentence with a word was read word by word.
    """

    html: str
    words: int
    shares: Mapping[str, float]
    all_read: bool


def place(narrative: int, span: _Result | Sequence[int]) -> str:
    """Return the HTML id of a sentence or a passage."""
    start, end = (span["start"], span["end"]) if isinstance(span, Mapping) else span
    return f"t{narrative}-{start}-{end}"


def marked_text(
    result: _Result, narrative: int, strictness: int, folded: Set[str] = frozenset()
) -> MarkedText:
    """Return a narrative with its marks at a strictness in percent.

    `folded` are the ids of findings that are less likely: their links are hidden. A result without
    readings has no word runs: the evidence is marked as shared.
    """
    text = result["narratives"][narrative]["text"]
    readings = result.get("readings") or ()
    read = readings[narrative] if readings else ()
    values = list(_values(result, narrative))
    own = {_span(passage) for passage in result["unique"] if passage["narrative"] == narrative}
    cuts = sorted({edge for span in own for edge in span})
    disputed = apart((mark.start, mark.end) for mark in values)
    shows = _evidence(result, narrative, folded)
    found: list[Run] = []
    for sentence in read:
        own_runs = list(runs(sentence, cuts, disputed, strictness))
        found += undecided(own_runs) if _span(sentence) in shows else own_runs
    near = {_span(sentence): _near(sentence) for sentence in read}
    badges = _badges(result, narrative, folded)
    sentences = {*near, *badges, *own, *_referred(readings, narrative)}
    marks = [
        *(_sentence(narrative, span, near, badges, own, bool(readings)) for span in sentences),
        *map(_run, found),
        *values,
    ]
    words = len(text.split())
    html = marked(text, marks) if text.strip() else ""
    unread = words - sum(len(sentence["offsets"]) // 2 for sentence in read)
    return MarkedText(html, words, shares(found, words), unread <= 0)


def _sentence(
    narrative: int,
    span: Span,
    near: Mapping[Span, str],
    badges: Mapping[Span, str],
    own: Set[Span],
    with_words: bool,
) -> Mark:
    classes = "part" if span not in near and span in own else "sentence"
    if span in own and span not in near:
        classes += " alone"  # not read word by word
    if not with_words and "shared" in badges.get(span, ""):
        classes += " all"
    data = {"near": near[span]} if near.get(span) else {}
    name = place(narrative, span)
    return Mark(*span, classes, "", name, badges.get(span, ""), "span", data)


def _run(run: Run) -> Mark:
    if not run.words:
        return Mark(run.start, run.end, f"gap {run.kind}".rstrip(), tag="span")
    data = {"p": " ".join(map(str, run.support)), "n": str(run.words)}
    return Mark(run.start, run.end, f"run {run.kind}".rstrip(), tag="span", data=data)


def _values(result: _Result, narrative: int) -> Iterator[Mark]:
    for number, conflict in enumerate(result["conflicts"], start=1):
        for side in conflict["sides"]:
            if side["narrative"] == narrative:
                yield Mark(side["value_start"], side["value_end"], "value", f"c{number}")


def _badges(result: _Result, narrative: int, folded: Set[str]) -> dict[Span, str]:
    """Return the links from each sentence back to what it shows."""
    found: defaultdict[Span, str] = defaultdict(str)

    def add(span: Span, kind: str, key: str, name: str, sign: str) -> None:
        hidden = " hidden" if key in folded else ""
        found[span] += (
            f'<a class="badge {kind}" href="#{key}" aria-label="{escape(name)}" '
            f'data-sign="{sign}"{hidden}></a>'
        )

    for number, span in _shown_by(result, narrative):
        add(span, "shared", f"s{number}", f"Statement {number}", str(number))
    for number, conflict in enumerate(result["conflicts"], start=1):
        for side in conflict["sides"]:
            if side["narrative"] == narrative:
                add(_span(side), "differ", f"c{number}", f"Difference {number}", "≠")
    return found


def _shown_by(result: _Result, narrative: int) -> Iterator[tuple[int, Span]]:
    """Yield the number of each statement with its evidence in a narrative."""
    statements = [*result["statements"], *result.get("less_likely", ())]
    for number, statement in enumerate(statements, start=1):
        for passage in statement["evidence"]:
            if passage["narrative"] == narrative:
                yield number, _span(passage)


def _evidence(result: _Result, narrative: int, folded: Set[str]) -> set[Span]:
    """Return the evidence of the statements that are shown."""
    found = _shown_by(result, narrative)
    return {span for number, span in found if f"s{number}" not in folded}


def _near(sentence: _Result) -> str:
    """Return the ids of the nearest sentences, one for each other narrative."""
    return " ".join(
        place(other["narrative"], other["evidence"]) if other["evidence"] else "-"
        for other in sentence["against"]
    )


def _referred(readings: Sequence[Sequence[_Result]], narrative: int) -> Iterator[Span]:
    """Yield the sentences of a narrative that are nearest to one of another."""
    for read in readings:
        for sentence in read:
            for other in sentence["against"]:
                if other["narrative"] == narrative and other["evidence"]:
                    start, end = other["evidence"]
                    yield start, end


def _span(passage: _Result) -> Span:
    return passage["start"], passage["end"]
