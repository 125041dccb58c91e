"""Feedback on one summary as an HTML page, for the one who wrote it and the one who grades it.

The words are theirs: what the rest of the project calls a unit is an idea here, and a reference a
model summary.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.page import bar, counted, html_page, wordings

GENERATOR: Final = '<meta name="generator" content="commonground feedback">\n'
"""Stands in the head of these pages and no others, so that they are known again."""

INDEX: Final = "index.html"
"""The page of the class, beside the pages of the students."""

# Below this probability nobody need look whether an idea was said after all.
_PERHAPS: Final = 0.25
_QUOTED: Final = 90  # characters of a sentence that are shown again beside an idea
_MOST_PIPS: Final = 8

_STYLE: Final = """
main { max-width: 50rem; margin: 0 auto; }
h2 { margin: 2rem 0 .25rem; font-size: 1.2rem; }
h2 + p { margin-top: 0; }
a { color: var(--accent); }
:target { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: .2rem; }
.scores { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: .75rem; margin: 1rem 0; }
.score { padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--card); break-inside: avoid; }
.score h2 { display: flex; justify-content: space-between; gap: .5rem; margin: 0;
  font-size: 1rem; }
.score p { margin: .4rem 0 0; color: var(--soft); font-size: .9rem; }
h2 + .bar { display: block; width: 100%; margin-top: .4rem; }
.text { padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .4rem;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.9; }
mark { color: inherit; background: color-mix(in srgb, var(--accent) 16%, var(--page));
  text-decoration: underline 2px var(--accent); text-underline-offset: 4px; }
mark a { display: inline-block; min-width: 1.6em; margin-left: .25em; padding: 0 .35em;
  border-radius: .8em; background: var(--ink); color: var(--page); font-size: .75rem;
  line-height: 1.6; text-align: center; text-decoration: none; }
.ideas { list-style: none; margin: .5rem 0; padding: 0; }
.idea { display: flex; gap: .6rem; margin: .5rem 0; padding: .6rem .8rem;
  border: 1px solid var(--line); border-left: .35rem solid var(--accent); border-radius: .4rem;
  overflow-wrap: anywhere; break-inside: avoid; }
.missed { border-left-style: dotted; border-left-color: var(--soft); }
.missed > .number { background: none; color: var(--ink); border: 1px solid var(--ink);
  line-height: 1.4; }
.idea > div { flex: 1; min-width: 0; }
.idea p { margin: .2rem 0 0; color: var(--soft); font-size: .9rem; }
.idea summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
.idea .wordings { padding: .2rem 0 0; font-size: .9rem; }
.wordings .number { border: 1px solid var(--line); border-radius: .2rem; background: none;
  color: var(--soft); line-height: 1.4; }
.check { border-left-style: dashed; }
.check p { color: var(--ink); font-weight: 600; }
.weight { flex: none; color: var(--soft); font-size: .85rem; text-align: right; }
.pips { display: block; color: var(--ink); letter-spacing: .1em; }
@media print { mark, .score { print-color-adjust: exact; } }
"""


def feedback_page(student: Mapping[str, Any]) -> str:
    """The page of one student.

    Args:
        student: `name`; `text`, the summary; `sentences`, the start and end of each in it;
            `raw`, `quality`, `coverage`, `comprehensive` and `unit_count`; `references`, how
            many there are; `signature`; and `units`, the heaviest first, each with `label`,
            `weight`, `contributors` (as in the JSON of a pyramid), `stated`, `probability`,
            `check`, which is not None where the sentence may deny it, and `sentence`, the place
            of the sentence that shows it best, or None.
    """
    body = [f'<p class="about"><a href="{INDEX}">The whole class</a></p>', feedback_body(student)]
    return html_page(f"Feedback: {student['name']}", _STYLE, body, GENERATOR)


def feedback_style() -> str:
    """The rules that `feedback_body` needs beside those of every page."""
    return _STYLE


def feedback_body(student: Mapping[str, Any]) -> str:
    """What the page of one student shows, to be set into another page."""
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
    """Four cards, each with what its number means for this summary."""
    raw, parts = student["raw"], student["unit_count"]
    total = sum(unit["weight"] for unit in student["units"])
    length = (
        f"The best {counted(parts, 'idea')} (one a clause, or as many as it states if that is more)"
    )
    cards = [
        _score(
            "How much is in it",
            f"{raw:.1f} points",
            raw / total if total else 0.0,
            f"All ideas together are worth {counted(total, 'point')}; nobody is expected to have "
            f"them all.{_soft(student)}",
        ),
        _score(
            "Does it say what matters?",
            f"{student['quality']:.0%}",
            student["quality"],
            _share(student, "quality", length) + " Padding and side issues lower this.",
        ),
        _score(
            "Does it say enough?",
            f"{student['coverage']:.0%}",
            student["coverage"],
            _share(student, "coverage", "As many ideas as a model summary has on average"),
        ),
        _score(
            "Both together",
            f"{student['comprehensive']:.0%}",
            student["comprehensive"],
            "High only where the two before are high: what matters, and enough of it.",
        ),
    ]
    return f'<div class="scores">\n{"".join(cards)}</div>'


def _soft(student: Mapping[str, Any]) -> str:
    """How ideas count, where it is not simply by yes or no."""
    if all(unit["probability"] in (0, 1) for unit in student["units"]):
        return ""
    return " An idea counts with the probability that it is stated."


def _share(student: Mapping[str, Any], name: str, which: str) -> str:
    share, raw = student[name], student["raw"]
    if not share:
        return "It has no points, so this is 0%."
    if share >= 1:
        return f"{which} could not earn more than this summary, which earns {raw:.1f}."
    # A share is raw over a whole number, which comes back exactly.
    most = round(raw / share)
    return f"{which} could earn {counted(most, 'point')}; this summary earns {raw:.1f}."


def _score(title: str, value: str, share: float, meaning: str) -> str:
    return (
        f'<div class="score"><h2><span>{title}</span><span>{value}</span></h2>'
        f"{bar(share)}<p>{meaning}</p></div>\n"
    )


_Ideas = Sequence[tuple[int, Mapping[str, Any]]]


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
    """The summary with the sentences that state ideas marked, and links to the ideas."""
    text: str = student["text"]
    if not student["sentences"]:
        return "<em>There are no words in this summary.</em>"
    parts, done = [], 0
    for place, (start, end) in enumerate(student["sentences"]):
        parts.append(escape(_between(text[done:start], first=not done)))
        words = escape(" ".join(text[start:end].split()))
        links = "".join(
            f'<a href="#idea-{number}" title="{escape(unit["label"])}">{number}'
            f"{'?' if unit['check'] else ''}</a>"
            for number, unit in said
            if unit["sentence"] == place
        )
        tag = "mark" if links else "span"
        parts.append(f'<{tag} id="sentence-{place + 1}">{words}{links}</{tag}>')
        done = end
    return "".join(parts) + escape(text[done:].rstrip())


def _between(gap: str, first: bool) -> str:
    """Paragraphs and list markers are kept; lines that a file was wrapped into are not."""
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
    """The words of the model summaries, where they are others than the label."""
    found = unit["contributors"]
    if all(one["text"] == unit["label"] for one in found):
        return ""
    title = f"In {counted(len(found), 'model summary', 'model summaries')}"
    return f"<details><summary>{title}</summary>{wordings(found)}</details>"


def _where(student: Mapping[str, Any], unit: Mapping[str, Any]) -> str:
    """The sentence that states an idea, or that perhaps does."""
    place, chance = unit["sentence"], unit["probability"]
    if place is None or not (unit["stated"] or chance >= _PERHAPS):
        return ""
    start, end = student["sentences"][place]
    words = " ".join(student["text"][start:end].split())
    if len(words) > _QUOTED:
        words = words[:_QUOTED].rsplit(" ", 1)[0] + " …"
    likely = f" ({chance:.0%} likely)" if chance < 1 else ""
    link = f'<a href="#sentence-{place + 1}" dir="auto">“{escape(words)}”</a>'
    if unit["check"]:
        return f"<p>⚠ Please check: counted as said{likely}, but this may deny it: {link}</p>"
    verdict = "✓ Said in" if unit["stated"] else "? Perhaps said in"
    return f"<p>{verdict} {link}{likely}</p>"


def _weight(weight: int, references: int) -> str:
    """How many model summaries mention an idea, in words and as a row of dots."""
    if weight > references:  # somebody set it by hand
        return f'<span class="weight">weight {weight}</span>'
    dots = "●" * weight + "○" * (references - weight)
    pips = f'<span class="pips" aria-hidden="true">{dots}</span>'
    return (
        f'<span class="weight">{pips if references <= _MOST_PIPS else ""}'
        f"{weight} of {references}</span>"
    )
