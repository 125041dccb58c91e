"""Group articles by event, so that a pile of them becomes a data set."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground import encoders
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.scale.grouping.alike import Alike, Indices, check_library

PAIR = 0.35
GROUP = 0.55

_BATCH = 128  # some seconds of work between two progress reports


@dataclass(frozen=True, slots=True)
class Article:
    """A narrative whose event is not known; the fields are those of a data set."""

    id: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Articles about one event, sorted by source and id."""

    articles: tuple[Article, ...]

    @property
    def id(self) -> str:
        """A hash of the texts; the rest of the pile does not change it."""
        texts = "\0".join(sorted(article.text for article in self.articles))
        return f"event-{hashlib.sha256(texts.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"

    def to_dict(self) -> dict[str, Any]:
        """Return a row of the data-set format; a narrative also has the `id` of its article."""
        narratives = [
            {"source": article.source, "text": article.text, "id": article.id}
            for article in self.articles
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
    """Group articles by event; an article without a match is a group of its own.

    Two articles are joined if each is the other's nearest neighbour and they are similar enough.
    Then groups are joined in the same way, by average linkage, until no two are. Copies of one
    text, ignoring white space, are always together. The order of the articles changes nothing.

    Args:
        articles: The pile.
        encoder: Gives an article's vector; most encoders read only its first 200 words or so.
        pair: Minimum similarity of two single articles, from 0 to 1.
        more: Minimum similarity of two groups that are joined.
        progress: Called with a description of the step, and the counts done and in all.

    Returns:
        The groups, sorted by their first article's source and id.

    Example:
        >>> pile = [
        ...     Article("1", "left", "The dam at Marwell broke on Friday night."),
        ...     Article("2", "left", "Chess clubs have more members than ever."),
        ...     Article("3", "right", "On Friday the dam at Marwell gave way."),
        ... ]
        >>> [[article.id for article in event.articles] for event in group(pile)]
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
    by_text = sorted((min(copy.text for copy in same), same) for same in copies.values())
    texts = [text for text, _ in by_text]
    vectors = []
    for start in range(0, len(texts), _BATCH):
        if progress:
            progress("Encoding articles", start, len(texts))
        vectors.append(model.encode(texts[start : start + _BATCH]))
    if progress:
        progress("Comparing articles", 0, len(texts))
    labels = _labels(Alike.of(texts, np.concatenate(vectors)), pair, more)
    members: dict[int, list[Article]] = {}
    for (_, same), label in zip(by_text, labels.tolist(), strict=True):
        members.setdefault(label, []).extend(same)
    groups = [Group(tuple(sorted(articles, key=_order))) for articles in members.values()]
    return tuple(sorted(groups, key=lambda event: _order(event.articles[0])))


def same_text(text: str) -> bytes:
    """Return a hash that is the same for copies of a text, ignoring white space."""
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).digest()


def _order(article: Article) -> tuple[str, str, str]:
    return article.source, article.id, article.text


def _labels(singles: Alike, pair: float, more: float) -> Indices:
    """Return the group of each text, numbered from 0."""
    labels = np.arange(len(singles.meanings))
    left, right = singles.neighbours()
    close = singles.pairs(left, right) >= min(pair, more)
    left, right = left[close], right[close]
    groups, threshold = singles, pair
    while True:
        ends = np.unique(np.sort(np.stack([labels[left], labels[right]]), axis=0), axis=1)
        ends = ends[:, ends[0] != ends[1]]
        joined = _mutual(groups, ends, threshold)
        if not joined.size:
            return labels
        merged = np.arange(len(groups.meanings))
        merged[joined[1]] = joined[0]
        labels = np.unique(merged, return_inverse=True)[1][labels]
        groups, threshold = singles.means(labels), more


def _mutual(groups: Alike, ends: Indices, threshold: float) -> Indices:
    """Return the pairs of groups that are each other's nearest, and similar enough."""
    similarity = groups.pairs(*ends)
    left, right = np.concatenate([ends, ends[::-1]], axis=1)
    nearest = np.full(len(groups.meanings), -1)
    # The last to be written stays: the most similar, and of equals the first.
    order = np.lexsort((-right, np.tile(similarity, 2)))
    nearest[left[order]] = right[order]
    mutual = (nearest[ends[0]] == ends[1]) & (nearest[ends[1]] == ends[0])
    return ends[:, mutual & (similarity >= threshold)]
