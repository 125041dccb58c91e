"""The dependency tree of a sentence.

Labels are those of spaCy's English models (ClearNLP style), tags those of the Penn Treebank.
"""

import unicodedata
from collections.abc import Container, Sequence, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Tree:
    """The tokens of a parsed sentence as plain lists, which are faster than spaCy's attributes.

    Args:
        doc: The sentence; it has at least one token.
        places: The offset in the sentence of each character of `doc`.
    """

    def __init__(self, doc: "Doc", places: Sequence[int]) -> None:
        tokens = list(doc)
        self.words = [token.lower_ for token in tokens]
        self.tags = [token.tag_ for token in tokens]
        self.labels = [token.dep_ for token in tokens]
        self.heads = [token.head.i for token in tokens]
        self.starts = [places[token.idx] for token in tokens]
        self.ends = [places[token.idx + len(token) - 1] + 1 for token in tokens]
        self.mark = [token.is_punct and token.dep_ != "cc" for token in tokens]
        self.children: list[list[int]] = [[] for _ in self.words]
        for token, head in enumerate(self.heads):
            if head != token:
                self.children[head].append(token)
        self.root = next(token for token, head in enumerate(self.heads) if head == token)

    def below(self, top: int, without: Container[int] = ()) -> list[int]:
        """Return `top` and its descendants, parents first, without the subtrees of `without`."""
        tokens = [top]
        for token in tokens:
            tokens.extend(child for child in self.children[token] if child not in without)
        return tokens

    def child(self, token: int, labels: Set[str]) -> int | None:
        """Return the first child of a token with one of these labels."""
        return next((c for c in self.children[token] if self.labels[c] in labels), None)

    def leans_forward(self, token: int) -> bool:
        """Say whether a token is a mark that belongs to the next word: an opening bracket."""
        if not self.mark[token]:
            return False
        if token == 0 or unicodedata.category(self.words[token][0]) in ("Ps", "Pi"):
            return True
        return self._touches(token, token + 1) and not self._touches(token - 1, token)

    def leans_back(self, token: int) -> bool:
        """Say whether a token belongs to the previous one: other marks, and the n't of "didn't"."""
        if self.mark[token]:
            return not self.leans_forward(token)
        return token > 0 and not self.mark[token - 1] and self._touches(token - 1, token)

    def _touches(self, token: int, following: int) -> bool:
        return following < len(self.words) and self.ends[token] == self.starts[following]
