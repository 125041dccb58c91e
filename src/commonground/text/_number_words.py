"""Number words and their values: "two hundred and five", "two thirds", "dozens"."""

import re

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
