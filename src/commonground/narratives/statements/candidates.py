"""Candidates: the wordings of a sentence, whole and cut, that could be statements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.narratives.logistic import log_odds
from commonground.narratives.reading import Readings
from commonground.narratives.statements.constraints import splits_quotation
from commonground.narratives.statements.cutting import Cut, cuts, enough, form
from commonground.narratives.texts import speaks_as_group
from commonground.reader import Reading
from commonground.wording import (
    SUBJECTS,
    Tree,
    are_statements,
    by_token,
    flat,
    has_speaker,
    is_content,
    lead,
    named,
    open_quotes,
    pointers,
    points_away,
    worded,
)

_WORTH_CUTTING = 0.2  # minimum probability that a part is shared
_WELL_FORMED = 0.4  # minimum probability that a cut is a good sentence
_MIN_TOKENS = 4
_MIN_CONTENT = 3  # content words, unless the cut names its subject

ByOther = Mapping[int, Sequence[Reading]]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A wording that could be a statement.

    Attributes:
        text: Its words.
        narrative: The narrative it comes from.
        row: The row of its sentence among the closely read ones.
        kept: Indices of the words of that sentence that carry its content.
        form: The probability that it is a good sentence.
        pointers: The number of words that refer to another sentence.
    """

    text: str
    narrative: int
    row: int
    kept: tuple[int, ...]
    form: float
    pointers: int = 0


def candidates(
    readings: Readings, narrative: int, read: ByOther, wanted: int, known: Sequence[bool]
) -> Iterator[Candidate]:
    """Yield the candidates of one narrative.

    Args:
        readings: All narratives.
        narrative: The index of the narrative whose sentences are cut.
        read: The readings of its closely read sentences, by other narrative.
        wanted: The number of other narratives that must agree.
        known: Whether background knowledge rewords each closely read sentence.
    """
    document, trees = readings.narratives[narrative], readings.trees[narrative]
    statements, quoted = are_statements(trees), open_quotes(document.texts)
    for row, tree in enumerate(trees):
        row_readings = [by_row[row] for by_row in read.values()]
        shared = enough([np.array([reading.shared]) for reading in row_readings], wanted)[0]
        in_quotation = quoted[document.close[row]] or not has_speaker(tree)
        if (shared >= _WORTH_CUTTING or known[row]) and statements[row] and not in_quotation:
            for candidate in _wordings(narrative, trees, row, row_readings, wanted):
                # "We" means the same group everywhere only if all narratives say "we".
                if readings.all_say_we or not speaks_as_group(candidate.text):
                    yield candidate


def _wordings(
    narrative: int, trees: Sequence[Tree], row: int, readings: Sequence[Reading], wanted: int
) -> list[Candidate]:
    """Return the distinct wordings of one sentence, whole and cut."""
    tree = trees[row]
    within = [log_odds([word.within for word in reading.words], 1e-4) for reading in readings]
    support = enough(within, wanted)
    start = lead(tree)
    whole = Cut(tree.root, tuple(n >= start for n in range(len(tree))), ())
    result: dict[str, Candidate] = {}
    for cut in (whole, *cuts(tree, by_token(tree, support))):
        kept = [stays and n >= start for n, stays in enumerate(cut.kept)]
        good = 1.0 if cut is whole else form(tree, cut)
        names = named(tree, kept, trees[:row])
        if good < _WELL_FORMED or names is None:
            continue
        if points_away(tree, kept) or splits_quotation(tree, kept):
            continue
        words = sorted({tree.words[n] for n, stays in enumerate(kept) if stays})
        inside = [n for n in words if n < len(support)]
        content = [n for n in inside if is_content(readings[0].words[n].text)]
        if cut is not whole and (sum(kept) < _MIN_TOKENS or _says_little(tree, kept, content)):
            continue
        text = worded(tree.with_names(names), kept)
        if flat(text):
            carried = tuple(content or inside)
            candidate = Candidate(text, narrative, row, carried, good, pointers(tree, kept))
            result.setdefault(text, candidate)
    return list(result.values())


def _says_little(tree: Tree, kept: Sequence[bool], content: Sequence[int]) -> bool:
    """Say whether a cut has few content words and no noun as subject, as in "You visit it"."""
    names_subject = any(
        stays and tree.deps[n] in SUBJECTS and tree.is_noun(n) for n, stays in enumerate(kept)
    )
    return len(content) < _MIN_CONTENT and not names_subject
