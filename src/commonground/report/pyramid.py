"""Pages of a pyramid, of the feedback it gives to students, and of their class.

Feedback uses the words of teachers: a unit is an idea, a reference is a model summary.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import fsum
from statistics import fmean
from typing import Any, Final
from urllib.parse import quote

from commonground.report.feedback_words import WORDING
from commonground.report.grades import histogram_html
from commonground.report.page import asset, counted, flat, html_page, percent, render

GENERATOR: Final = '<meta name="generator" content="commonground feedback">\n'
"""Marks the pages of this module, so that they can be recognised and replaced."""

INDEX: Final = "index.html"
"""The file name of the class page, in the folder of the students' pages."""

_QUOTED: Final = 90  # maximum characters of a sentence quoted with an idea
_INNER_QUOTES: Final = str.maketrans('“”"', "‘’'")
_TOP: Final = 0.45  # width of the top tier as a share of the page; the lowest fills it
_TIER_HEIGHT: Final = 34
_DRAWING: Final = 480

_Student = Mapping[str, Any]


def pyramid_page(pyramid: Mapping[str, Any], title: str = "Pyramid") -> str:
    """Return the page: a drawing of the tiers, the ideas of each tier, the references.

    It says "ideas" and "points", as the other pages do, for what the JSON calls units and weights.

    Args:
        pyramid: `units` (each with `label`, `weight` and `contributors`, these with `reference`
            and `text`), `references` and `signature`, as in the JSON of a pyramid; the heaviest
            unit first.
        title: The heading.
    """
    fields = dict(pyramid["signature"])
    signature = [fields.pop("measure"), *(f"{key}:{value}" for key, value in fields.items())]
    body = render(
        "pyramid.html",
        pyramid=pyramid,
        title=title,
        tiers=_tiers(pyramid["units"]),
        width=_DRAWING,
        height=_TIER_HEIGHT,
        signature="|".join(signature),
    )
    return html_page(title, asset("pyramid.css"), body)


def class_page(
    students: Sequence[_Student],
    pages: Sequence[str],
    title: str,
    grades: Mapping[str, int] | None = None,
) -> str:
    """Return the page of a class: a table of the students and a table of the ideas.

    Args:
        students: At least one, each as for `feedback_page`, all scored with the same pyramid.
        pages: The file name of each student's page.
        title: The heading.
        grades: How many students have each grade, if there are grades.
    """
    body = render(
        "class.html",
        students=students,
        pages=pages,
        title=title,
        quote=quote,
        histogram=histogram_html(grades) if grades else "",
        ideas=list(zip(*(student["units"] for student in students), strict=True)),
        mean=lambda name: fmean(student[name] for student in students),
    )
    return html_page(title, asset("class.css"), body, GENERATOR)


def feedback_page(student: _Student, words: Mapping[str, str] = WORDING) -> str:
    """Return the page of one student.

    Args:
        student: `name`; `text`, the summary; `sentences`, their start and end offsets; `raw`,
            `quality`, `coverage`, `comprehensive` and `unit_count`; `references`, their number;
            `signature`; and `units`, the heaviest first, each with `label`, `weight`,
            `contributors` (as in the JSON of a pyramid), `presence` (yes, partly or no), `points`,
            `probability`, `checks` (why a person should check it: each with `words`), `by` (the
            person who decided, or None) and `sentence`, the index of the sentence that states it
            best, or None. Optional: `comment`, an object with `text` and `by`, and `grade`.
        words: The words of the page, as `wording` returns them.

    The page is handed to the student, so it has no link to the page of the class.
    """
    body = feedback_body(student, words)
    return html_page(f"Feedback: {student['name']}", asset("feedback.css"), body, GENERATOR)


def feedback_body(
    student: _Student, words: Mapping[str, str] = WORDING, *, for_teacher: bool = False
) -> str:
    """Return the content of a student's page, to embed in another page.

    Args:
        student: As for `feedback_page`.
        words: As for `feedback_page`.
        for_teacher: Ask to check what may be wrong, and say why; mark the sentences that earn no
            points. On paper the content is still the student's.
    """
    units, text = student["units"], student["text"]
    ideas = list(enumerate(units, start=1))
    parts = {
        presence: [(number, unit) for number, unit in ideas if unit["presence"] == presence]
        for presence in ("yes", "partly", "no")
    }
    earning = {unit["sentence"] for unit in units if unit["presence"] != "no"}
    unearned = {index for index in range(len(student["sentences"])) if index not in earning}
    passages, done = [], 0
    for index, (start, end) in enumerate(student["sentences"]):
        stated = [idea for idea in parts["yes"] if idea[1]["sentence"] == index]
        gap = _gap(text[done:start], first=not done)
        passages.append((gap, flat(text[start:end]), stated, index in unearned and for_teacher))
        done = end
    return render(
        "feedback.html",
        student=student,
        words=words,
        said=parts["yes"],
        partly=parts["partly"],
        asked=any(unit["checks"] for _, unit in parts["yes"]),
        doubtful=sum(bool(unit["checks"]) for unit in units),
        by_hand=any(unit["weight"] != len(unit["contributors"]) for unit in units),
        by_people=any(unit.get("by") is not None for unit in units),
        scores=_scores(student),
        passages=passages,
        unearned=len(unearned),
        ending=text[done:].rstrip() if passages else "",
        parts=[
            ("yes", words["said"], parts["yes"], "", words["nothing said"]),
            *([("partly", words["partly"], parts["partly"], "", "")] if parts["partly"] else []),
            ("no", words["missed"], parts["no"], words["hint"], words["nothing missed"]),
        ],
        quoted=lambda unit: _quoted(student, unit),
        tenths=_tenths,
        points=_points,
        earned=_earned(units),
        for_teacher=for_teacher,
    )


_EARNED: Final = {"yes": "said", "partly": "partly said"}


def _earned(units: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the points of the ideas said and partly said, which add up to the rounded total."""
    points = {
        presence: fsum(unit["points"] for unit in units if unit["presence"] == presence)
        for presence in _EARNED
    }
    said = round(points["yes"], 1)
    return {"yes": said, "partly": round(round(fsum(points.values()), 1) - said, 1), "no": 0}


def _tenths(points: float) -> str:
    return f"{round(points, 1):g}"


def _points(points: float) -> str:
    """Return points in tenths, with their noun."""
    return f"{_tenths(points)} {'point' if round(points, 1) == 1 else 'points'}"


def _tiers(units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the weight, units, width, colour and outline of each tier; each outline is a link."""
    groups = [
        (weight, list(tier)) for weight, tier in groupby(units, key=lambda unit: unit["weight"])
    ]
    count, middle = len(groups), _DRAWING / 2
    top = _DRAWING * _TOP / 2  # leaves room for the words in the top tier
    slope = (_DRAWING - top) / 2 / max(1, count)
    tiers = []
    for index, (weight, tier) in enumerate(groups):
        upper, lower = (top / 2 + slope * edge for edge in (index, index + 1))
        high, low = index * _TIER_HEIGHT, (index + 1) * _TIER_HEIGHT
        # Stronger for heavier tiers, but the words stay readable.
        tint = f"color-mix(in srgb, var(--accent) {round(30 * (1 - index / count))}%, var(--card))"
        tiers.append(
            {
                "weight": weight,
                "units": tier,
                "share": 1.0 if count == 1 else _TOP + (1 - _TOP) * index / (count - 1),
                "tint": f"--tint: {tint}",
                "corners": f"{middle - upper:.1f},{high} {middle + upper:.1f},{high} "
                f"{middle + lower:.1f},{low} {middle - lower:.1f},{low}",
            }
        )
    return tiers


def _scores(student: _Student) -> list[tuple[str, str, float, str]]:
    """Return the title, value, share and meaning of each score."""
    raw, total = student["raw"], sum(unit["weight"] for unit in student["units"])
    soft = any(unit["probability"] not in (0, 1) for unit in student["units"])
    points = (
        f"All ideas together are worth {counted(total, 'point')}; nobody is expected to have them "
        f"all.{' An idea counts by how likely it is that the summary says it.' if soft else ''}"
    )
    points += _sum(student["units"])
    best = f"The best {counted(student['unit_count'], 'idea')}"
    best += " (one per clause, or as many as it states if that is more)"
    usual = "As many ideas as a model summary has on average"
    quality = f"{_share(student, 'quality', best)} Padding and side issues lower this."
    both = "High only if the summary says what matters and says enough."
    return [
        (
            "Points earned",
            f"{_tenths(raw)} of {counted(total, 'point')}",
            raw / total if total else 0,
            points,
        ),
        *(
            (title, percent(student[name]), student[name], meaning)
            for name, title, meaning in (
                ("quality", "Does it say what matters?", quality),
                ("coverage", "Does it say enough?", _share(student, "coverage", usual)),
                ("comprehensive", "Both together", both),
            )
        ),
    ]


def _sum(units: Sequence[Mapping[str, Any]]) -> str:
    """Return how the points are the sum of what is shown."""
    earned = _earned(units)
    count = Counter(unit["presence"] for unit in units)
    terms = [
        f"{_tenths(earned[presence])} from {counted(count[presence], 'idea')} {name}"
        for presence, name in _EARNED.items()
        if count[presence]
    ]
    return f" Here: {' and '.join(terms)}." if terms else ""


def _share(student: _Student, name: str, which: str) -> str:
    share, raw = student[name], student["raw"]
    if not share:
        return "It has no points, so this is 0%."
    if share >= 1:
        return f"{which} could not earn more than this summary, which earns {_tenths(raw)}."
    # The share is raw divided by an integer, so rounding restores it exactly.
    most = round(raw / share)
    return f"{which} could earn {counted(most, 'point')}; this summary earns {_tenths(raw)}."


def _gap(gap: str, first: bool) -> str:
    """Keep paragraph breaks and list markers; replace hard-wrapped line breaks by a space."""
    if first:
        return gap.lstrip()
    return gap if gap.strip() or gap.count("\n") > 1 else " "


def _quoted(student: _Student, unit: Mapping[str, Any]) -> str:
    """Return the sentence that states an idea or may state it, to put in quotation marks."""
    index = unit["sentence"]
    if index is None or unit["presence"] == "no":
        return ""
    start, end = student["sentences"][index]
    words = flat(student["text"][start:end]).translate(_INNER_QUOTES)
    return words if len(words) <= _QUOTED else words[:_QUOTED].rsplit(" ", 1)[0] + " …"
