"""Where the values of a text are: dates and numbers with their units, each as one span."""

from commonground.text.values.numbers import quantities
from commonground.text.values.times import date_parts


def value_spans(text: str) -> list[tuple[int, int]]:
    """Return the offsets of dates, times and quantities, in order and without overlaps.

    Example:
        >>> text = "On Monday, May 3, at 10 a.m. it paid $4 million"
        >>> [text[start:end] for start, end in value_spans(text)]
        ['Monday', 'May 3', '10 a.m.', '$4 million']
    """
    spans = [(when.start, when.end) for when in date_parts(text)]
    for number in quantities(text):
        if all(number.end <= start or end <= number.start for start, end in spans):
            spans.append((number.start, number.end))
    return sorted(spans)
