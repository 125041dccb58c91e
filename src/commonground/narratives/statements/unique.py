"""What only one narrative says: whole sentences, or clauses of sentences that are partly shared."""

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.reading import Readings
from commonground.narratives.result import Passage
from commonground.narratives.statements.candidates import ByOther
from commonground.narratives.word_lists import word_list
from commonground.reader import Reading
from commonground.reading import Document
from commonground.text import parse
from commonground.wording import SUBJECTS, Tree, are_statements, balanced, lead, open_quotes

_SHARED = 0.2  # a sentence is unique if no other narrative shares it this likely
_STATED = 0.25  # a clause is unique if its words are stated less on average
_FAR = 0.45  # maximum cosine of a sentence that was compared by vectors alone
_MIN_WORDS = 4
_WORD = re.compile(r"\S+")
# A clause must not be separated from these.
_PARTS = SUBJECTS | {"ccomp", "xcomp", "dobj", "attr", "acomp", "oprd", "pobj", "pcomp"}
_JOINT = re.compile(
    r"^[\s,;:–—-]*(?:(?:and|but|or|that|because|while|though|although)\b[\s,]*)*", re.IGNORECASE
)
_TRAILING = re.compile(r"[\s,;:–—-]*(?:\b(?:and|but|or))?[\s,;:–—-]*$")
_CONDITION = re.compile(r"\b(?:if|unless|provided)\b", re.IGNORECASE)
_ENDED = re.compile(r"[.!;。！][\"'”’)\]»]*$")

Span = tuple[int, int]


def unique(
    readings: Readings, read: Sequence[ByOther], evidence: Collection[tuple[int, int]]
) -> Iterator[Passage]:
    """Yield what no other narrative states, with the probability that none of them does.

    Args:
        readings: The narratives.
        read: For each narrative, by other narrative, the readings of its closely read sentences.
        evidence: Narrative and start of sentences that show statements or conflicts; only clauses
            of these can be unique.
    """
    for narrative, document in enumerate(readings.narratives):
        for index, span, stated in _spans(readings, narrative, read[narrative], evidence):
            sentence, (first, last) = document.sentences[index], span
            start, end = sentence.start + first, sentence.start + last
            yield Passage(narrative, sentence.text[first:last], start, end, 1 - float(stated))


def _spans(
    readings: Readings, narrative: int, read: ByOther, evidence: Collection[tuple[int, int]]
) -> Iterator[tuple[int, Span, float]]:
    """Yield sentence, span in it, and the probability that another narrative states it."""
    document, trees = readings.narratives[narrative], readings.trees[narrative]
    rows = {int(index): row for row, index in enumerate(document.close)}
    nearest = readings.nearest(narrative)
    statements, quoted = are_statements(trees), open_quotes(document.texts)
    ended = [bool(_ENDED.search(text)) for text in document.texts]
    punctuated = 2 * sum(ended) >= len(ended)
    for index, sentence in enumerate(document.sentences):
        text, row = sentence.text, rows.get(index)
        unfinished = punctuated and not ended[index]  # a heading or a question
        if len(text.split()) < _MIN_WORDS or quoted[index] or unfinished:
            continue
        if row is None:
            if nearest[index] < _FAR:
                yield index, (0, len(text)), 0.0
            continue
        tree = trees[row]
        if not statements[row] or _is_imperative(tree):
            continue
        others = [by_row[row] for by_row in read.values()]
        shared = max(reading.shared + reading.contradicted for reading in others)
        if shared >= _SHARED or (narrative, sentence.start) in evidence:
            for span, stated in _clauses(document, row, others, tree):
                yield index, span, stated
        elif balanced(text):
            yield index, (_after_heading(tree, text), len(text)), shared


def _is_imperative(tree: Tree) -> bool:
    """Say whether a sentence tells the reader to do something: "Click here to read more."."""
    deps = {tree.deps[n] for n in tree.children[tree.root]}
    return tree.tags[tree.root] == "VB" and not deps & {*SUBJECTS, "expl", "aux"}


def _after_heading(tree: Tree, text: str) -> int:
    """Return the offset after a dateline or a heading that runs into the sentence."""
    token = lead(tree)
    if not 0 < token < len(tree) or tree.words[token] == tree.words[token - 1]:
        return 0
    starts = [word.start() for word in _WORD.finditer(text)]
    return starts[tree.words[token]] if tree.words[token] < len(starts) else 0


def _clauses(
    document: Document, row: int, others: Sequence[Reading], tree: Tree
) -> Iterator[tuple[Span, float]]:
    """Yield the clauses that no other narrative states and that can stand alone."""
    text, clauses = document.parsed[row].text, document.parsed[row].clauses
    if len(clauses) < 2:
        return
    support = np.max([[word.support for word in reading.words] for reading in others], axis=0)
    words = np.array([(word.start, word.end) for word in others[0].words]).reshape(-1, 2)
    for clause in clauses:
        inside = np.any([_overlaps(words, span) for span in clause.spans], axis=0)
        stated = float(support[inside].mean()) if inside.any() else 1.0
        if stated >= _STATED or len(clause.spans) != 1:
            continue
        first, last = clause.spans[0]
        first += len(text[first:last]) - len(_JOINT.sub("", text[first:last]))
        last = first + len(_TRAILING.sub("", text[first:last]))
        if _CONDITION.search(text[:first] + text[last:]):
            continue  # it may hold only under this condition
        if _stands_alone(text[first:last]) and _keeps_together(
            tree, _overlaps(words, (first, last))
        ):
            yield (first, last), stated


def _stands_alone(clause: str) -> bool:
    """Say whether a clause has its own subject and verb, and closes its quotes and brackets."""
    words = clause.split()
    if len(words) < _MIN_WORDS or not balanced(clause):
        return False
    if {words[0].lower(), words[-1].strip(".,;").lower()} & word_list("leaning"):
        return False
    (doc,) = parse([clause])
    return any(
        token.head.tag_ in ("VBD", "VBP", "VBZ")
        or any(child.tag_ in ("VBD", "VBP", "VBZ", "MD") for child in token.head.children)
        for token in doc
        if token.dep_ in (*SUBJECTS, "expl")
        and token.tag_ not in ("WDT", "WP")
        and token.head.dep_ == "ROOT"
    )


def _keeps_together(tree: Tree, words: NDArray[np.bool_]) -> bool:
    """Say whether a clause, given by its words, separates no verb from its subject or object."""
    inside = [n < len(words) and bool(words[n]) for n in tree.words]
    return not any(
        inside[token] != inside[head]
        for token, head in enumerate(tree.heads)
        if tree.deps[token] in _PARTS
    )


def _overlaps(words: NDArray[np.int64], span: Span) -> NDArray[np.bool_]:
    return np.asarray((words[:, 0] < span[1]) & (words[:, 1] > span[0]))
