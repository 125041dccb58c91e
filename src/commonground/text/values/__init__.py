"""Values in prose: numbers, measures, times and names, and whether two agree."""

from commonground.text.values.names import (
    fullest,
    is_title,
    one_may_hold_the_other,
    same_name,
    same_person,
)
from commonground.text.values.names import parts as name_parts
from commonground.text.values.numbers import CURRENCIES, Quantity, quantities
from commonground.text.values.numbers import PLAIN as PLAIN_NUMBER
from commonground.text.values.numbers import agree as numbers_agree
from commonground.text.values.spans import value_spans
from commonground.text.values.times import When, dates
from commonground.text.values.times import agree as dates_agree
from commonground.text.values.times import comparable as dates_comparable

__all__ = [
    "CURRENCIES",
    "PLAIN_NUMBER",
    "Quantity",
    "When",
    "dates",
    "dates_agree",
    "dates_comparable",
    "fullest",
    "is_title",
    "name_parts",
    "numbers_agree",
    "one_may_hold_the_other",
    "quantities",
    "same_name",
    "same_person",
    "value_spans",
]
