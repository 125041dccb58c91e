"""N-grams of a token sequence as a multiset."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeAlias

# A token stands for itself as a 1-gram; longer ones are tuples of tokens.
NGrams: TypeAlias = Counter[Hashable]


def count_ngrams(tokens: Sequence[int], length: int) -> NGrams:
    """How often each n-gram of one length occurs."""
    if length == 1:
        return Counter(tokens)
    if length > len(tokens):
        return Counter()
    return Counter(zip(*(tokens[start:] for start in range(length)), strict=False))


def shared_ngrams(one: NGrams, other: NGrams) -> int:
    """How many n-grams two texts share, each as often as it occurs in both."""
    both = one.keys() & other.keys()
    return sum(map(min, map(one.__getitem__, both), map(other.__getitem__, both)))
