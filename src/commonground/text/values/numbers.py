"""Numbers in prose: what they are worth, and whether two of them can both be right.

Writers round and hedge, so a number is a value and the range that its wording allows: "about 50"
lets 48 pass, "more than 300" lets 312 pass, "1.2 million" lets 1,214,000 pass, "12" only 12.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from commonground.text.values.measures import PLAIN, SHARE, SIGN, Measure, measure_after, money

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: float(value) for value, word in enumerate(_ONES)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, start=2)
}
_LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fifth": 5}

NUMBER_WORD = (
    rf"(?:{'|'.join(sorted([*_SMALL, *_LARGE, 'hundred', 'dozen'], key=len, reverse=True))})\b"
)
"""A pattern of one word of a number."""

VAGUE = (
    r"(?:(?:tens|dozens|scores|hundreds|thousands|millions|billions)"
    r"(?:\ of\ (?:thousands|millions|billions))?|several|a\ (?:few|handful|couple|dozen))"
)
"""A pattern of words for a number that the writer leaves open; blanks are escaped."""

_SPLIT = re.compile(r"[\s-]+")


def number_word_value(words: str) -> float | None:
    """The value of number words, in any case; None for words that are no one number.

    Example:
        >>> number_word_value("Two hundred and five"), number_word_value("five two")
        (205.0, None)
    """
    total = part = last = 0.0
    seen = False
    for word in _SPLIT.split(words.lower().strip()):
        if word in ("a", "and"):
            continue
        if word in _SMALL:
            value = _SMALL[word]
            # "twenty three" is one number, "five two" and "thirty forty" are not.
            if seen and last < 100 and not (20 <= last < 100 and 0 < value < 10):
                return None
            part, last = part + value, value
        elif word in ("hundred", "dozen"):
            part = max(part, 1.0) * (100 if word == "hundred" else 12)
            last = 100.0
        else:
            total, part = total + max(part, 1.0) * _LARGE[word], 0.0
            last = 1000.0
        seen = True
    return total + part if seen else None


def fraction(words: str) -> float:
    """The value of a fraction such as "a third", "two-thirds" or "half"."""
    *count, part = _SPLIT.split(words.lower().strip())
    upper = _SMALL.get(count[0], 1.0) if count else 1.0
    return upper / _PARTS[part.removesuffix("s")]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at `text[start:end]`, its unit and its hedges included.

    Attributes:
        value: On the scale of the dimension: a share is 0 to 1, lengths are metres, masses
            kilograms, times seconds.
        low: The least that the wording allows.
        high: The most that it allows.
        hedged: The writer says that it is not exact ("about", "dozens").
        measure: The unit it was written in; things counted have the dimension "".
        start: Where it starts.
        end: Where it ends.
    """

    value: float
    low: float
    high: float
    hedged: bool
    measure: Measure
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text, in digits or words, in their order.

    Numbers inside names ("A320", "COVID-19") are none; those of dates and clock times are found
    like others: leave out what `dates` finds.

    Example:
        >>> [(q.value, q.low, q.high) for q in quantities("More than 300 of 2 million")]
        [(300.0, 300.0, 450.0), (2000000.0, 1900000.0, 2100000.0)]
    """
    found: list[Quantity] = []
    for core in _CORE.finditer(text):
        if found and core.start() < found[-1].end:
            continue
        quantity = _quantity(text, core, found[-1].end if found else 0)
        if quantity is not None:
            found.append(quantity)
    return found


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether both can be right; always so for different dimensions, which say nothing."""
    if one.measure.dimension != other.measure.dimension:
        return True
    # A conversion (100 km, 62 miles) is rounded in the other unit.
    slack = 0.04 if one.measure != other.measure else 1e-9
    if _is_limit(one) and _is_limit(other):
        return abs(one.value - other.value) <= slack * max(one.value, other.value)
    if one.hedged and other.hedged:
        return _within(one.low, other, slack) or _within(other.low, one, slack)
    return _within(one.value, other, slack) or _within(other.value, one, slack)


def _is_limit(quantity: Quantity) -> bool:
    """Whether it says how much there may be: two different limits are not one and the same."""
    return quantity.hedged and quantity.low == 0 and quantity.high == quantity.value


def _within(value: float, quantity: Quantity, slack: float) -> bool:
    room = slack * max(abs(quantity.value), abs(value))
    return quantity.low - room <= value <= quantity.high + room


_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_LARGE_NUMBERS = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12,
}  # fmt: skip
_SCALE = r"(?:[ -]?(?:hundred|thousand|million|billion|trillion|mn|bn|tn)\b|(?<=\d)[kKmMbB]\b)"
_FRACTION = (
    r"(?:(?:one|a|two|three|four)[ -])?(?:half|halves|third|thirds|quarter|quarters|fifth|fifths)"
)
_CORE = re.compile(
    rf"""(?<![\w.,/:'-])(?:
      (?P<between>between\ )?(?P<sign>{SIGN})?\ ?(?P<digits>{_DIGITS})(?P<scale>{_SCALE})?
          (?:\ ?(?(between)and|(?:-|–|to|or))\ ?{SIGN}?(?P<upper>{_DIGITS})
              (?P<upper_scale>{_SCALE})?)?(?![\w:/]|[.,]\d)
    | (?P<odds>(?P<part>\d+|{NUMBER_WORD})\ (?:in|out\ of)\ (?:every\ )?
          (?P<whole>\d+|{NUMBER_WORD}))\b
    | (?P<fraction>{_FRACTION})(?=\ (?:of|the|a|an|its|their|his|her|all)\b)
    | (?P<vague>{VAGUE})\b
    | (?P<words>(?:a\ (?=(?:hundred|thousand|million|billion)\b))?
          {NUMBER_WORD}(?:(?:\ and\ |[\ -]){NUMBER_WORD})*)\b
          (?P<half>\ and\ a\ half)?(?P<half_scale>{_SCALE})?
    )""",
    re.VERBOSE | re.IGNORECASE,
)

# What stands before a number, and the range it gives as parts of the value.
_HEDGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("about", "around", "roughly", "approximately", "some", "an estimated",
                     "estimated", "circa", "close to", "nearer"), (0.0, 0.0)),
    **dict.fromkeys(("nearly", "almost", "just under", "approaching"), (0.85, 1.0)),
    **dict.fromkeys(("just over", "slightly more than", "a little over"), (1.0, 1.15)),
    **dict.fromkeys(("more than", "over", "at least", "above", "upwards of", "in excess of",
                     "no fewer than", "not less than"), (1.0, 1.5)),
    **dict.fromkeys(("fewer than", "less than", "under", "below"), (0.5, 1.0)),
    **dict.fromkeys(("up to", "as many as", "as much as", "no more than", "at most",
                     "a maximum of"), (0.0, 1.0)),
}  # fmt: skip
_ROUGHLY = (0.0, 0.0)
_BEFORE = re.compile(
    rf"\b({'|'.join(sorted(_HEDGES, key=len, reverse=True))})(?: the| a)? $", re.IGNORECASE
)
_AFTERWARDS = re.compile(r"(?:\s(?:or (so|more|less))\b|(\+)|-(plus)\b)", re.IGNORECASE)


def _quantity(text: str, core: "re.Match[str]", after: int) -> Quantity | None:
    """Build a number from its core and what stands on both sides of it."""
    worth = _worth(core)
    if worth is None:
        return None
    value, low, high, hedged, measure = worth
    end = core.end()
    if measure is PLAIN:
        measure, end = measure_after(text, end)
    start, range_ = _hedge(text, core.start(), after)
    trailing = _AFTERWARDS.match(text, end)
    if trailing:
        end = trailing.end()
        more = trailing[1] is None or trailing[1].lower() == "more"
        range_ = (1.0, 1.5) if more else _ROUGHLY
    if range_ is not None and not hedged:
        low, high = _hedged(value, core["digits"], range_)
        hedged = True
    value, low, high = (part * measure.scale + measure.shift for part in (value, low, high))
    return Quantity(value, low, high, hedged, measure, start, end)


def _hedge(text: str, start: int, after: int) -> tuple[int, tuple[float, float] | None]:
    """Where a hedge before `start` begins, and its range; it begins at `after` or later."""
    found = _BEFORE.search(text[max(after, start - 30) : start])
    if found is None:
        return start, None
    return start - len(found[0]), _HEDGES[found[1].lower()]


Worth = tuple[float, float, float, bool, Measure]


def _worth(core: "re.Match[str]") -> Worth | None:
    """Value, range, whether the words themselves are vague, and a unit where they give one."""
    if core["digits"]:
        return _of_digits(core)
    if core["odds"]:
        part, whole = _plain(core["part"]), _plain(core["whole"])
        return _share(part / whole, 0.02) if whole > part > 0 else None
    if core["fraction"]:
        return _share(fraction(core["fraction"]), 0.03)
    if core["vague"]:
        low, high = _vague(core["vague"])
        return (low + high) / 2, low, high, True, PLAIN
    value = number_word_value(core["words"])
    if value is None:
        return None
    value += 0.5 if core["half"] else 0.0
    value *= _LARGE_NUMBERS[core["half_scale"].strip(" -").lower()] if core["half_scale"] else 1.0
    return value, *_rounded(value), False, PLAIN


def _of_digits(core: "re.Match[str]") -> Worth:
    measure = money(core["sign"]) if core["sign"] else PLAIN
    value, (low, high) = _scaled(core["digits"], core["scale"] or core["upper_scale"])
    if core["upper"]:
        high = _scaled(core["upper"], core["upper_scale"])[0]
        if high > value:
            return (value + high) / 2, value, high, True, measure
        high = value  # no range: a score ("3-1"), or a part of something else
        low = value
    return value, low, high, False, measure


def _scaled(digits: str, scale: str | None) -> tuple[float, tuple[float, float]]:
    times = _LARGE_NUMBERS[scale.strip(" -").lower()] if scale else 1.0
    number = float(digits.replace(",", ""))
    places = len(digits.partition(".")[2])
    if not places:
        return number * times, _rounded(number * times)
    half = 0.5 * times * 10.0**-places
    return number * times, (number * times - half, number * times + half * 0.999)


def _rounded(value: float) -> tuple[float, float]:
    """What a whole number may stand for: two zeros or more at its end look like rounding."""
    if value == 0 or value % 100:
        return value, value
    unit = 100.0
    while value % (unit * 10) == 0:
        unit *= 10
    half = min(0.5 * unit, 0.05 * value)
    return value - half, value + half


def _hedged(value: float, digits: str | None, range_: tuple[float, float]) -> tuple[float, float]:
    if range_ is not _ROUGHLY:
        return value * range_[0], value * range_[1]
    unit = 10.0 if value >= 10 else 1.0
    while value and value % (unit * 10) == 0:
        unit *= 10
    if digits and "." in digits:
        unit = 0.0
    half = max(0.1 * value, min(0.5 * unit, 0.15 * value))
    return value - half, value + half


def _share(value: float, slack: float) -> Worth:
    # `SHARE` is per cent: what it scales is a hundredfold.
    return 100 * value, 100 * (value - slack), 100 * (value + slack), False, SHARE


def _plain(word: str) -> float:
    return float(word) if word.isdigit() else number_word_value(word) or 0.0


_VAGUE_RANGES = {
    "ten": (20, 100), "dozen": (24, 120), "score": (40, 200), "hundred": (200, 2_000),
    "thousand": (2_000, 20_000), "million": (2e6, 2e7), "billion": (2e9, 2e10),
}  # fmt: skip
_FEW = {
    "several": (3, 12),
    "a few": (2, 7),
    "a handful": (2, 8),
    "a couple": (2, 3),
    "a dozen": (11, 13),
}


def _vague(words: str) -> tuple[float, float]:
    words = " ".join(words.lower().split())
    if words in _FEW:
        return _FEW[words]
    first, *rest = (part.rstrip("s") for part in _counts(words))
    low, high = _VAGUE_RANGES[first]
    for part in rest:  # "tens of thousands"
        low, high = low * _LARGE_NUMBERS.get(part, 1.0), high * _LARGE_NUMBERS.get(part, 1.0)
    return low, high


def _counts(words: str) -> Iterator[str]:
    return (word for word in words.split() if word != "of")
