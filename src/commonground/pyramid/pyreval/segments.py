"""Segments by the rules of PyrEval's decomposition parser, on a dependency parse.

PyrEval cuts far less than `text.segment` does. It reads phrase structure trees; the rules below
name the same places in a dependency tree:

1. clauses that are coordinated and each have a subject (S under S);
2. subordinate clauses (SBAR): relative clauses, clauses that complete a noun, an adjective or a
   preposition, and adverbial clauses before the verb. A clause after the verb stays with it unless
   a long phrase stands between them, it begins with one of a few conjunctions, or it is itself
   coordinated;
3. coordinated tensed verb phrases, each with the subject.

Every rule gives a segmentation of its own, and joins of neighbouring segments give up to five more.
"""

import string
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from commonground.text import (
    LONGEST_PARSED,
    Segment,
    SegmentedSentence,
    Sentence,
    parse,
    places,
    sentences,
    split,
    written,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS: Final = {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"}
_TENSED: Final = {"VBZ", "VBD", "VBP", "MD"}
_SPLITTING: Final = {"because", "while", "since", "even", "if", "rather"}
_WH: Final = {"WDT", "WP", "WP$", "WRB"}
_LEAST: Final = 2  # a clause of so many words is too short
_SHORT: Final = 3  # words of a phrase that PyrEval's pattern overlooks
_MOST: Final = 5  # joins of one segmentation

_Tokens = frozenset[int]
_Cut = tuple[_Tokens, ...]


def segment_all(texts: Iterable[str | Sequence[str]]) -> list[list[SegmentedSentence]]:
    """Segment texts; the first segmentation of a sentence is the sentence itself."""
    rows = [split(t) if isinstance(t, str) else _given(sentences(t)) for t in texts]
    docs = iter(parse([sentence.text for row in rows for sentence in row]))
    return [[_segmented(sentence, next(docs)) for sentence in row] for row in rows]


def _given(entries: Sequence[str]) -> list[Sentence]:
    rows = []
    for entry in entries:
        start = len(entry) - len(entry.lstrip())
        rows.append(Sentence(entry.strip(), start, start + len(entry.strip())))
    return rows


def _segmented(sentence: Sentence, doc: "Doc") -> SegmentedSentence:
    whole = Segment(written(sentence.text), ((sentence.start, sentence.end),))
    cuts = [] if len(sentence.text) > LONGEST_PARSED else segmentations(doc)
    offsets = places(sentence.text)
    starts = [offsets[token.idx] for token in doc]
    ends = [offsets[token.idx + len(token) - 1] + 1 for token in doc]
    ways = [tuple(_segment(sentence, part, starts, ends) for part in cut) for cut in cuts]
    return SegmentedSentence(sentence, ((whole,), *ways))


def _segment(
    sentence: Sentence, tokens: _Tokens, starts: Sequence[int], ends: Sequence[int]
) -> Segment:
    firsts = sorted(token for token in tokens if token - 1 not in tokens)
    lasts = sorted(token for token in tokens if token + 1 not in tokens)
    pieces = [(starts[first], ends[last]) for first, last in zip(firsts, lasts, strict=True)]
    text = ""
    for start, end in pieces:
        words = written(sentence.text[start:end])
        text += ("" if not text or words[:1] in string.punctuation else " ") + words
    spans = tuple((sentence.start + start, sentence.start + end) for start, end in pieces)
    return Segment(text, spans)


def segmentations(doc: "Doc") -> list[_Cut]:
    """Return the segmentations of a sentence in two or more segments, as token indices."""
    tokens = frozenset(range(len(doc)))
    parts = _coordinated(doc, tokens)
    cuts = [parts, *_joined(parts)] if len(parts) > 1 else []
    ruled: list[tuple[_Cut, frozenset[int]]] = []
    for index, part in enumerate(parts):
        for cut in (_subordinate(doc, part), _verb_phrases(doc, part)):
            if len(cut) > 1:
                own = frozenset(range(index, index + len(cut)))
                ruled.append(((*parts[:index], *cut, *parts[index + 1 :]), own))
    ruled = ruled[:_MOST]
    cuts += [cut for cut, _ in ruled]
    for cut, own in ruled:
        cuts += _joined(cut, own)
    kept = dict.fromkeys(cut for cut in cuts if all(cut) and len(set(cut)) > 1)
    return list(kept)


def _joined(cut: _Cut, own: frozenset[int] = frozenset()) -> list[_Cut]:
    """Join two or more neighbours in each possible way, but not all that a rule just cut."""
    ways = []
    for count in range(2, len(cut)):
        for start in range(len(cut) - count + 1):
            chosen = range(start, start + count)
            if frozenset(chosen) != own:
                whole = frozenset().union(*(cut[index] for index in chosen))
                rest = [part for index, part in enumerate(cut) if index not in chosen]
                ways.append((whole, *rest))
    return ways[:_MOST]


def _coordinated(doc: "Doc", tokens: _Tokens) -> _Cut:
    """Cut into coordinated clauses with a subject each; the rest joins its neighbours."""
    tops = [token for token in doc if _is_coordinated(token)]
    if not tops:
        return (tokens,)
    heads = {token.head for token in tops}
    pieces = [(token, _below(token)) for token in {*tops, *heads}]
    clauses = []
    for token, below in pieces:
        inner = [other for top, other in pieces if top in tops and top != token and other < below]
        clauses.append(below.difference(*inner))
    # The innermost coordination counts: what holds one is not cut itself.
    return _covering([clause for clause in clauses if _words(doc, clause) > _SHORT], tokens)


def _is_coordinated(token: "Token") -> bool:
    if not _has_subject(token) or token.head == token or not _has_subject(token.head):
        return False
    if token.dep_ in ("conj", "parataxis"):
        return not any(child.dep_ == "mark" for child in token.children)
    # Two sentences with a comma between them, unless the second only reports the first.
    rest = _below(token.head) - _below(token)
    spliced = token.dep_ == "ccomp" and token.i < token.head.i
    return spliced and _words(token.doc, rest) > _SHORT


def _subordinate(doc: "Doc", tokens: _Tokens) -> _Cut:
    """Cut off subordinate clauses, inner ones first; the rest comes last."""
    found = [_below(token) & tokens for token in doc if token.i in tokens and _is_cut_off(token)]
    size = _words(doc, tokens)
    found = [c for c in found if _LEAST < _words(doc, c) < size - _LEAST]
    cut, left = [], tokens
    for clause in sorted(set(found), key=lambda c: (len(c), min(c))):
        if clause & left:
            cut.append(clause & left)
            left -= clause
    return (*cut, left) if cut and left else (tokens,)


def _is_cut_off(token: "Token") -> bool:
    first = next((child for child in token.subtree if not child.is_punct), token)
    opened = any(child.dep_ == "mark" for child in token.children) or first.tag_ in _WH
    if token.dep_ == "relcl":
        return True
    if token.dep_ in ("acl", "pcomp"):
        return opened
    if token.dep_ == "conj":
        return opened and token.head.dep_ in ("ccomp", "advcl", "relcl")
    if token.dep_ not in ("ccomp", "advcl") or not (opened or token.dep_ == "ccomp"):
        return False
    if token.i < token.head.i:
        return token.dep_ == "advcl"
    if token.head.tag_[:2] != "VB" or first.lower_ in _SPLITTING:
        return True
    if any(c.dep_ == "conj" and any(m.dep_ == "mark" for m in c.children) for c in token.children):
        return True
    between = [c for c in token.head.children if token.head.i < c.i < token.i and not c.is_punct]
    return any(sum(not t.is_punct for t in child.subtree) > _SHORT for child in between)


def _verb_phrases(doc: "Doc", tokens: _Tokens) -> _Cut:
    """Cut into coordinated tensed verb phrases, each with the subject."""
    for head in doc:
        phrases = [head, *_conjuncts(head)]
        subject = next((child for child in head.children if child.dep_ in _SUBJECTS), None)
        if head.i in tokens and len(phrases) > 1 and subject is not None and _is_tensed(head):
            words = _below(subject)
            below = [_below(phrase) for phrase in phrases]
            own = [b.difference(*below[i + 1 :]) for i, b in enumerate(below)]
            after = frozenset(range(subject.i, len(doc)))
            cut = [((part & after) - words | words) & tokens for part in own]
            return _covering([part for part in cut if part - words], tokens)
    return (tokens,)


def _conjuncts(head: "Token") -> Iterator["Token"]:
    for child in head.children:
        if child.dep_ == "conj" and not _has_subject(child) and _is_tensed(child):
            yield child
            yield from _conjuncts(child)


def _covering(parts: Sequence[_Tokens], tokens: _Tokens) -> _Cut:
    """Add the words that no part has to a part beside them, the shortest first."""
    grown = [set(part) for part in sorted(parts, key=lambda part: (len(part), min(part)))]
    if len(grown) < 2:
        return (tokens,)
    left = sorted(tokens.difference(*grown))
    while left:
        # Words next to a part; if none are left, the first word and the part nearest to it.
        distance = {token: min(_distance(token, part) for part in grown) for token in left}
        reach = max(1, min(distance.values()))
        for token in [token for token in left if distance[token] <= reach]:
            next(part for part in grown if _distance(token, part) <= reach).add(token)
            left.remove(token)
    return tuple(frozenset(part) for part in grown)


def _distance(token: int, part: set[int]) -> int:
    return min(abs(token - other) for other in part)


def _has_subject(token: "Token") -> bool:
    return any(child.dep_ in _SUBJECTS for child in token.children)


def _is_tensed(token: "Token") -> bool:
    return token.tag_ in _TENSED or any(
        child.dep_ in ("aux", "auxpass") and child.tag_ in _TENSED for child in token.children
    )


def _below(token: "Token") -> _Tokens:
    return frozenset(other.i for other in token.subtree)


def _words(doc: "Doc", tokens: _Tokens) -> int:
    return sum(not doc[token].is_punct for token in tokens)
