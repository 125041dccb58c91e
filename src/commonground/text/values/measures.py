"""Units of measure: what the words after a number count, on one scale for each dimension."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit: `value * scale + shift` is the amount on the scale of its dimension."""

    dimension: str
    scale: float = 1.0
    shift: float = 0.0


PLAIN = Measure("")
"""Things counted, which have no unit."""

SHARE = Measure("share", 0.01)
"""Per cent; fractions are of the same dimension."""

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
# Names are plain singular; `measure_after` takes off a final s.
_NAMES: dict[str, Measure] = {
    **dict.fromkeys(("%", "percent", "per cent", "pct"), SHARE),
    **dict.fromkeys(("percentage point", "point"), Measure("point")),
    **dict.fromkeys(("dollar", "usd"), Measure("$")),
    **dict.fromkeys(("euro", "eur"), Measure("€")),
    **dict.fromkeys(("pound sterling", "gbp"), Measure("£")),
    **dict.fromkeys(("yen", "jpy"), Measure("¥")),
    "cent": Measure("$", 0.01),
    **dict.fromkeys(("millimetre", "millimeter", "mm"), Measure("length", 0.001)),
    **dict.fromkeys(("centimetre", "centimeter", "cm"), Measure("length", 0.01)),
    **dict.fromkeys(("metre", "meter", "m"), Measure("length")),
    **dict.fromkeys(("kilometre", "kilometer", "km"), Measure("length", 1000.0)),
    **dict.fromkeys(("inch", "inche"), Measure("length", 0.0254)),
    **dict.fromkeys(("foot", "feet", "ft"), Measure("length", 0.3048)),
    "yard": Measure("length", 0.9144),
    "mile": Measure("length", 1609.344),
    **dict.fromkeys(("gram", "g"), Measure("mass", 0.001)),
    **dict.fromkeys(("milligram", "mg"), Measure("mass", 1e-6)),
    **dict.fromkeys(("kilogram", "kilo", "kg"), Measure("mass")),
    **dict.fromkeys(("pound", "lb"), Measure("mass", 0.4536)),
    **dict.fromkeys(("ounce", "oz"), Measure("mass", 0.02835)),
    **dict.fromkeys(("tonne", "metric ton", "ton"), Measure("mass", 1000.0)),
    **dict.fromkeys(("hectare", "ha"), Measure("area", 10_000.0)),
    "acre": Measure("area", 4046.86),
    **dict.fromkeys(("square kilometre", "square kilometer"), Measure("area", 1e6)),
    "square mile": Measure("area", 2.59e6),
    **dict.fromkeys(("square metre", "square meter"), Measure("area")),
    **dict.fromkeys(("square foot", "square feet"), Measure("area", 0.0929)),
    **dict.fromkeys(("millilitre", "milliliter", "ml"), Measure("volume", 0.001)),
    **dict.fromkeys(("litre", "liter"), Measure("volume")),
    "gallon": Measure("volume", 3.785),
    **dict.fromkeys(("second", "sec"), Measure("time")),
    **dict.fromkeys(("minute", "min"), Measure("time", _MINUTE)),
    **dict.fromkeys(("hour", "hr"), Measure("time", _HOUR)),
    "day": Measure("time", _DAY),
    "week": Measure("time", 7 * _DAY),
    "month": Measure("time", 30.44 * _DAY),
    "year": Measure("time", 365.25 * _DAY),
    "decade": Measure("time", 3652.5 * _DAY),
    "century": Measure("time", 36525.0 * _DAY),
    **dict.fromkeys(("mph", "mile per hour", "miles per hour", "mile an hour", "miles an hour"),
                    Measure("speed", 1.609)),
    **dict.fromkeys(("km/h", "kph", "kmh", "kilometres per hour", "kilometers per hour",
                     "kilometres an hour", "kilometers an hour"), Measure("speed")),
    **dict.fromkeys(("celsius", "degrees celsius", "°c"), Measure("temperature")),
    **dict.fromkeys(("fahrenheit", "degrees fahrenheit", "°f"),
                    Measure("temperature", 5 / 9, -160 / 9)),
}  # fmt: skip

_SIGNS = {"us$": "$", "$": "$", "€": "€", "£": "£", "¥": "¥"}
SIGN = r"(?:US\$|[$€£¥])"
"""A pattern of what may stand before an amount of money."""

_ENDING = "|".join(re.escape(name) for name in sorted(_NAMES, key=len, reverse=True))
_AFTER = re.compile(rf"[\s-]{{0,2}}(?:({_ENDING})s?(?![\w/])|(%))", re.IGNORECASE)


def money(sign: str) -> Measure:
    """The currency of a sign before a number."""
    return Measure(_SIGNS[sign.lower()])


def measure_after(text: str, end: int) -> tuple[Measure, int]:
    """The unit that follows a number which ends at `end`, and where the unit ends."""
    found = _AFTER.match(text, end)
    if found is None:
        return PLAIN, end
    return _NAMES[(found[1] or found[2]).lower()], found.end()
