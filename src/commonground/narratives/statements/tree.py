"""The tree of a sentence: what hangs on what, and which words of the sentence each token is in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.text import written

if TYPE_CHECKING:
    from spacy.tokens import Doc

Floats = NDArray[np.float64]

_PUNCTUATION = frozenset((".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "_SP"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl", "csubj", "csubjpass"))
_NAMED = frozenset(("nsubj", "nsubjpass", "dobj", "pobj", "attr"))
_HELPERS = frozenset(("aux", "auxpass", "neg"))
_VERBS = frozenset(("VBD", "VBP", "VBZ", "MD", "VB", "VBN", "VBG"))
# What follows these is told as a fact, whatever it is told for.
_FACTIVE = frozenset(("because", "since", "after", "although", "though"))
_PAST = frozenset(("when", "as", "while"))  # these only of the past: "when you visit" tells nothing


@dataclass(frozen=True, slots=True)
class Root:
    """A way to read a sentence: the token that everything hangs on, and what hangs on what.

    Attributes:
        token: The root.
        children: For each token those that hang on it.
        subject: The subject of the root; None if it has none, as in "Call us".
    """

    token: int
    children: tuple[tuple[int, ...], ...]
    subject: int | None


@dataclass(frozen=True, eq=False)
class Tree:
    """A parsed sentence as plain values; fields belong together by token.

    Attributes:
        texts: The tokens.
        tags: Fine parts of speech.
        deps: Relations to the heads.
        heads: The token that each hangs on; the root hangs on itself.
        words: The white-space word that each is in.
        spaced: Whether a blank follows.
    """

    texts: tuple[str, ...]
    tags: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]
    words: tuple[int, ...]
    spaced: tuple[bool, ...]

    @classmethod
    def of(cls, doc: "Doc", sentence: str | None = None) -> "Tree":
        """From a parse of `commonground.text.parsing.parse`, whose words are one blank apart.

        With the sentence its own letters are taken where the parser read others.
        """
        letters = doc.text if sentence is None else written(sentence)
        spaced = tuple(bool(token.whitespace_) for token in doc)
        ends = np.concatenate([[0], np.cumsum(spaced)[:-1]]) if len(doc) else np.zeros(0)
        return cls(
            tuple(letters[token.idx : token.idx + len(token.text)] for token in doc),
            tuple(token.tag_ for token in doc),
            tuple(token.dep_ for token in doc),
            tuple(token.head.i for token in doc),
            tuple(int(n) for n in ends),
            spaced,
        )

    def with_names(self, names: Mapping[int, str]) -> "Tree":
        """Return the tree with names in square brackets in place of some tokens."""
        texts = (f"[{names[n]}]" if n in names else text for n, text in enumerate(self.texts))
        return replace(self, texts=tuple(texts)) if names else self

    def __len__(self) -> int:
        return len(self.texts)

    def is_mark(self, token: int) -> bool:
        """Whether a token is punctuation, which comes and goes with its neighbours."""
        return self.tags[token] in _PUNCTUATION or self.deps[token] == "punct"

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each token those that hang on it."""
        found: list[list[int]] = [[] for _ in self.texts]
        for token, head in enumerate(self.heads):
            if token != head:
                found[head].append(token)
        return tuple(map(tuple, found))

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """For each token itself and all that hangs on it, in order."""
        found: list[set[int]] = [{token} for token in range(len(self))]
        for token in self._leaves_first():
            if self.heads[token] != token:
                found[self.heads[token]] |= found[token]
        return tuple(tuple(sorted(some)) for some in found)

    def _leaves_first(self) -> list[int]:
        order, stack = [], [n for n, head in enumerate(self.heads) if head == n]
        while stack:
            token = stack.pop()
            order.append(token)
            stack += self.children[token]
        return order[::-1]

    @cached_property
    def root(self) -> int:
        """The token that everything hangs on."""
        return next(n for n, head in enumerate(self.heads) if head == n)

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """The ways to read the sentence: as a whole, and from each verb that is joined to it.

        In "He resigned and moved to Spain" the second verb takes "he", so that "He moved to Spain"
        can be left where nobody else says that he resigned. A clause after "because" can be left
        alone as well, and so can what is told of a name after "who" or "which".
        """
        found = [self._root(self.root, self.children), *self._clauses(), *self._told_of_names()]
        for verb in self._joined(self.root):
            own = {self.deps[child] for child in self.children[verb]}
            lent = [
                child
                for child in self.children[self.root]
                if (self.deps[child] in _SUBJECTS and not own & _SUBJECTS)
                or (self.deps[child] in _HELPERS and not own & (_SUBJECTS | _HELPERS))
            ]
            if own & _SUBJECTS or any(self.deps[child] in _SUBJECTS for child in lent):
                children = list(self.children)
                children[verb] = tuple(sorted((*self.children[verb], *lent)))
                found.append(self._root(verb, tuple(children)))
        return tuple(found)

    def _root(self, token: int, children: tuple[tuple[int, ...], ...]) -> Root:
        subjects = (n for n in children[token] if self.deps[n] in _SUBJECTS)
        return Root(token, children, next(subjects, None))

    def _told_of_names(self) -> list[Root]:
        """Clauses such as "who sang", as what the name before them does: "Ada Brand sang"."""
        found = []
        for verb, name in enumerate(self.heads):
            joins = [
                n
                for n in self.children[verb]
                if self.tags[n] in ("WP", "WDT") and self.deps[n] in ("nsubj", "nsubjpass")
            ]
            after_name = self.deps[verb] == "relcl" and self.tags[name] == "NNP"
            if after_name and self.deps[name] in _NAMED and joins:
                children = list(self.children)
                children[verb] = tuple(
                    sorted((name, *(n for n in self.children[verb] if n not in joins)))
                )
                children[name] = tuple(n for n in self.children[name] if n != verb)
                found.append(Root(verb, tuple(children), name))
        return found

    def _clauses(self) -> list[Root]:
        """Adverbial clauses of the root that tell a fact, without the word that joins them."""
        found = []
        for verb in self.children[self.root]:
            marks = [n for n in self.children[verb] if self.deps[n] in ("mark", "advmod")]
            past = self.tags[verb] == "VBD" or any(
                self.tags[n] == "VBD" and self.deps[n] in _HELPERS for n in self.children[verb]
            )
            facts = _FACTIVE | _PAST if past else _FACTIVE
            joins = [n for n in marks if self.texts[n].lower() in facts]
            own = {self.deps[child] for child in self.children[verb]}
            if self.deps[verb] == "advcl" and joins and own & _SUBJECTS:
                children = list(self.children)
                children[verb] = tuple(n for n in self.children[verb] if n not in joins)
                found.append(self._root(verb, tuple(children)))
        return found

    def _joined(self, verb: int) -> list[int]:
        return [
            one
            for child in self.children[verb]
            if self.deps[child] == "conj" and self.tags[child] in _VERBS
            for one in (child, *self._joined(child))
        ]


def by_token(tree: Tree, words: Sequence[float] | Floats) -> Floats:
    """The value of each token's word."""
    values = np.asarray(words, dtype=np.float64)
    return values[np.minimum(tree.words, len(values) - 1)] if len(values) else np.zeros(len(tree))
