"""Dates and times in prose, and whether two of them can mean the same moment.

A date has only the fields that the text gives: "Monday" a weekday, "May 3" a month and a day. Two
dates disagree if a field of both differs; "Monday" and "May 3" never disagree.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from commonground.text.lexicon import words

PartOfDay = Literal["morning", "afternoon", "evening", "night"]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class When:
    """A date or time at `text[start:end]`; a field that is not given is None.

    Attributes:
        year: Four digits.
        month: 1 to 12.
        day: Day of the month.
        weekday: 0 for Monday.
        part: Part of the day.
        minute: Minute of the day, for a clock time.
        start: Start offset.
        end: End offset.
        hedged: Whether it is approximate: "about 3 p.m.", "before Monday".
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
        """Return the normal form: "Monday, 3 May 2021, 15:30"."""
        month = None if self.month is None else MONTHS[self.month - 1]
        date = " ".join(str(part) for part in (self.day, month, self.year) if part is not None)
        day = "" if self.weekday is None else WEEKDAYS[self.weekday]
        clock = "" if self.minute is None else f"{self.minute // 60}:{self.minute % 60:02}"
        return ", ".join(part for part in (day, date, clock or self.part or "") if part)


def dates(text: str) -> list[When]:
    """Return the dates and times of a text in order; adjacent parts of one date are joined.

    Relative dates such as "today" and "last week" are skipped.

    Example:
        >>> [str(date) for date in dates("On Monday, May 3, at 3:30 p.m. and again in 2021")]
        ['Monday, 3 May, 15:30', '2021']
    """
    result: list[When] = []
    for when in date_parts(text):
        joined = _joined(text, result[-1], when) if result else None
        if joined:
            result[-1] = joined
        else:
            result.append(when)
    return result


def date_parts(text: str) -> Iterator[When]:
    """Yield the dates and times of a text in order, without joining "Monday, May 3"."""
    for match in _PATTERN.finditer(text):
        when = _when(text, match)
        if when is not None:
            yield when


def comparable(one: When, other: When) -> bool:
    """Say whether both have a field in common, so that they could disagree."""
    return bool(_both(one, other)) or (_hours(one) is not None and _hours(other) is not None)


def agree(one: When, other: When) -> bool:
    """Say whether both can mean the same moment or span of time."""
    if any(getattr(one, field) != getattr(other, field) for field in _both(one, other)):
        return False
    first, second = _hours(one), _hours(other)
    if first is None or second is None:
        return True
    slack = 1.0 if one.part or other.part or one.hedged or other.hedged else 0.0
    # Wraps at midnight: 23:30 and 0:30 are an hour apart.
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


# First and last hour of each part of the day; the night ends on the next day.
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
_PART_WORDS: dict[str, PartOfDay] = {**{part: part for part in _PARTS}, "overnight": "night"}
_CLOCK_WORDS = {"noon": 720, "midday": 720, "midnight": 0}

# "may" and "march" are verbs too: a month has a capital letter.
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[5-9]|20)\d\d"
# A month or a year alone is a date only after one of these: "in May", but not "May said".
_LEADING = words("in since of until by from last next this early late mid during before after")
_BEHIND = (rf"(?<=\b[{word[0]}{word[0].upper()}]{word[1:]}\ )" for word in sorted(_LEADING))
_LED = f"(?:{'|'.join(_BEHIND)})"
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


def _when(text: str, match: re.Match[str]) -> When | None:
    when = _calendar(match) or _clock(match)
    if when is None:
        return None
    hedged = _HEDGE.search(text[max(0, match.start() - 20) : match.start()]) is not None
    return replace(when, start=match.start(), end=match.end(), hedged=hedged)


def _calendar(match: re.Match[str]) -> When | None:
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


def _clock(match: re.Match[str]) -> When | None:
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
    """Join two dates if only small words are between them and they have no field in common."""
    if _BETWEEN.fullmatch(text[one.end : other.start]) is None or _both(one, other):
        return None
    if _hours(one) is not None and _hours(other) is not None:
        return None
    fields = {
        field: getattr(other, field) if getattr(one, field) is None else getattr(one, field)
        for field in (*_FIELDS, "part", "minute")
    }
    return When(**fields, start=one.start, end=other.end, hedged=one.hedged or other.hedged)
