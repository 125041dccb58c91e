"""The dependency tree of a sentence, and the clauses that can be read from it alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.text import written

if TYPE_CHECKING:
    from spacy.tokens import Doc

Floats = NDArray[np.float64]

SUBJECTS = frozenset(("nsubj", "nsubjpass"))
"""Dependency labels of nouns and pronouns as subjects."""

_PUNCTUATION = frozenset((".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "_SP"))
_ALL_SUBJECTS = SUBJECTS | {"expl", "csubj", "csubjpass"}
_NAMED = SUBJECTS | {"dobj", "pobj", "attr"}
_AUXILIARIES = frozenset(("aux", "auxpass", "neg"))
_VERBS = frozenset(("VBD", "VBP", "VBZ", "MD", "VB", "VBN", "VBG"))
# The clause after one of these states a fact, whatever the main clause says.
_FACTIVE = frozenset(("because", "since", "after", "although", "though"))
_PAST = frozenset(("when", "as", "while"))  # only in the past: "when you visit" states no fact


@dataclass(frozen=True, slots=True)
class Root:
    """A clause that can be read alone.

    Attributes:
        token: Its root.
        children: The children of each token; they may differ from those in the tree.
        subject: The subject of the root; None if it has none, as in "Call us".
    """

    token: int
    children: tuple[tuple[int, ...], ...]
    subject: int | None


@dataclass(frozen=True, eq=False)
class Tree:
    """A parsed sentence as plain values, one for each token.

    Attributes:
        texts: The tokens.
        tags: Fine parts of speech.
        deps: Dependency labels.
        heads: The index of the head; the root is its own head.
        words: The index of the white-space word that the token is part of.
        spaced: Whether a blank follows.
        children: The indices of the children, in order.
        below: The subtree, itself included, in order.
    """

    texts: tuple[str, ...]
    tags: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]
    words: tuple[int, ...]
    spaced: tuple[bool, ...]
    children: tuple[tuple[int, ...], ...]
    below: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, doc: "Doc", sentence: str | None = None) -> "Tree":
        """Create a tree from a parse by `commonground.text.parse`.

        With the sentence, the tokens have its letters where the parser replaced some.
        """
        letters = doc.text if sentence is None else written(sentence)
        spaced = tuple(bool(token.whitespace_) for token in doc)
        return cls(
            tuple(letters[token.idx : token.idx + len(token.text)] for token in doc),
            tuple(token.tag_ for token in doc),
            tuple(token.dep_ for token in doc),
            tuple(token.head.i for token in doc),
            tuple(accumulate(spaced, initial=0))[: len(doc)],
            spaced,
            tuple(tuple(child.i for child in token.children) for token in doc),
            tuple(tuple(sorted(other.i for other in token.subtree)) for token in doc),
        )

    def with_names(self, names: Mapping[int, str]) -> "Tree":
        """Return the tree with names in square brackets in place of some tokens."""
        texts = (f"[{names[n]}]" if n in names else text for n, text in enumerate(self.texts))
        return replace(self, texts=tuple(texts)) if names else self

    def __len__(self) -> int:
        return len(self.texts)

    def is_mark(self, token: int) -> bool:
        """Say whether a token is punctuation, which is kept or dropped with its neighbours."""
        return self.tags[token] in _PUNCTUATION or self.deps[token] == "punct"

    def is_noun(self, token: int) -> bool:
        """Say whether a token is a common or proper noun."""
        return self.tags[token].startswith("NN")

    def kept_words(self, kept: Sequence[bool]) -> list[int]:
        """Return the kept tokens that are not punctuation."""
        return [n for n, stays in enumerate(kept) if stays and not self.is_mark(n)]

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(map(str.lower, self.texts))

    @cached_property
    def root(self) -> int:
        """The root of the sentence."""
        return next(n for n, head in enumerate(self.heads) if head == n)

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """The sentence as a whole, and its clauses that can be read alone.

        From "He resigned and moved to Spain" comes "He moved to Spain": the second verb takes the
        subject of the first. Clauses after "because" and the like can stand alone, and so can a
        relative clause about a name.
        """
        whole = self._clause(self.root, self.children[self.root])
        return whole, *self._adverbial(), *self._relative(), *self._coordinate(self.root)

    def _clause(self, verb: int, own: Iterable[int]) -> Root:
        """Return the clause of a verb with these children; its head among them is its subject."""
        children, head = list(self.children), self.heads[verb]
        children[verb] = tuple(sorted(own))
        subject = next((n for n in children[verb] if self.deps[n] in _ALL_SUBJECTS), None)
        if head in children[verb]:
            children[head] = tuple(n for n in children[head] if n != verb)
            subject = head
        return Root(verb, tuple(children), subject)

    def _adverbial(self) -> Iterator[Root]:
        """Yield adverbial clauses of the root that state a fact, without their conjunction."""
        for verb in self.children[self.root]:
            own = self.children[verb]
            past = self.tags[verb] == "VBD" or any(
                self.tags[n] == "VBD" and self.deps[n] in _AUXILIARIES for n in own
            )
            factive = _FACTIVE | _PAST if past else _FACTIVE
            joins = {
                n for n in own if self.deps[n] in ("mark", "advmod") and self.lower[n] in factive
            }
            has_subject = any(self.deps[n] in _ALL_SUBJECTS for n in own)
            if self.deps[verb] == "advcl" and joins and has_subject:
                yield self._clause(verb, set(own) - joins)

    def _relative(self) -> Iterator[Root]:
        """Yield relative clauses about a name: "Ada Brand, who sang" gives "Ada Brand sang"."""
        for verb, name in enumerate(self.heads):
            own = self.children[verb]
            joins = {n for n in own if self.tags[n] in ("WP", "WDT") and self.deps[n] in SUBJECTS}
            after_name = self.deps[verb] == "relcl" and self.tags[name] == "NNP"
            if after_name and self.deps[name] in _NAMED and joins:
                yield self._clause(verb, {name, *own} - joins)

    def _coordinate(self, first: int) -> Iterator[Root]:
        """Yield the verbs joined to a verb, with the subject and auxiliaries of the root."""
        for verb in self.children[first]:
            if self.deps[verb] != "conj" or self.tags[verb] not in _VERBS:
                continue
            own = {self.deps[child] for child in self.children[verb]}
            lent = [
                child
                for child in self.children[self.root]
                if (self.deps[child] in _ALL_SUBJECTS and not own & _ALL_SUBJECTS)
                or (self.deps[child] in _AUXILIARIES and not own & (_ALL_SUBJECTS | _AUXILIARIES))
            ]
            if own & _ALL_SUBJECTS or any(self.deps[child] in _ALL_SUBJECTS for child in lent):
                yield self._clause(verb, (*self.children[verb], *lent))
            yield from self._coordinate(verb)


def by_token(tree: Tree, words: Sequence[float] | Floats) -> Floats:
    """Return for each token the value of its word."""
    values = np.asarray(words, dtype=np.float64)
    return values[np.minimum(tree.words, len(values) - 1)] if len(values) else np.zeros(len(tree))
