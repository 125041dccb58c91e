"""Ideas: units as sentences that people can read without the references.

A unit is built from clauses, and a clause is often no sentence: "that in some cases transactions
were slow and". An idea is worded as one of its contributors: the clause itself where it stands
alone, or else its whole sentence. The best wording names who it speaks of, says little besides the
clause, and is stated by the other contributors' sentences.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.unit import Contributor, Unit
from commonground.reader import Reader
from commonground.text import parse, places, split
from commonground.wording import (
    Tree,
    clause_cut,
    flat,
    is_content,
    lead,
    pointers,
    points_away,
    resolve,
    worded,
)

_WHOLE, _CLAUSE = 0.95, 0.92  # how good a sentence the writer's own and a clause of it are
_UNNAMED, _CONTEXT = 0.35, 0.75  # unresolved pronouns: alone, and after the sentence before
_ASKING = 0.2  # a question
_LINKS = frozenset(("however", "also", "instead", "therefore", "likewise", "otherwise", "later"))
_LONG = 25  # words; a longer idea says more than one thing
_READ = 3  # wordings of a unit that the reader compares with the other contributors
_UNSHARED = 0.3  # worth of a wording that no other contributor states
_FEW = 3  # content words of a clause that is an idea by itself

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Sentence:
    """A parsed sentence of a reference; `starts` and `ends` are offsets of its tokens."""

    text: str
    tree: Tree
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def inside(self, contributor: Contributor) -> Bools:
        """Which tokens a contributor has."""
        spans = contributor.spans
        return np.asarray(np.any([(self.starts < e) & (self.ends > s) for s, e in spans], axis=0))


@dataclass(frozen=True, slots=True)
class _Wording:
    text: str
    worth: float
    reference: int


def with_ideas(
    units: Sequence[Unit], references: Sequence[str], reader: Reader | None = None
) -> tuple[Unit, ...]:
    """Return the units with ideas as labels; they are still judged by their clauses."""
    sentences = [_read(reference) for reference in references]
    reader = reader or Reader()
    taken: set[str] = set()
    worded_units = []
    for unit in units:
        worded_units.append(_labelled(unit, _idea(unit, sentences, reader, taken), taken))
        taken.add(worded_units[-1].label)
    return tuple(worded_units)


def with_own_idea(
    unit: Unit, references: Sequence[str], label: str, judged: str, taken: Set[str]
) -> Unit:
    """Return a part of a unit with the label and the judged words of its own contributors.

    The wordings are not compared by the reader, so this needs no model but the parser.

    Args:
        unit: With the contributors of the part; at least one.
        references: All references.
        label: Of the whole unit; it stays if a contributor is worded so.
        judged: The words by which the whole unit is judged; they stay if a contributor has them.
        taken: The labels of the other units, which are avoided.
    """
    mine = {contributor.reference for contributor in unit.contributors}
    sentences = [_read(text) if n in mine else [] for n, text in enumerate(references)]
    ranked = _ranked(unit, sentences)
    free = [one for one in ranked if one.text not in taken] or ranked
    best = next((one for one in ranked if one.text == label), free[0] if free else None)
    texts = [contributor.text for contributor in unit.contributors]
    if judged not in texts:
        of = [c.text for c in unit.contributors if best and c.reference == best.reference]
        judged = (of or texts)[0]
    part = replace(unit, label=judged, clause="")
    return _labelled(part, best.text if best else judged, taken)


def _labelled(unit: Unit, idea: str, taken: Set[str]) -> Unit:
    """Label a unit, which is judged by the same words as before."""
    if idea in taken:  # several clauses of one sentence: say which one
        idea = f"{idea} (here: “{unit.judged.strip(' .,;:')}”)"
    return replace(unit, label=idea, clause="" if idea == unit.judged else unit.judged)


@lru_cache(maxsize=16)
def _read(reference: str) -> Sequence[_Sentence]:
    sentences = [sentence for sentence in split(reference) if sentence.text.split()]
    read = []
    for sentence, doc in zip(sentences, parse([s.text for s in sentences]), strict=True):
        offsets = np.array(places(sentence.text), dtype=np.int64) + sentence.start
        starts = np.array([token.idx for token in doc], dtype=np.int64)
        lasts = np.array([token.idx + len(token) - 1 for token in doc], dtype=np.int64)
        tree = Tree.of(doc, sentence.text)
        read.append(_Sentence(sentence.text, tree, offsets[starts], offsets[lasts] + 1))
    return read


def _idea(
    unit: Unit, references: Sequence[Sequence[_Sentence]], reader: Reader, taken: Set[str]
) -> str:
    """Return the best wording, if possible one that no other unit has."""
    ranked = _ranked(unit, references)
    ranked = ([one for one in ranked if one.text not in taken] or ranked)[:_READ]
    if len(ranked) > 1 and len(unit.contributors) > 1:
        worth = np.array([one.worth for one in ranked])
        worth *= _UNSHARED + _shared(ranked, unit, references, reader)
        return ranked[int(np.argmax(np.round(worth, 6)))].text
    return ranked[0].text if ranked else unit.label


def _ranked(unit: Unit, references: Sequence[Sequence[_Sentence]]) -> list[_Wording]:
    """Return the wordings of a unit's contributors, the best first."""
    best: dict[str, _Wording] = {}
    for contributor in unit.contributors:
        if contributor.spans:
            for wording in _wordings(references[contributor.reference], contributor):
                if wording.text not in best or best[wording.text].worth < wording.worth:
                    best[wording.text] = wording
    return sorted(best.values(), key=lambda wording: (-round(wording.worth, 6), wording.text))


def _shared(
    ranked: Sequence[_Wording],
    unit: Unit,
    references: Sequence[Sequence[_Sentence]],
    reader: Reader,
) -> NDArray[np.float64]:
    """Return how well the sentences of the other contributors state each wording, on average."""
    total, count = np.zeros(len(ranked)), np.zeros(len(ranked))
    for contributor in unit.contributors:
        others = [n for n, one in enumerate(ranked) if one.reference != contributor.reference]
        sentences = [
            sentence.text
            for sentence in references[contributor.reference]
            if contributor.spans and sentence.inside(contributor).any()
        ]
        if others and sentences:
            for n, reading in zip(
                others, reader.read([ranked[n].text for n in others], sentences), strict=True
            ):
                total[n] += reading.stated + reading.partly / 2
                count[n] += 1
    return np.asarray(total / np.maximum(count, 1))


def _wordings(sentences: Sequence[_Sentence], contributor: Contributor) -> Iterator[_Wording]:
    for index, sentence in enumerate(sentences):
        inside = sentence.inside(contributor)
        if not inside.any():
            continue
        tree = sentence.tree
        before = sentences[:index]
        for kept, good in _sentences(tree, inside):
            text, worth = _worded(tree, kept, before)
            fidelity = _fidelity(tree, np.array(kept), inside)
            if text and fidelity:
                worth *= good * fidelity
                yield _Wording(text, worth, contributor.reference)


def _sentences(tree: Tree, inside: Bools) -> Iterator[tuple[list[bool], float]]:
    """Yield the tokens of the whole sentence and of the clause, and how good a sentence each is."""
    start = lead(tree)
    yield [n >= start for n in range(len(tree))], _WHOLE
    clause = clause_cut(tree, inside)
    if clause is not None and _contents(tree, np.array(clause)).sum() >= _FEW:
        yield clause, _CLAUSE


def _worded(tree: Tree, kept: Sequence[bool], before: Sequence[_Sentence]) -> tuple[str, float]:
    """Return a wording, and how well it stands alone.

    If it begins its sentence and points back, the sentence before comes first, in square brackets.
    """
    trees = [sentence.tree for sentence in before]
    names, unnamed = resolve(tree, kept, trees)
    text = worded(tree.with_names(names), kept)
    if not flat(text):
        return "", 0.0
    length = len(text.split())
    links = any(stays and tree.lower[n] in _LINKS for n, stays in enumerate(kept))
    pointing = unnamed + pointers(tree, kept) + points_away(tree, kept) + links
    context = pointing and before and any(kept[: lead(tree) + 1])
    worth = 1.0 if not pointing else _CONTEXT if context else _UNNAMED
    if context:
        text = f"[{_context(before)}] {text}"
    worth *= _ASKING if text.rstrip('"”’)').endswith("?") else 1.0
    return text, worth * min(1.0, _LONG / length) ** 0.5


def _context(before: Sequence[_Sentence]) -> str:
    """Return the sentence before; two if that one points back as well."""
    last = before[-1].tree
    _, unnamed = resolve(last, [True] * len(last), [])
    count = 2 if unnamed and len(before) > 1 else 1
    return " ".join(" ".join(sentence.text.split()) for sentence in before[-count:])


def _contents(tree: Tree, tokens: Bools) -> Bools:
    """Return which of the tokens carry content."""
    telling = [is_content(text) and not tree.is_mark(n) for n, text in enumerate(tree.texts)]
    return np.asarray(tokens & np.array(telling))


def _fidelity(tree: Tree, kept: Bools, inside: Bools) -> float:
    """Return the F1 of the content words of a wording and those of the clause."""
    ours, clause = _contents(tree, kept), _contents(tree, inside)
    if clause.sum() < _FEW:  # "it is said": the wording must say what
        clause = inside
        ours = ours | (kept & inside)
    both = (ours & clause).sum()
    return float(2 * both / (ours.sum() + clause.sum())) if both else 0.0
