"""The overlap as common words: n-grams that all narratives have, with the minimum frequency."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.texts import Narratives, named_narratives, sentence_words
from commonground.plain import Plain
from commonground.score import Signature
from commonground.text import SPLITTERS, unmarked
from commonground.text import stem as stem_of
from commonground.wording import STOP_WORDS

NOTHING: Final = "The narratives have no words in common."

_ROWS = 40  # of the printed table

_Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gram(Plain):
    """An n-gram that all narratives have.

    Attributes:
        words: The words, or their stems with `stem=True`.
        form: The most frequent spelling, in lower case.
        count: The minimum of `counts`.
        counts: The frequency in each narrative, in their order.
    """

    words: tuple[str, ...]
    form: str
    count: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class CommonWords(Plain):
    """The result of `common_words`.

    The n-grams are sorted by length, then by number of content words ("paper mill" before "at
    the"), then by frequency, then alphabetically.

    Attributes:
        grams: The n-grams.
        narratives: The narratives in the caller's order.
        signature: Everything the result depends on.
    """

    grams: tuple[Gram, ...]
    narratives: tuple[Narrative, ...]
    signature: Signature

    def __repr__(self) -> str:
        return f"CommonWords(grams={len(self.grams)}, signature='{self.signature}')"

    def __str__(self) -> str:
        if not self.grams:
            return NOTHING
        shown = self.grams[:_ROWS]
        width = max(len(gram.form) for gram in shown)
        heads = "  ".join(f"{number:>5}" for number in range(1, len(self.narratives) + 1))
        lines = [f"{'words':<{width}}  common  {heads}"]
        for gram in shown:
            counts = "  ".join(f"{count:>5}" for count in gram.counts)
            lines.append(f"{gram.form:<{width}}  {gram.count:>6}  {counts}")
        if len(self.grams) > _ROWS:
            lines.append(f"... and {len(self.grams) - _ROWS} more")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordOverlaps:
    """Finds the n-grams that all narratives have; reusable form of `common_words`.

    Attributes:
        n: Length of the n-grams, one number or several.
        drop_stop_words: Drop n-grams that begin or end with a word such as "the" or "of"; "house
            of commons" stays.
        stem: Treat words with the same stem as one ("votes", "voting").
    """

    n: int | Sequence[int] = (1, 2, 3)
    drop_stop_words: bool = False
    stem: bool = False

    def __post_init__(self) -> None:
        _sizes(self.n)

    def find(self, narratives: Narratives) -> CommonWords:
        """Find the common n-grams of two or more narratives; their order only sorts columns."""
        named = named_narratives(narratives)
        forms: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
        by_narrative = [self._count(narrative.text, forms) for narrative in named]
        grams = []
        for key in set.intersection(*map(set, by_narrative)):
            form = min(forms[key], key=lambda form: (-forms[key][form], form))
            counts = tuple(counter[key] for counter in by_narrative)
            grams.append(Gram(key, form, min(counts), counts))
        grams.sort(key=lambda g: (-len(g.words), -_content_words(g.form), -g.count, g.words))
        return CommonWords(tuple(grams), named, self.signature(len(named)))

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
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
        """Count the n-grams of a text, and add their spellings to `forms`."""
        counts: Counter[_Key] = Counter()
        for words in sentence_words(unmarked(text)):
            keys = tuple(map(stem_of, words)) if self.stem else words
            for size in _sizes(self.n):
                for start in range(len(words) - size + 1):
                    gram, key = words[start : start + size], keys[start : start + size]
                    if not (self.drop_stop_words and STOP_WORDS & {gram[0], gram[-1]}):
                        counts[key] += 1
                        forms[key][" ".join(gram)] += 1
        return counts


def common_words(
    narratives: Narratives,
    *,
    n: int | Sequence[int] = (1, 2, 3),
    drop_stop_words: bool = False,
    stem: bool = False,
) -> CommonWords:
    """Return the n-grams that all narratives have, each with its minimum frequency.

    An n-gram lies within one sentence. Case, possessive endings and markup are ignored. See
    `WordOverlaps` for the options.

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


def _content_words(form: str) -> int:
    """Count the words that are neither stop words nor single letters, as in "p.m."."""
    return sum(w not in STOP_WORDS and (len(w) > 1 or w.isdigit()) for w in form.split())
