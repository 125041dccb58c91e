"""Numbers in prose: their value, their unit, and whether two of them agree.

Writers round and hedge, so a number is a value and the range that its wording allows: "about 50"
includes 48, "more than 300" includes 312, "1.2 million" includes 1,214,000, "12" is only 12.
"""

import re
from dataclasses import dataclass

from commonground.text.lexicon import lexicon

_DATA = lexicon("numbers")
_Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit: `value * scale + shift` is the amount on the scale of its dimension."""

    dimension: str
    scale: float = 1.0
    shift: float = 0.0


PLAIN = Measure("")
"""The measure of counted things, which have no unit."""

_SHARE = Measure("share", 0.01)  # per cent and fractions
_UNITS = {
    name: Measure(dimension, *(scale if isinstance(scale, list) else [scale]))
    for dimension, units in _DATA["units"].items()
    for names, scale in units.items()
    for name in names.split(", ")
}
_UNIT_AFTER = re.compile(
    rf"[\s-]{{0,2}}(?:({'|'.join(map(re.escape, sorted(_UNITS, key=len, reverse=True)))})s?"
    r"(?![\w/])|(%))",
    re.IGNORECASE,
)
CURRENCIES = frozenset("$€£¥")
"""The dimensions of sums of money."""

_SIGN = r"(?:US\$|[$€£¥])"

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: float(value) for value, word in enumerate(_ONES.split())} | {
    word: 10.0 * value for value, word in enumerate(_TENS.split(), start=2)
}
_LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALES = _LARGE | {"hundred": 1e2, "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fifth": 5}

_NUMBER_WORD = (
    rf"(?:{'|'.join(sorted([*_SMALL, *_LARGE, 'hundred', 'dozen'], key=len, reverse=True))})\b"
)
_VAGUE = (
    r"(?:(?:tens|dozens|scores|hundreds|thousands|millions|billions)"
    r"(?:\ of\ (?:thousands|millions|billions))?|several|a\ (?:few|handful|couple|dozen))"
)
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = r"(?:[ -]?(?:hundred|thousand|million|billion|trillion|mn|bn|tn)\b|(?<=\d)[kKmMbB]\b)"
_FRACTION = (
    r"(?:(?:one|a|two|three|four)[ -])?(?:half|halves|third|thirds|quarter|quarters|fifth|fifths)"
)
_CORE = re.compile(
    rf"""(?<![\w.,/:'-])(?:
      (?P<between>between\ )?(?P<sign>{_SIGN})?\ ?(?P<digits>{_DIGITS})(?P<scale>{_SCALE})?
          (?:\ ?(?(between)and|(?:-|–|to|or))\ ?{_SIGN}?(?P<upper>{_DIGITS})
              (?P<upper_scale>{_SCALE})?)?(?![\w:/]|[.,]\d)
    | (?P<odds>(?P<part>\d+|{_NUMBER_WORD})\ (?:in|out\ of)\ (?:every\ )?
          (?P<whole>\d+|{_NUMBER_WORD}))\b
    | (?P<fraction>{_FRACTION})(?=\ (?:of|the|a|an|its|their|his|her|all)\b)
    | (?P<vague>{_VAGUE})\b
    | (?P<words>(?:a\ (?=(?:hundred|thousand|million|billion)\b))?
          {_NUMBER_WORD}(?:(?:\ and\ |[\ -]){_NUMBER_WORD})*)\b
          (?P<half>\ and\ a\ half)?(?P<half_scale>{_SCALE})?
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[\s-]+")

_ROUGHLY: _Range = (0.0, 0.0)
_MORE: _Range = (1.0, 1.5)
_HEDGES: dict[str, _Range] = {
    phrase: tuple(hedge["range"])
    for hedge in _DATA["hedges"]
    for phrase in hedge["words"].split(", ")
}
_HEDGE_BEFORE = re.compile(
    rf"\b({'|'.join(sorted(_HEDGES, key=len, reverse=True))})(?: the| a)? $", re.IGNORECASE
)
_HEDGE_AFTER = re.compile(r"(?:\s(?:or (so|more|less))\b|(\+)|-(plus)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at `text[start:end]`, including its unit and its hedges.

    Attributes:
        value: On the scale of the dimension: a share is 0 to 1, lengths are metres, masses
            kilograms, times seconds.
        low: The least that the wording allows.
        high: The most that it allows.
        hedged: The writer says that it is not exact ("about", "dozens").
        measure: The unit in the text; the dimension of counted things is "".
        start: Start offset.
        end: End offset.
    """

    value: float
    low: float
    high: float
    hedged: bool
    measure: Measure
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text in order, written in digits or words.

    Numbers inside names ("A320", "COVID-19") are skipped. Those of dates and clock times are
    included: use `dates` to remove them.

    Example:
        >>> [(q.value, q.low, q.high) for q in quantities("More than 300 of 2 million")]
        [(300.0, 300.0, 450.0), (2000000.0, 1900000.0, 2100000.0)]
    """
    result: list[Quantity] = []
    for core in _CORE.finditer(text):
        previous_end = result[-1].end if result else 0
        if core.start() >= previous_end:
            quantity = _quantity(text, core, previous_end)
            result += [quantity] if quantity else []
    return result


def agree(one: Quantity, other: Quantity) -> bool:
    """Say whether both can be right; numbers of different dimensions always can."""
    if one.measure.dimension != other.measure.dimension:
        return True
    # A converted number (100 km, 62 miles) is rounded in the other unit.
    slack = 0.04 if one.measure != other.measure else 1e-9
    if _is_limit(one) and _is_limit(other):
        return abs(one.value - other.value) <= slack * max(one.value, other.value)
    if one.hedged and other.hedged:
        return _within(one.low, other, slack) or _within(other.low, one, slack)
    return _within(one.value, other, slack) or _within(other.value, one, slack)


def _is_limit(quantity: Quantity) -> bool:
    """Say whether it is an upper limit: two different limits disagree."""
    return quantity.hedged and quantity.low == 0 and quantity.high == quantity.value


def _within(value: float, quantity: Quantity, slack: float) -> bool:
    room = slack * max(abs(quantity.value), abs(value))
    return quantity.low - room <= value <= quantity.high + room


def number_word_value(words: str) -> float | None:
    """Return the value of number words; None if they are not a single number.

    Example:
        >>> number_word_value("Two hundred and five"), number_word_value("five two")
        (205.0, None)
    """
    total = part = last = 0.0
    seen = False
    for word in _SEPARATOR.split(words.lower().strip()):
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


def _quantity(text: str, core: re.Match[str], previous_end: int) -> Quantity | None:
    """Build a number from its core and the hedges and unit around it."""
    worth = _worth(core)
    if worth is None:
        return None
    value, low, high, hedged, measure = worth
    start, end = core.span()
    if measure is PLAIN and (unit := _UNIT_AFTER.match(text, end)):
        measure, end = _UNITS[(unit[1] or unit[2]).lower()], unit.end()
    hedge = None
    if before := _HEDGE_BEFORE.search(text[max(previous_end, start - 30) : start]):
        start, hedge = start - len(before[0]), _HEDGES[before[1].lower()]
    if after := _HEDGE_AFTER.match(text, end):
        end = after.end()
        hedge = _MORE if after[1] is None or after[1].lower() == "more" else _ROUGHLY
    if hedge is not None and not hedged:
        low, high = _hedged(value, core["digits"], hedge)
        hedged = True
    value, low, high = (part * measure.scale + measure.shift for part in (value, low, high))
    return Quantity(value, low, high, hedged, measure, start, end)


_Worth = tuple[float, float, float, bool, Measure]


def _worth(core: re.Match[str]) -> _Worth | None:
    """Return value, range, whether the words are vague, and the unit they imply."""
    if core["digits"]:
        return _of_digits(core)
    if core["odds"]:
        part, whole = _plain(core["part"]), _plain(core["whole"])
        return _share(part / whole, 0.02) if whole > part > 0 else None
    if core["fraction"]:
        *count, part_word = _SEPARATOR.split(core["fraction"].lower())
        upper = _SMALL.get(count[0], 1.0) if count else 1.0
        return _share(upper / _PARTS[part_word.removesuffix("s")], 0.03)
    if core["vague"]:
        low, high = _vague_range(core["vague"].lower())
        return (low + high) / 2, low, high, True, PLAIN
    value = number_word_value(core["words"])
    if value is None:
        return None
    value = (value + (0.5 if core["half"] else 0.0)) * _scale(core["half_scale"])
    return value, *_rounded(value), False, PLAIN


def _of_digits(core: re.Match[str]) -> _Worth:
    measure = Measure(core["sign"][-1]) if core["sign"] else PLAIN
    value, (low, high) = _scaled(core["digits"], core["scale"] or core["upper_scale"])
    if core["upper"]:
        upper = _scaled(core["upper"], core["upper_scale"])[0]
        if upper > value:
            return (value + upper) / 2, value, upper, True, measure
        low = high = value  # not a range: a score ("3-1"), or part of something else
    return value, low, high, False, measure


def _scale(word: str | None) -> float:
    return _SCALES[word.strip(" -").lower()] if word else 1.0


def _scaled(digits: str, scale: str | None) -> tuple[float, _Range]:
    times = _scale(scale)
    value = float(digits.replace(",", "")) * times
    decimals = len(digits.partition(".")[2])
    if not decimals:
        return value, _rounded(value)
    half = 0.5 * times * 10.0**-decimals
    return value, (value - half, value + half * 0.999)


def _rounded(value: float) -> _Range:
    """Return the range of a whole number: two or more final zeros suggest rounding."""
    if value == 0 or value % 100:
        return value, value
    unit = 100.0
    while value % (unit * 10) == 0:
        unit *= 10
    half = min(0.5 * unit, 0.05 * value)
    return value - half, value + half


def _hedged(value: float, digits: str | None, hedge: _Range) -> _Range:
    if hedge != _ROUGHLY:
        return value * hedge[0], value * hedge[1]
    unit = 10.0 if value >= 10 else 1.0
    while value and value % (unit * 10) == 0:
        unit *= 10
    if digits and "." in digits:
        unit = 0.0
    half = max(0.1 * value, min(0.5 * unit, 0.15 * value))
    return value - half, value + half


def _share(value: float, slack: float) -> _Worth:
    # In per cent, like `_SHARE`.
    return 100 * value, 100 * (value - slack), 100 * (value + slack), False, _SHARE


def _plain(word: str) -> float:
    return float(word) if word.isdigit() else number_word_value(word) or 0.0


def _vague_range(words: str) -> _Range:
    ranges = _DATA["vague"]
    if words in ranges:
        low, high = ranges[words]
        return low, high
    first, *rest = (word.rstrip("s") for word in words.split() if word != "of")
    low, high = ranges[first]
    for word in rest:  # "tens of thousands"
        low, high = low * _SCALES.get(word, 1.0), high * _SCALES.get(word, 1.0)
    return low, high
