"""What a cut keeps or drops as a whole: a date, a number with its unit, a name.

"On March 3" may go, but must not become "on March", nor "Mount Hood" become "Hood".
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from commonground.narratives.statements.constraints import JOINING
from commonground.text.values import is_title, value_spans
from commonground.wording import Tree

_RANGES = frozenset(("and", "or", "to", "-", "–"))
_SPECIFYING = frozenset(("det", "poss"))
_NAMES = frozenset(("NNP", "NNPS"))


def wholes(tree: Tree) -> list[int]:
    """Return for each token the number of its date, quantity or name, from 1 on; 0 outside."""
    numbers = [0] * len(tree)
    for number, tokens in enumerate(_merged([*_values(tree), *_names(tree)]), start=1):
        for token in tokens:
            numbers[token] = number
    return numbers


def splits_whole(tree: Tree, whole: Sequence[int], kept: Sequence[bool]) -> bool:
    """Say whether a cut keeps only part of one of the tree's `wholes`."""
    kept_of: defaultdict[int, set[bool]] = defaultdict(set)
    for token, number in enumerate(whole):
        if number and not tree.is_mark(token):
            kept_of[number].add(bool(kept[token]))
    return any(len(values) > 1 for values in kept_of.values())


def with_wholes(tree: Tree, whole: Sequence[int], kept: np.ndarray) -> None:
    """Keep the conjunction inside a range: "between 4 and 6 p.m."."""
    for token, number in enumerate(whole):
        if number and tree.deps[token] in JOINING:
            kept[token] = kept[tree.heads[token]]


def _merged(spans: list[range]) -> Iterator[range]:
    """Yield spans in order, those that overlap as one."""
    last = range(0)
    for span in sorted(spans, key=lambda span: span.start):
        if span.start >= last.stop:
            yield from (last,) if last else ()
            last = span
        else:
            last = range(last.start, max(last.stop, span.stop))
    yield from (last,) if last else ()


def _values(tree: Tree) -> Iterator[range]:
    lengths = (len(text) + space for text, space in zip(tree.texts, tree.spaced, strict=True))
    starts = list(accumulate(lengths, initial=0))
    blanks = (" " * space for space in tree.spaced)
    text = "".join(map("".join, zip(tree.texts, blanks, strict=True)))
    for start, end in value_spans(text):
        inside = [n for n in range(len(tree)) if starts[n] < end and start < starts[n + 1]]
        first, stop = inside[0], inside[-1] + 1
        # The first number of a range: "4 to 6 p.m."
        is_range = first > 1 and tree.lower[first - 1] in _RANGES and tree.tags[first - 2] == "CD"
        yield range(first - 2 if is_range and tree.heads[first - 2] in inside else first, stop)


def _names(tree: Tree) -> Iterator[range]:
    """Yield names of several words without titles before them, and "Highway 12"."""
    for last in range(len(tree)):
        if tree.tags[last] not in _NAMES or tree.deps[last] == "compound":
            continue
        first = last
        # "A Brightmail Profile" is a profile; the first word has a capital anyway.
        is_kind = any(tree.deps[n] in _SPECIFYING for n in tree.children[last])
        while not is_kind and first > 1 and _joins(tree, first - 1, last):
            first -= 1
        number = last + 1
        is_numbered = number < len(tree) and tree.tags[number] == "CD"
        if is_numbered and tree.heads[number] == last and tree.deps[last] != "nmod":
            yield range(first, number + 1)
        elif first < last:
            yield range(first, last + 1)


def _joins(tree: Tree, token: int, last: int) -> bool:
    """Say whether a token is part of the name that ends with `last`."""
    return (
        tree.tags[token] in _NAMES
        and tree.deps[token] == "compound"
        and token < tree.heads[token] <= last
        and not is_title(tree.texts[token])
    )
