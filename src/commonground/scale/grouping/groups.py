"""Articles of one event put together, so that a pile of them becomes a data set."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground import encoders
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.scale.grouping.alike import Alike, Meanings, Places, check_library

PAIR = 0.35
GROUP = 0.55

_ENCODED_AT_ONCE = 128  # some seconds, so that somebody can be told how far it is


@dataclass(frozen=True, slots=True)
class Article:
    """One narrative whose event is not known.

    Attributes:
        id: Names it among all.
        source: Who wrote it, as a data set says.
        text: What it says.
    """

    id: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Articles that tell of one event; by source, then by id."""

    articles: tuple[Article, ...]

    @property
    def id(self) -> str:
        """The same for the same texts, whatever else is in the pile."""
        texts = "\0".join(sorted(one.text for one in self.articles))
        return f"event-{hashlib.sha256(texts.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"

    def to_dict(self) -> dict[str, Any]:
        """A row of the data-set format; each narrative also has the `id` of its article."""
        narratives = [
            {"source": one.source, "text": one.text, "id": one.id} for one in self.articles
        ]
        return {"id": self.id, "narratives": narratives, "references": []}


def group(
    articles: Iterable[Article],
    encoder: str | Encoder = encoders.DEFAULT,
    *,
    pair: float = PAIR,
    more: float = GROUP,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Group, ...]:
    """Put the articles of one event together; one that has no company is a group of its own.

    Two articles are joined where each is the other's nearest of all and they are alike enough.
    Then groups are joined in the same way, by the mean over the pairs between them, until no
    two are. Copies of one text, blanks aside, are always together. The order of the articles
    changes nothing.

    Args:
        articles: The pile.
        encoder: Gives the meaning of an article, most of them from its first 200 words or so.
        pair: How alike two single articles must be at least, from 0 to 1.
        more: How alike groups must be at least for one to join the other.
        progress: Called with what is being done, how much of it is done, and of how much.

    Returns:
        Every article in one group, the groups by their first article's source and id.

    Example:
        >>> pile = [
        ...     Article("1", "left", "The dam at Marwell broke on Friday night."),
        ...     Article("2", "left", "Chess clubs have more members than ever."),
        ...     Article("3", "right", "On Friday the dam at Marwell gave way."),
        ... ]
        >>> [[article.id for article in found.articles] for found in group(pile)]
        [['1', '3'], ['2']]
    """
    check_library()
    for name, value in (("pair", pair), ("more", more)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} must be from 0 to 1, not {value}")
    model = encoders.load(encoder) if isinstance(encoder, str) else encoder
    copies: dict[bytes, list[Article]] = {}
    for article in articles:
        copies.setdefault(same_text(article.text), []).append(article)
    if not copies:
        return ()
    # Sorted, so that the order they came in cannot matter.
    told = sorted((min(one.text for one in same), same) for same in copies.values())
    texts = [text for text, _ in told]
    meanings = _meanings(texts, model, progress)
    if progress:
        progress("Comparing articles", 0, len(texts))
    alike = Alike.of(texts, meanings)
    labels = _labels(alike, pair, more)
    groups: dict[int, list[Article]] = {}
    for (_, same), label in zip(told, labels.tolist(), strict=True):
        groups.setdefault(label, []).extend(same)
    found = [Group(tuple(sorted(members, key=_order))) for members in groups.values()]
    return tuple(sorted(found, key=lambda one: _order(one.articles[0])))


def same_text(text: str) -> bytes:
    """The same for copies of one text, which may differ in blanks; short, as there are many."""
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).digest()


def _order(article: Article) -> tuple[str, str, str]:
    return article.source, article.id, article.text


def _meanings(
    texts: Sequence[str], encoder: Encoder, progress: Callable[[str, int, int], None] | None
) -> Meanings:
    parts = []
    for start in range(0, len(texts), _ENCODED_AT_ONCE):
        if progress:
            progress("Encoding articles", start, len(texts))
        parts.append(encoder.encode(texts[start : start + _ENCODED_AT_ONCE]))
    return np.concatenate(parts)


def _labels(singles: Alike, pair: float, more: float) -> Places:
    """The group of each text, numbered from 0."""
    labels = np.arange(len(singles.meanings))
    left, right = singles.neighbours()
    close = singles.pairs(left, right) >= min(pair, more)
    left, right = left[close], right[close]
    groups, least = singles, pair
    while True:
        ends = np.unique(np.sort(np.stack([labels[left], labels[right]]), axis=0), axis=1)
        ends = ends[:, ends[0] != ends[1]]
        joined = _mutual(groups, ends, least)
        if not joined.size:
            return labels
        merged = np.arange(len(groups.meanings))
        merged[joined[1]] = joined[0]
        labels = np.unique(merged, return_inverse=True)[1][labels]
        groups, least = singles.means(labels), more


def _mutual(groups: Alike, ends: Places, least: float) -> Places:
    """The pairs of groups that are each other's nearest, and alike enough."""
    likeness = groups.pairs(*ends)
    ones, others = np.concatenate([ends, ends[::-1]], axis=1)
    nearest = np.full(len(groups.meanings), -1)
    # The last to be written stays: the likest, and of equals the first.
    order = np.lexsort((-others, np.tile(likeness, 2)))
    nearest[ones[order]] = others[order]
    mutual = (nearest[ends[0]] == ends[1]) & (nearest[ends[1]] == ends[0])
    return ends[:, mutual & (likeness >= least)]
