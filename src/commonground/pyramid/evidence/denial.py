"""Negation check: may a match deny its unit? "The dam did not break" for "The dam broke".

Evidence compares words and hardly notices a "not". This rule on the words alone asks a person to
check the match; it does not change any score.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from commonground.text import LONGEST_PARSED, stem

_WORD = re.compile(r"\w+(?:[’']\w+)*")
_NEGATION: Final = (
    r"\b(?:not|never|none|nobody|nothing|nowhere|neither|nor|cannot|no(?!\.\s*\d)"
    r"|\w+n[’']t|(?:refus|fail)(?:e|es|ed|s|ing)? to"
    r"|den(?:y|ies|ied|ying)\b.{0,60}?\bthat)\b"  # bounded, or each "deny" would scan the rest
)
_STEP = re.compile(rf"(?P<no>{_NEGATION})|(?P<stop>[,;:()–—](?!\d))|(?P<word>{_WORD.pattern})")
# Negations in form only.
_IDLE = re.compile(r"\b(?:not (?:only|just|merely|least)|no (?:doubt|sooner)|nothing but)\b")
# These do not deny the action itself: "left without a word", "did not open until noon".
_UNCLEAR = re.compile(r"\b(?:without|with no|until|unless|if|whether)\b")
_PREFIXES: Final = ("un", "dis", "il", "ir")
_ROOT: Final = 4  # minimum number of letters after a prefix
_REACH: Final = 2  # content words in the scope of a negation: "did not break on Friday"


def may_deny(label: str, clauses: Sequence[str]) -> bool:
    """Return whether clauses negate a unit, or state what the unit negates.

    The clause with most of the unit's words decides; of several with as many, all must deny the
    unit. The negated words must be words of the unit; a comma ends the scope of a negation, so "who
    had no warrant," does not deny the action.

    Args:
        label: The unit in words.
        clauses: The clauses of the sentence that shows it best, in order.

    Example:
        >>> may_deny("The dam broke.", ["The dam did not break,", "and nobody left."])
        True
        >>> may_deny("The dam broke.", ["The dam broke,", "but nobody was hurt."])
        False
    """
    unit, shown = _Clause.of(label), [_Clause.of(clause) for clause in clauses]
    shared = [len(unit.stems & clause.stems) for clause in shown]
    most = max(shared, default=0)
    best = [index for index, count in enumerate(shared) if count == most]
    if not most or unit.unclear or any(shown[index].unclear for index in best):
        return False
    if any(_prefixed(unit, shown[index]) for index in best):
        return not any(clause.negates for clause in (unit, *shown))
    if unit.negates:  # else the "not" of a sentence may be in another clause
        return not any(clause.negates for clause in shown) and _denies(unit, shown[best[0]])
    return all(_denies(_with_host(clauses, index), unit) for index in best)


@dataclass(frozen=True, slots=True)
class _Clause:
    """The words of a clause, in lower case."""

    words: frozenset[str]  # all of them
    stems: frozenset[str]  # of its content words
    negated: frozenset[str]  # stems in the scope of a negation
    near: frozenset[str]  # stems between the same commas as a negation
    negates: bool  # whether there is a negation
    unclear: bool  # whether the negation may not apply to the action

    @classmethod
    def of(cls, text: str) -> "_Clause":
        lowered = _IDLE.sub("", text[:LONGEST_PARSED].lower())
        words = _WORD.findall(lowered)
        # Between commas: the stems before the first negation, and those after each.
        parts: list[list[list[str]]] = [[[]]]
        for step in _STEP.finditer(lowered):
            if step["stop"]:
                parts.append([[]])
            elif step["no"]:
                parts[-1].append([])
            else:
                parts[-1][-1] += _stems([step["word"]])
        negating = [part for part in parts if len(part) > 1]
        return cls(
            frozenset(words),
            frozenset(_stems(words)),
            frozenset(s for part in negating for stems in part[1:] for s in stems[:_REACH]),
            frozenset(s for part in negating for stems in part for s in stems),
            bool(negating),
            _UNCLEAR.search(lowered) is not None,
        )


def _denies(denying: _Clause, other: _Clause) -> bool:
    """Return whether a clause negates words of another, or ends in a negation beside them."""
    if denying.negated & other.stems:
        return True
    short = len(denying.stems) <= len(other.stems) + 1
    half = len(denying.stems & other.stems) * 2 >= len(other.stems)
    return bool(denying.near & other.stems) and len(denying.negated) < _REACH and short and half


def _with_host(clauses: Sequence[str], index: int) -> _Clause:
    """Return a clause with the one it depends on: "They denied" "that the dam broke"."""
    if index and clauses[index].lower().startswith("that "):
        return _Clause.of(f"{clauses[index - 1]} {clauses[index]}")
    return _Clause.of(clauses[index])


def _prefixed(first: _Clause, second: _Clause) -> bool:
    """Return whether a word of one has a negative prefix in the other: "safe", "unsafe"."""
    return any(
        prefix + word in longer
        for shorter, longer in ((first.words, second.words), (second.words, first.words))
        for word in shorter - longer
        if len(word) >= _ROOT and word != "less"  # "unless" denies nothing
        for prefix in _PREFIXES
    )


def _stems(words: Iterable[str]) -> list[str]:
    """Return the stems of content words."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    return [stem(word) for word in words if len(word) > 2 and word not in STOP_WORDS]
