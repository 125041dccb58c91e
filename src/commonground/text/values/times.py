"""Dates and times in prose: what they fix, and whether two of them can mean the same moment.

A date is what is said of it and nothing more: "Monday" fixes a weekday, "May 3" a month and a day.
Two dates disagree where both fix the same thing differently; "Monday" and "May 3" never do.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

PartOfDay = Literal["morning", "afternoon", "evening", "night"]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class When:
    """A date or time at `text[start:end]`; what is not said is None.

    Attributes:
        year: As a full number.
        month: 1 to 12.
        day: Of the month.
        weekday: 0 for Monday.
        part: Part of the day.
        minute: Of the day, where a clock time is given.
        start: Where it starts.
        end: Where it ends.
        hedged: "about 3 p.m.", "before Monday": not just then.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    part: PartOfDay | None = None
    minute: int | None = None
    start: int = 0
    end: int = 0
    hedged: bool = False

    def __str__(self) -> str:
        """The normal form: "Monday, 3 May 2021, 15:30"; empty where nothing is fixed."""
        number = "" if self.day is None else str(self.day)
        month = "" if self.month is None else MONTHS[self.month - 1]
        year = "" if self.year is None else str(self.year)
        date = " ".join(part for part in (number, month, year) if part)
        day = "" if self.weekday is None else WEEKDAYS[self.weekday]
        clock = "" if self.minute is None else f"{self.minute // 60}:{self.minute % 60:02}"
        return ", ".join(part for part in (day, date, clock or self.part or "") if part)


def dates(text: str) -> list[When]:
    """The dates and times of a text, in their order; neighbours that belong together are one.

    "today", "last week" and the like fix nothing without knowing when it was written: left out.

    Example:
        >>> [str(found) for found in dates("On Monday, May 3, at 3:30 p.m. and again in 2021")]
        ['Monday, 3 May, 15:30', '2021']
    """
    found: list[When] = []
    for match in _PATTERN.finditer(text):
        one = _when(text, match)
        if one is None:
            continue
        joined = _joined(text, found[-1], one) if found else None
        if joined is None:
            found.append(one)
        else:
            found[-1] = joined
    return found


def comparable(one: When, other: When) -> bool:
    """Whether both fix the same thing, so that they could disagree."""
    return bool(_both(one, other)) or (_hours(one) is not None and _hours(other) is not None)


def agree(one: When, other: When) -> bool:
    """Whether both can mean the same moment, or span of time."""
    if any(getattr(one, field) != getattr(other, field) for field in _both(one, other)):
        return False
    first, second = _hours(one), _hours(other)
    if first is None or second is None:
        return True
    slack = 1.0 if one.part or other.part or one.hedged or other.hedged else 0.0
    # Round the clock: 23:30 and 0:30 are an hour apart.
    return any(
        first[0] + turn - slack <= second[1] and second[0] <= first[1] + turn + slack
        for turn in (-24, 0, 24)
    )


_FIELDS = ("year", "month", "day", "weekday")


def _both(one: When, other: When) -> list[str]:
    return [
        field
        for field in _FIELDS
        if getattr(one, field) is not None and getattr(other, field) is not None
    ]


# Where a part of the day begins and ends; the night ends on the next day.
_PARTS: dict[PartOfDay, tuple[float, float]] = {
    "morning": (0.0, 11.9),  # "2 a.m." is in the morning as well as in the night
    "afternoon": (12.0, 17.4),
    "evening": (17.5, 22.9),
    "night": (20.0, 28.4),
}


def _hours(when: When) -> tuple[float, float] | None:
    if when.minute is not None:
        return when.minute / 60, when.minute / 60
    return _PARTS[when.part] if when.part else None


_MONTH_WORDS = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
_MONTH_WORDS |= {name[:3]: number for name, number in list(_MONTH_WORDS.items())} | {"sept": 9}
_WEEKDAY_WORDS = {name.lower(): number for number, name in enumerate(WEEKDAYS)}
_PART_WORDS: dict[str, PartOfDay] = {
    "morning": "morning",
    "afternoon": "afternoon",
    "evening": "evening",
    "night": "night",
    "overnight": "night",
}
_CLOCK_WORDS = {"noon": 720, "midday": 720, "midnight": 0}

# "may" and "march" are verbs too: months have a capital, or stand beside a number.
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[5-9]|20)\d\d"
# A month or a year alone is a date after one of these only: "in May", but not "May said".
_LEADING = (
    "in", "since", "of", "until", "by", "from", "last", "next", "this", "early", "late", "mid",
    "during", "before", "after",
)  # fmt: skip
_LED = "|".join(rf"(?<=\b[{word[0]}{word[0].upper()}]{word[1:]}\ )" for word in _LEADING)
_LED = f"(?:{_LED})"
_PATTERN = re.compile(
    rf"""(?<![\w$€£.,/-])(?:
      (?P<iso_year>{_YEAR})-(?P<iso_month>0[1-9]|1[0-2])-(?P<iso_day>0[1-9]|[12]\d|3[01])(?!\w)
    | (?P<month>{_MONTH})\ (?P<day>{_DAY})(?:,?\ (?P<year>{_YEAR}))?
          (?![\w%]|[.,:-]\d|\ (?:percent|per\ cent|million))
    | (?:the\ )?(?P<day2>{_DAY})\ (?:of\ )?(?P<month2>{_MONTH})(?:,?\ (?P<year2>{_YEAR}))?(?!\w)
    | (?P<month3>{_MONTH}),?\ (?P<year3>{_YEAR})(?!\w)
    | (?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?:'s)?(?!\w)
    | (?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\ ?(?P<half>[ap]\.?m\b\.?)
    | (?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?![\w:])
    | (?P<part>overnight|morning|afternoon|evening|night)(?!\w)
    | (?P<noon>noon|midday|midnight)(?!\w)
    | {_LED}(?P<month4>{_MONTH})(?!\w)
    | {_LED}(?P<year4>{_YEAR})(?![\w%]|[-.,]\d|\ \w+s\b)
    )""",
    re.VERBOSE,
)  # fmt: skip
_HEDGE = re.compile(
    r"\b(?:about|around|roughly|before|after|by|since|until|nearly|shortly|from)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def _when(text: str, match: "re.Match[str]") -> When | None:
    found = _calendar(match) or _clock(match)
    if found is None:
        return None
    hedged = _HEDGE.search(text[max(0, match.start() - 20) : match.start()]) is not None
    return replace(found, start=match.start(), end=match.end(), hedged=hedged)


def _calendar(match: "re.Match[str]") -> When | None:
    if match["iso_year"]:
        return When(int(match["iso_year"]), int(match["iso_month"]), int(match["iso_day"]))
    if match["weekday"]:
        return When(weekday=_WEEKDAY_WORDS[match["weekday"].lower()])
    month_word = match["month"] or match["month2"] or match["month3"] or match["month4"]
    day = match["day"] or match["day2"]
    year = match["year"] or match["year2"] or match["year3"] or match["year4"]
    if not (month_word or year):
        return None
    return When(
        year=int(year) if year else None,
        month=_MONTH_WORDS[month_word.rstrip(".").lower()] if month_word else None,
        day=int(day.rstrip("stndrh")) if day else None,
    )


def _clock(match: "re.Match[str]") -> When | None:
    if match["part"]:
        return When(part=_PART_WORDS[match["part"]])
    if match["noon"]:
        return When(minute=_CLOCK_WORDS[match["noon"]])
    if match["hour2"]:
        return When(minute=60 * int(match["hour2"]) + int(match["minute2"]))
    hour = int(match["hour"])
    if hour > 12:
        return None
    hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
    return When(minute=60 * hour + int(match["minute"] or 0))


_BETWEEN = re.compile(r"(?:,? (?:at|on|in the|the|of|around|about|just after)? ?|,|\s|\s?\()?")


def _joined(text: str, one: When, other: When) -> When | None:
    """Both as one date, where only small words stand between and neither repeats the other."""
    if _BETWEEN.fullmatch(text[one.end : other.start]) is None or _both(one, other):
        return None
    if _hours(one) is not None and _hours(other) is not None:
        return None
    said = {
        field: getattr(other, field) if getattr(one, field) is None else getattr(one, field)
        for field in (*_FIELDS, "part", "minute")
    }
    return When(**said, start=one.start, end=other.end, hedged=one.hedged or other.hedged)
