"""What one narrative alone says: sentences, or clauses of those that are shared in part."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.reading import Readings
from commonground.narratives.result import Passage
from commonground.narratives.statements.alone import lead, told_among
from commonground.narratives.statements.tree import Tree
from commonground.narratives.statements.wording import balanced, open_quotes
from commonground.narratives.word_lists import word_list
from commonground.reader import Reading
from commonground.reading import Document
from commonground.text import Segment, parse

_SHARED = 0.2  # a sentence that some other narrative shares less likely is a narrative's own
_STATED = 0.25  # as is a clause whose words are stated less on average
_FAR = 0.45  # what was compared by vectors alone must lie farther from all others
_FEWEST = 4  # words of something that a narrative says
_WORD = re.compile(r"\S+")
# A clause must not be parted from these.
_PARTS = frozenset(
    ("ccomp", "xcomp", "dobj", "attr", "acomp", "oprd", "pobj", "pcomp", "nsubj", "nsubjpass")
)
_JOINT = re.compile(
    r"^[\s,;:–—-]*(?:(?:and|but|or|that|because|while|though|although)\b[\s,]*)*", re.IGNORECASE
)
_TRAILING = re.compile(r"[\s,;:–—-]*(?:\b(?:and|but|or))?[\s,;:–—-]*$")
_CONDITION = re.compile(r"\b(?:if|unless|provided)\b", re.IGNORECASE)
_ENDED = re.compile(r"[.!;。！][\"'”’)\]»]*$")
ByOther = Mapping[int, Sequence[Reading]]


def unique(
    readings: Readings, read: Sequence[ByOther], evidence: Collection[tuple[int, int]]
) -> list[Passage]:
    """What no other narrative states; the probability is that none of the others does.

    Args:
        readings: The narratives.
        read: For each narrative, by other narrative, the readings of its closely read sentences.
        evidence: Narrative and start of sentences that show statements or conflicts: of these only
            clauses can be unique.
    """
    return [
        passage
        for place in range(len(readings))
        for passage in _of_one(readings, place, read[place], evidence)
    ]


def _of_one(
    readings: Readings, place: int, read: ByOther, evidence: Collection[tuple[int, int]]
) -> Iterator[Passage]:
    narrated = readings.narratives[place]
    close = {int(number): row for row, number in enumerate(narrated.close)}
    nearest = readings.nearest(place)
    texts = narrated.texts
    trees = [Tree.of(parsed.doc) for parsed in narrated.parsed]
    told = told_among(trees)
    quoted = open_quotes(texts)
    ended = [bool(_ENDED.search(text)) for text in texts]
    punctuated = 2 * sum(ended) >= len(ended)
    for number, sentence in enumerate(narrated.sentences):
        unfinished = punctuated and not ended[number]  # a heading or a question
        if len(sentence.text.split()) < _FEWEST or quoted[number] or unfinished:
            continue
        row = close.get(number)
        if row is None:
            if nearest[number] < _FAR:
                yield _passage(place, narrated, number, (0, len(sentence.text)), 0.0)
            continue
        if not told[row] or _asks(trees[row]):
            continue
        some = [readings_of[row] for readings_of in read.values()]
        shared = max(one.shared + one.contradicted for one in some)
        if shared < _SHARED and (place, sentence.start) not in evidence:
            if not balanced(sentence.text):
                continue
            span = _after_heading(trees[row], sentence.text), len(sentence.text)
            yield _passage(place, narrated, number, span, shared)
        else:
            yield from _clauses(place, narrated, row, some, trees[row])


def _asks(tree: Tree) -> bool:
    """Whether it tells the reader to do something: "Click here to read more."."""
    deps = {tree.deps[n] for n in tree.children[tree.root]}
    return tree.tags[tree.root] == "VB" and not deps & {"nsubj", "nsubjpass", "expl", "aux"}


def _after_heading(tree: Tree, text: str) -> int:
    """Where a sentence begins after a dateline or a heading that runs into it."""
    token = lead(tree)
    if not 0 < token < len(tree) or tree.words[token] == tree.words[token - 1]:
        return 0
    starts = [word.start() for word in _WORD.finditer(text)]
    return starts[tree.words[token]] if tree.words[token] < len(starts) else 0


def _clauses(
    place: int, narrated: Document, row: int, some: Sequence[Reading], tree: Tree
) -> Iterator[Passage]:
    """The clauses of a sentence that no other narrative states and that can stand by themselves."""
    text, clauses = narrated.parsed[row].text, narrated.parsed[row].clauses
    if len(clauses) < 2:
        return
    support = np.max([[word.support for word in one.words] for one in some], axis=0)
    spans = np.array([(word.start, word.end) for word in some[0].words]).reshape(-1, 2)
    for part in clauses:
        inside = _words_in(spans, part)
        stated = float(support[inside].mean()) if inside.any() else 1.0
        if stated >= _STATED or len(part.spans) != 1:
            continue
        first, last = part.spans[0]
        first += len(text[first:last]) - len(_JOINT.sub("", text[first:last]))
        last = first + len(_TRAILING.sub("", text[first:last]))
        if _CONDITION.search(text[:first] + text[last:]):
            continue  # what holds under a condition is not told without it
        if _stands(text[first:last]) and _keeps_together(tree, spans, (first, last)):
            yield _passage(place, narrated, int(narrated.close[row]), (first, last), stated)


def _stands(clause: str) -> bool:
    """Whether a clause has its own subject and verb, and nothing that it opens is left open."""
    words = clause.split()
    if len(words) < _FEWEST or words[-1].strip(".,;").lower() in word_list("leaning"):
        return False
    if words[0].lower() in word_list("leaning") or not balanced(clause):
        return False
    (doc,) = parse([clause])
    subjects = [token for token in doc if token.dep_ in ("nsubj", "nsubjpass", "expl")]
    return any(
        token.head.tag_ in ("VBD", "VBP", "VBZ")
        or any(child.tag_ in ("VBD", "VBP", "VBZ", "MD") for child in token.head.children)
        for token in subjects
        if token.tag_ not in ("WDT", "WP") and token.head.dep_ == "ROOT"
    )


def _keeps_together(tree: Tree, spans: NDArray[np.int64], clause: tuple[int, int]) -> bool:
    """Whether no verb of a clause stands without what it says, or a subject without its verb."""
    words = (spans[:, 0] < clause[1]) & (spans[:, 1] > clause[0])
    inside = [n < len(words) and bool(words[n]) for n in tree.words]
    return not any(
        inside[token] != inside[head]
        for token, head in enumerate(tree.heads)
        if tree.deps[token] in _PARTS
    )


def _words_in(spans: NDArray[np.int64], part: Segment) -> NDArray[np.bool_]:
    inside = [(spans[:, 0] < last) & (spans[:, 1] > first) for first, last in part.spans]
    return np.asarray(np.any(inside, axis=0))


def _passage(
    place: int, narrated: Document, number: int, span: tuple[int, int], elsewhere: float
) -> Passage:
    sentence = narrated.sentences[number]
    first, last = span
    start, end = sentence.start + first, sentence.start + last
    return Passage(place, sentence.text[first:last], start, end, 1 - float(elsewhere))
