"""Feedback on one summary as an HTML page, for the student and the teacher.

The page uses their words: a unit is an idea, a reference is a model summary.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.page import asset, bar, counted, html_page, wordings

GENERATOR: Final = '<meta name="generator" content="commonground feedback">\n'
"""Marks the pages of this module, so that they can be recognised and replaced."""

INDEX: Final = "index.html"
"""The file name of the class page, in the folder of the students' pages."""

_PERHAPS: Final = 0.25  # minimum probability of a missed idea for showing its sentence
_QUOTED: Final = 90  # maximum characters of a sentence quoted with an idea
_MOST_PIPS: Final = 8

_Ideas = Sequence[tuple[int, Mapping[str, Any]]]


def feedback_page(student: Mapping[str, Any]) -> str:
    """Return the page of one student.

    Args:
        student: `name`; `text`, the summary; `sentences`, their start and end offsets; `raw`,
            `quality`, `coverage`, `comprehensive` and `unit_count`; `references`, their number;
            `signature`; and `units`, the heaviest first, each with `label`, `weight`,
            `contributors` (as in the JSON of a pyramid), `stated`, `probability`, `check` (not
            None if the sentence may deny the unit) and `sentence`, the index of the sentence
            that states it best, or None.
    """
    body = [f'<p class="about"><a href="{INDEX}">The whole class</a></p>', feedback_body(student)]
    return html_page(f"Feedback: {student['name']}", feedback_style(), body, GENERATOR)


def feedback_style() -> str:
    """Return the CSS rules of `feedback_body`, without those of every page."""
    return asset("feedback.css")


def feedback_body(student: Mapping[str, Any]) -> str:
    """Return the content of a student's page, to embed in another page."""
    ideas = list(enumerate(student["units"], start=1))
    said = [(number, unit) for number, unit in ideas if unit["stated"]]
    missed = [(number, unit) for number, unit in ideas if not unit["stated"]]
    parts = [
        f"<h1>{escape(student['name'])}</h1>",
        _about(student, len(said)),
        _scores(student),
        "<h2>The summary</h2>",
        _legend(said),
        f'<div class="text" dir="auto">{_marked(student, said)}</div>',
        f"<h2>What it says ({len(said)})</h2>",
        _ideas(student, said, "None of the ideas of the model summaries was found in it."),
        f"<h2>What it leaves out ({len(missed)})</h2>",
        "<p>The most important first. Open an idea to see how the model summaries put it.</p>"
        if missed
        else "",
        _ideas(student, missed, "Nothing: every idea is there."),
        f'<p class="signature">{escape(student["signature"])}</p>',
    ]
    return "\n".join(part for part in parts if part)


def _about(student: Mapping[str, Any], said: int) -> str:
    references = counted(student["references"], "model summary", "model summaries")
    doubtful = sum(unit["check"] is not None for unit in student["units"])
    check = f", {doubtful} of them to check" if doubtful else ""
    by_hand = any(unit["weight"] != len(unit["contributors"]) for unit in student["units"])
    unless = ", unless its weight was set by hand" if by_hand else ""
    return (
        f'<p class="about">Says {said} of {counted(len(student["units"]), "idea")} from '
        f"{references}{check}. An idea is worth as many points as there are model summaries that "
        f"mention it{unless}. A program has judged which ideas are stated; it can be wrong, so "
        "look where it matters.</p>"
    )


def _scores(student: Mapping[str, Any]) -> str:
    """Return four cards, each with a score and what it means for this summary."""
    raw, total = student["raw"], sum(unit["weight"] for unit in student["units"])
    best = f"The best {counted(student['unit_count'], 'idea')}"
    best += " (one a clause, or as many as it states if that is more)"
    soft = any(unit["probability"] not in (0, 1) for unit in student["units"])
    points = (
        f"All ideas together are worth {counted(total, 'point')}; nobody is expected to have them "
        f"all.{' An idea counts with the probability that it is stated.' if soft else ''}"
    )
    meanings = {
        "quality": (
            "Does it say what matters?",
            _share(student, "quality", best) + " Padding and side issues lower this.",
        ),
        "coverage": (
            "Does it say enough?",
            _share(student, "coverage", "As many ideas as a model summary has on average"),
        ),
        "comprehensive": (
            "Both together",
            "High only where the two before are high: what matters, and enough of it.",
        ),
    }
    cards = [_score("How much is in it", f"{raw:.1f} points", raw / total if total else 0, points)]
    cards += [
        _score(title, f"{student[name]:.0%}", student[name], meaning)
        for name, (title, meaning) in meanings.items()
    ]
    return f'<div class="scores">\n{"".join(cards)}</div>'


def _share(student: Mapping[str, Any], name: str, which: str) -> str:
    share, raw = student[name], student["raw"]
    if not share:
        return "It has no points, so this is 0%."
    if share >= 1:
        return f"{which} could not earn more than this summary, which earns {raw:.1f}."
    # The share is raw divided by an integer, so rounding restores it exactly.
    most = round(raw / share)
    return f"{which} could earn {counted(most, 'point')}; this summary earns {raw:.1f}."


def _score(title: str, value: str, share: float, meaning: str) -> str:
    return (
        f'<div class="score"><h2><span>{title}</span><span>{value}</span></h2>'
        f"{bar(share)}<p>{meaning}</p></div>\n"
    )


def _legend(said: _Ideas) -> str:
    if not said:
        return ""
    doubtful = any(unit["check"] is not None for _, unit in said)
    check = " Where it has a question mark, please check: the sentence may deny the idea."
    return (
        "<p>Underlined sentences state an idea; the number leads to it."
        f"{check if doubtful else ''}</p>"
    )


def _marked(student: Mapping[str, Any], said: _Ideas) -> str:
    """Mark the sentences that state ideas, and link them to the ideas."""
    text: str = student["text"]
    if not student["sentences"]:
        return "<em>There are no words in this summary.</em>"
    parts, done = [], 0
    for index, (start, end) in enumerate(student["sentences"]):
        parts.append(escape(_between(text[done:start], first=not done)))
        words = escape(" ".join(text[start:end].split()))
        links = "".join(
            f'<a href="#idea-{number}" title="{escape(unit["label"])}">{number}'
            f"{'?' if unit['check'] else ''}</a>"
            for number, unit in said
            if unit["sentence"] == index
        )
        tag = "mark" if links else "span"
        parts.append(f'<{tag} id="sentence-{index + 1}">{words}{links}</{tag}>')
        done = end
    return "".join(parts) + escape(text[done:].rstrip())


def _between(gap: str, first: bool) -> str:
    """Keep paragraph breaks and list markers; replace hard-wrapped line breaks by a space."""
    if first:
        return gap.lstrip()
    kept = gap.strip() or gap.count("\n") > 1
    return gap if kept else " "


def _ideas(student: Mapping[str, Any], ideas: _Ideas, none: str) -> str:
    if not ideas:
        return f"<p>{none}</p>"
    cards = "\n".join(_idea(student, number, unit) for number, unit in ideas)
    return f'<ol class="ideas">\n{cards}\n</ol>'


def _idea(student: Mapping[str, Any], number: int, unit: Mapping[str, Any]) -> str:
    kind = "stated" if unit["stated"] else "missed"
    if unit["check"]:
        kind += " check"
    return (
        f'<li class="idea {kind}" id="idea-{number}"><span class="number">{number}</span>'
        f'<div><span dir="auto">{escape(unit["label"])}</span>{_where(student, unit)}'
        f"{_hints(unit)}</div>{_weight(unit['weight'], student['references'])}</li>"
    )


def _hints(unit: Mapping[str, Any]) -> str:
    """Show the words of the model summaries if they differ from the label."""
    contributors = unit["contributors"]
    if all(contributor["text"] == unit["label"] for contributor in contributors):
        return ""
    title = f"In {counted(len(contributors), 'model summary', 'model summaries')}"
    return f"<details><summary>{title}</summary>{wordings(contributors)}</details>"


def _where(student: Mapping[str, Any], unit: Mapping[str, Any]) -> str:
    """Quote the sentence that states an idea or may state it."""
    index, probability = unit["sentence"], unit["probability"]
    if index is None or not (unit["stated"] or probability >= _PERHAPS):
        return ""
    start, end = student["sentences"][index]
    words = " ".join(student["text"][start:end].split())
    if len(words) > _QUOTED:
        words = words[:_QUOTED].rsplit(" ", 1)[0] + " …"
    likely = f" ({probability:.0%} likely)" if probability < 1 else ""
    link = f'<a href="#sentence-{index + 1}" dir="auto">“{escape(words)}”</a>'
    if unit["check"]:
        return f"<p>⚠ Please check: counted as said{likely}, but this may deny it: {link}</p>"
    verdict = "✓ Said in" if unit["stated"] else "? Perhaps said in"
    return f"<p>{verdict} {link}{likely}</p>"


def _weight(weight: int, references: int) -> str:
    """Show the number of model summaries that mention an idea, in words and as dots."""
    if weight > references:  # set by hand
        return f'<span class="weight">weight {weight}</span>'
    dots = "●" * weight + "○" * (references - weight)
    pips = f'<span class="pips" aria-hidden="true">{dots}</span>'
    return (
        f'<span class="weight">{pips if references <= _MOST_PIPS else ""}'
        f"{weight} of {references}</span>"
    )
