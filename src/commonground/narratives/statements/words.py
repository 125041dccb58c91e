"""The reader's answers for every word, in the numbers and offsets of the caller."""

from collections.abc import Sequence

from commonground.narratives.reading import Readings
from commonground.narratives.result import Against, SentenceReading
from commonground.narratives.statements.candidates import ByOther
from commonground.reader import Reading
from commonground.reading import Document

_DECIMALS = 3


def word_readings(
    readings: Readings, read: Sequence[ByOther], order: Sequence[int]
) -> tuple[tuple[SentenceReading, ...], ...]:
    """Return, for each narrative of the caller, its closely read sentences.

    Args:
        readings: The narratives in sorted order.
        read: For each narrative, by other narrative, the readings of its closely read sentences.
        order: For each narrative the caller's index.
    """
    result: list[tuple[SentenceReading, ...]] = [()] * len(readings)
    for narrative, document in enumerate(readings.narratives):
        result[order[narrative]] = tuple(
            _sentence(readings, document, row, read[narrative], order)
            for row in range(len(document.close))
        )
    return tuple(result)


def _sentence(
    readings: Readings, document: Document, row: int, read: ByOther, order: Sequence[int]
) -> SentenceReading:
    sentence = document.sentences[document.close[row]]
    against = {other: by_row[row] for other, by_row in read.items()}
    words = next(iter(against.values())).words
    return SentenceReading(
        sentence.start,
        sentence.end,
        tuple(sentence.start + edge for word in words for edge in (word.start, word.end)),
        tuple(
            _against(reading, order[other], readings.narratives[other])
            for other, reading in sorted(against.items(), key=lambda pair: order[pair[0]])
        ),
    )


def _against(reading: Reading, narrative: int, document: Document) -> Against:
    index = reading.evidence[0].sentence if reading.evidence else reading.nearest
    shown = None if index is None else document.sentences[index]
    stated, partly, contradicted, absent = (round(p, _DECIMALS) for p in reading.probabilities)
    return Against(
        narrative,
        (stated, partly, contradicted, absent),
        tuple(round(word.support, _DECIMALS) for word in reading.words),
        None if shown is None else (shown.start, shown.end),
    )
