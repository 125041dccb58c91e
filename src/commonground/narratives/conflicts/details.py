"""Numbers and dates of a narrative: a statement may hold none where the narrative has others."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.text.values import Quantity, When, dates, dates_comparable, quantities
from commonground.text.values import dates_agree as same_time
from commonground.text.values import numbers_agree as same_number

_ROUND = 0.5
_LEAST = 2  # "one" is as often a pronoun as a number


@dataclass(frozen=True, slots=True)
class Details:
    """What a narrative counts, measures and dates."""

    numbers: tuple[Quantity, ...]
    times: tuple[When, ...]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> "Details":
        """The details of all sentences."""
        return cls(
            tuple(found for sentence in sentences for found in _numbers(sentence)),
            tuple(found for sentence in sentences for found in dates(sentence)),
        )

    def bear(self, text: str) -> bool:
        """Whether the narrative has the numbers and dates of a text, or none in their place.

        A number must fit one of the narrative's of the same kind (counts, money, shares, lengths),
        rounded or in other units, and a date one that it can be compared with, if there are any.
        """
        return all(map(self._counted, _numbers(text))) and all(map(self._dated, dates(text)))

    def _counted(self, one: Quantity) -> bool:
        dimension = one.measure.dimension
        others = [other for other in self.numbers if other.measure.dimension == dimension]
        if not others or any(same_number(one, other) for other in others):
            return True
        # "By 58 percent to 42" says percent once.
        return dimension == "share" and any(
            not other.measure.dimension and abs(other.value - 100 * one.value) < _ROUND
            for other in self.numbers
        )

    def _dated(self, when: When) -> bool:
        others = [other for other in self.times if dates_comparable(when, other)]
        return not others or any(same_time(when, other) for other in others)


def _numbers(sentence: str) -> list[Quantity]:
    """Quantities that are no parts of dates."""
    times = dates(sentence)
    return [
        one
        for one in quantities(sentence)
        if (one.measure.dimension or one.value >= _LEAST)
        and not any(when.start < one.end and one.start < when.end for when in times)
    ]
