"""The overlap as common words: n-grams that every narrative has, with the smallest frequency."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.texts import STOP_WORDS, Narratives, named_narratives, sentence_words
from commonground.plain import Plain
from commonground.score import Signature
from commonground.text import SPLITTERS, unmarked
from commonground.text import stem as stem_of

NOTHING: Final = "The narratives have no words in common."

_SHOWN = 40  # rows of the printed table

_Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gram(Plain):
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


@dataclass(frozen=True, slots=True, repr=False)
class CommonWords:
    """What `common_words` found, what says most first.

    The longest n-grams come first; of one length those with the most words that carry matter
    ("paper mill" before "at the"), then the most frequent, then A to Z.

    Attributes:
        grams: The n-grams.
        narratives: As they were given.
        signature: All that the result depends on.
    """

    grams: tuple[Gram, ...]
    narratives: tuple[Narrative, ...]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "grams": [gram.to_dict() for gram in self.grams],
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return f"CommonWords(grams={len(self.grams)}, signature='{self.signature}')"

    def __str__(self) -> str:
        if not self.grams:
            return NOTHING
        shown = self.grams[:_SHOWN]
        wide = max(len(gram.form) for gram in shown)
        heads = "  ".join(f"{number:>5}" for number in range(1, len(self.narratives) + 1))
        lines = [f"{'words':<{wide}}  common  {heads}"]
        for gram in shown:
            counts = "  ".join(f"{count:>5}" for count in gram.counts)
            lines.append(f"{gram.form:<{wide}}  {gram.count:>6}  {counts}")
        if len(self.grams) > _SHOWN:
            lines.append(f"... and {len(self.grams) - _SHOWN} more")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordOverlaps:
    """Finds the words and n-grams that every narrative has; `common_words` does so once.

    Attributes:
        n: How many words, one number or several.
        drop_stop_words: Leave out n-grams that begin or end with a word such as "the" or "of";
            inside they may stand, so that "house of commons" remains.
        stem: Words with one stem are one word ("votes", "voting").

    Raises:
        InputError: An `n` below 1.
    """

    n: int | Sequence[int] = (1, 2, 3)
    drop_stop_words: bool = False
    stem: bool = False

    def __post_init__(self) -> None:
        _sizes(self.n)

    def find(self, narratives: Narratives) -> CommonWords:
        """Those of two or more narratives; their order only orders the columns of the result."""
        named = named_narratives(narratives)
        forms: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
        counts = [self._count(one.text, forms) for one in named]
        common = set(counts[0]).intersection(*counts[1:])
        grams = [_gram(key, forms[key], [count[key] for count in counts]) for key in common]
        grams.sort(key=lambda gram: (-len(gram.words), -_matter(gram), -gram.count, gram.words))
        return CommonWords(tuple(grams), named, self.signature(len(named)))

    def signature(self, narratives: int) -> Signature:
        """That of a result for so many narratives."""
        return Signature.of(
            "OVERLAP",
            method="words",
            n="+".join(map(str, _sizes(self.n))),
            stop="dropped" if self.drop_stop_words else "kept",
            stem="porter" if self.stem else "no",
            split=SPLITTERS["layout"],
            narratives=str(narratives),
        )

    def _count(self, text: str, forms: defaultdict[_Key, Counter[str]]) -> Counter[_Key]:
        """How often a text has each n-gram; `forms` learns how they are written."""
        counts: Counter[_Key] = Counter()
        for words in sentence_words(unmarked(text)):
            keys = tuple(map(stem_of, words)) if self.stem else words
            for start, end in self._places(words):
                key = keys[start:end]
                counts[key] += 1
                forms[key][" ".join(words[start:end])] += 1
        return counts

    def _places(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where n-grams of a sentence start and end."""
        for size in _sizes(self.n):
            for start in range(len(words) - size + 1):
                end = start + size
                if self.drop_stop_words and STOP_WORDS & {words[start], words[end - 1]}:
                    continue
                yield start, end


def common_words(
    narratives: Narratives,
    *,
    n: int | Sequence[int] = (1, 2, 3),
    drop_stop_words: bool = False,
    stem: bool = False,
) -> CommonWords:
    """The words and n-grams that every narrative has, each with the smallest of its frequencies.

    An n-gram lies within one sentence. Case does not matter, nor does a possessive's ending, and
    markup is passed over. `WordOverlaps` says what the options mean and serves many.

    Raises:
        InputError: Fewer than two narratives, or an `n` below 1.

    Example:
        >>> print(common_words(["The red bus was late.", "The red bus came."], n=(2, 3)))
        words        common      1      2
        the red bus       1      1      1
        red bus           1      1      1
        the red           1      1      1
    """
    return WordOverlaps(n=n, drop_stop_words=drop_stop_words, stem=stem).find(narratives)


def _sizes(n: int | Sequence[int]) -> tuple[int, ...]:
    sizes = (n,) if isinstance(n, int) else tuple(n)
    if not sizes or min(sizes) < 1:
        raise InputError(f"n must be 1 or more, or several such numbers, not {n!r}")
    return tuple(sorted(set(sizes)))


def _matter(gram: Gram) -> int:
    """How many words are more than grammar; a lone letter, as of "p.m.", is not."""
    words = gram.form.split()
    return sum(w not in STOP_WORDS and (len(w) > 1 or w.isdigit()) for w in words)


def _gram(key: _Key, forms: Counter[str], counts: Sequence[int]) -> Gram:
    form = min(forms, key=lambda one: (-forms[one], one))
    return Gram(key, form, min(counts), tuple(counts))
