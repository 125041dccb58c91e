"""The overlap as common words: n-grams that every narrative has, with the smallest frequency."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from commonground._score import Signature
from commonground.errors import InputError
from commonground.overlap._texts import STOP_WORDS, Narratives, check_narratives, sentence_words
from commonground.text import SPLITTERS
from commonground.text._markup import unmarked
from commonground.text._porter import stem as stem_of

NOTHING: Final = "The narratives have no words in common."

_SHOWN = 40  # rows of the printed table

_Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gram:
    """Neighbouring words that all narratives have.

    Attributes:
        words: The words, or their stems where stemming was asked for.
        form: How the narratives write it most often, in lower case.
        count: The smallest of `counts`.
        counts: How often each narrative has it, in the order of the narratives.
    """

    words: tuple[str, ...]
    form: str
    count: int
    counts: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "words": list(self.words),
            "form": self.form,
            "count": self.count,
            "counts": list(self.counts),
        }


@dataclass(frozen=True, slots=True)
class CommonWords:
    """What `common_words` found: the longest n-grams first, then the most frequent, then A to Z.

    Attributes:
        grams: The n-grams.
        narratives: How many narratives were compared.
        signature: All that the result depends on.
    """

    grams: tuple[Gram, ...]
    narratives: int
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "narratives": self.narratives,
            "grams": [gram.to_dict() for gram in self.grams],
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        if not self.grams:
            return NOTHING
        shown = self.grams[:_SHOWN]
        wide = max(len(gram.form) for gram in shown)
        heads = "  ".join(f"{number:>5}" for number in range(1, self.narratives + 1))
        lines = [f"{'words':<{wide}}  common  {heads}"]
        for gram in shown:
            counts = "  ".join(f"{count:>5}" for count in gram.counts)
            lines.append(f"{gram.form:<{wide}}  {gram.count:>6}  {counts}")
        if len(self.grams) > _SHOWN:
            lines.append(f"... and {len(self.grams) - _SHOWN} more")
        return "\n".join(lines)


def common_words(
    narratives: Narratives,
    *,
    n: int | Sequence[int] = (1, 2, 3),
    drop_stop_words: bool = False,
    stem: bool = False,
) -> CommonWords:
    """The words and n-grams that every narrative has, each with the smallest of its frequencies.

    An n-gram lies within one sentence. Case does not matter, nor does a possessive's ending, and
    markup is passed over.

    Args:
        narratives: Two or more texts; their order only orders the columns of the result.
        n: How many words, one number or several.
        drop_stop_words: Leave out n-grams that begin or end with a word such as "the" or "of";
            inside they may stand, so that "house of commons" remains.
        stem: Words with one stem are one word ("votes", "voting").

    Raises:
        InputError: Fewer than two narratives, or an `n` below 1.

    Example:
        >>> print(common_words(["The red bus was late.", "The red bus came."], n=(2, 3)))
        words        common      1      2
        the red bus       1      1      1
        red bus           1      1      1
        the red           1      1      1
    """
    texts = check_narratives(narratives)
    sizes = _sizes(n)
    forms: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
    counts = [_count(text, sizes, drop_stop_words, stem, forms) for text in texts]
    common = set(counts[0]).intersection(*counts[1:])
    grams = [_gram(key, forms[key], [count[key] for count in counts]) for key in common]
    grams.sort(key=lambda gram: (-len(gram.words), -gram.count, gram.words))
    signature = Signature.of(
        "OVERLAP",
        method="words",
        n="+".join(map(str, sizes)),
        stop="dropped" if drop_stop_words else "kept",
        stem="porter" if stem else "no",
        split=SPLITTERS["layout"],
        narratives=str(len(texts)),
    )
    return CommonWords(tuple(grams), len(texts), signature)


def _sizes(n: int | Sequence[int]) -> tuple[int, ...]:
    sizes = (n,) if isinstance(n, int) else tuple(n)
    if not sizes or min(sizes) < 1:
        raise InputError(f"n must be 1 or more, or several such numbers, not {n!r}")
    return tuple(sorted(set(sizes)))


def _count(
    text: str,
    sizes: Sequence[int],
    drop_stop_words: bool,
    stem: bool,
    forms: defaultdict[_Key, Counter[str]],
) -> Counter[_Key]:
    """How often a text has each n-gram; `forms` learns how they are written."""
    counts: Counter[_Key] = Counter()
    for words in sentence_words(unmarked(text)):
        keys = tuple(map(stem_of, words)) if stem else words
        for size in sizes:
            for start in range(len(words) - size + 1):
                end = start + size
                if drop_stop_words and not STOP_WORDS.isdisjoint((words[start], words[end - 1])):
                    continue
                key = keys[start:end]
                counts[key] += 1
                forms[key][" ".join(words[start:end])] += 1
    return counts


def _gram(key: _Key, forms: Counter[str], counts: Sequence[int]) -> Gram:
    form = min(forms, key=lambda one: (-forms[one], one))
    return Gram(key, form, min(counts), tuple(counts))
