"""Which words of a narrative the others state: runs of words, their kinds, and their share.

`overlap_strictness.js` does the same for another strictness; a browser test compares both.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

KINDS: Final = ("all", "some", "own")
"""Words that all other narratives state, that some state, and that none states."""

_STEP: Final = 10  # percent between two positions of the slider

_Result = Mapping[str, Any]
Span = tuple[int, int]
_Word = tuple[Span, list[int]]  # where it is, and its support in percent


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one sentence that need no cut at any position of the slider.

    Attributes:
        start: Offset in the narrative.
        end: Offset of its end.
        words: The number of words; 0 for the gap between two runs.
        support: For each other narrative the mean probability in percent; empty for a gap.
        kind: One of `KINDS`, or "" if unsure.
    """

    start: int
    end: int
    words: int
    support: tuple[int, ...]
    kind: str


def kind(support: Sequence[int], strictness: int) -> str:
    """Return the kind of words by the probabilities that the other narratives state them.

    Args:
        support: A probability for each other narrative, in percent.
        strictness: In percent.

    Example:
        >>> kind([90, 60], 50), kind([90, 20], 50), kind([10, 20], 50), kind([30, 20], 80)
        ('all', 'some', 'own', '')
    """
    stated = sum(chance >= strictness for chance in support)
    if stated:
        return "all" if stated == len(support) else "some"
    return "own" if support and max(support) < min(strictness, 100 - strictness) else ""


def runs(
    sentence: _Result, cuts: Sequence[int], disputed: Sequence[Span], strictness: int
) -> Iterator[Run]:
    """Yield the runs of a sentence and the gaps between them, without disputed words.

    Args:
        sentence: One of `readings` of the result.
        cuts: Offsets at which a run must end, sorted.
        disputed: Spans that are marked otherwise, from `apart`.
        strictness: In percent.
    """
    found = list(_runs(sentence, cuts, disputed, strictness))
    for run, following in pairwise(found):
        yield run
        if run.end < following.start and not _meets((run.end, following.start), disputed):
            same = run.kind if run.kind == following.kind else ""
            yield Run(run.end, following.start, 0, (), same)
    yield from found[-1:]


def undecided(found: Sequence[Run]) -> list[Run]:
    """Return the runs of a sentence that shows a statement.

    If none of its words is shared by itself, they are no longer marked as only here.
    """
    if any(run.kind in ("all", "some") for run in found):
        return list(found)
    return [replace(run, kind="") for run in found]


def _runs(
    sentence: _Result, cuts: Sequence[int], disputed: Sequence[Span], strictness: int
) -> Iterator[Run]:
    offsets = sentence["offsets"]
    columns = [[int(100 * chance) for chance in other["support"]] for other in sentence["against"]]
    spans = zip(offsets[::2], offsets[1::2], strict=True)
    groups: list[list[_Word]] = []
    for span, *support in zip(spans, *columns, strict=True):
        if _meets(span, disputed):
            continue
        word = span, support
        if groups and _joins(groups[-1][-1], word, cuts, disputed):
            groups[-1].append(word)
        else:
            groups.append([word])
    for group in groups:
        (start, _), (_, end) = group[0][0], group[-1][0]
        rows = [support for _, support in group]
        means = tuple(sum(column) // len(rows) for column in zip(*rows, strict=True))
        yield Run(start, end, len(rows), means, kind(means, strictness))


def _joins(word: _Word, following: _Word, cuts: Sequence[int], disputed: Sequence[Span]) -> bool:
    gap = word[0][1], following[0][0]
    place = bisect_left(cuts, gap[0])
    cut = (place < len(cuts) and cuts[place] <= gap[1]) or _meets(gap, disputed)
    return not cut and _level(word[1]) == _level(following[1])


def apart(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, joined where they overlap.

    Example:
        >>> apart([(8, 9), (0, 4), (2, 5), (5, 8)])
        [(0, 5), (5, 8), (8, 9)]
    """
    found: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] <= span[1]):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _meets(span: Span, spans: Sequence[Span]) -> bool:
    """Whether a span overlaps one of those from `apart`."""
    place = bisect_right(spans, span[0], key=lambda other: other[1])
    return place < len(spans) and spans[place][0] < span[1]


def _level(support: Sequence[int]) -> tuple[int, ...]:
    """Return between which positions of the slider each probability lies."""
    return tuple(min(chance, 99) // _STEP for chance in support)


def shares(found: Iterable[Run], words: int) -> dict[str, float]:
    """Return the share of each kind among the words of a narrative, in percent."""
    counts = dict.fromkeys(KINDS, 0)
    for run in found:
        if run.kind:
            counts[run.kind] += run.words
    total = max(words, sum(counts.values()), 1)
    return {name: 100 * count / total for name, count in counts.items()}
