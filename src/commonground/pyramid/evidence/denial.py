"""Whether the words that show a unit may deny it: "The dam did not break" for "The dam broke".

Evidence looks for the unit's words and hardly sees a "not". A rule on the words alone is enough to
ask a person to look; it has no say in any score.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from commonground.text import LONGEST_PARSED, stem

Check = Literal["negation"]
"""Why a person should look: unit and words differ in what they deny."""

_WORD = re.compile(r"\w+(?:[’']\w+)*")
_NEGATION: Final = (
    r"\b(?:not|never|none|nobody|nothing|nowhere|neither|nor|cannot|no(?!\.\s*\d)"
    r"|\w+n[’']t|(?:refus|fail)(?:e|es|ed|s|ing)? to"
    r"|den(?:y|ies|ied|ying)\b.{0,60}?\bthat)\b"  # a bound, or each "deny" would look at all
)
_STEP = re.compile(rf"(?P<no>{_NEGATION})|(?P<stop>[,;:()–—](?!\d))|(?P<word>{_WORD.pattern})")
# Negations in form alone.
_IDLE = re.compile(r"\b(?:not (?:only|just|merely|least)|no (?:doubt|sooner)|nothing but)\b")
# What these deny is not the deed: "left without a word", "did not open until noon".
_UNCLEAR = re.compile(r"\b(?:without|with no|until|unless|if|whether)\b")
_PREFIXES: Final = ("un", "dis", "il", "ir")
_ROOT: Final = 4  # letters that a prefix stands before, at least
_REACH: Final = 2  # content words that a negation is of: "did not break on Friday"


def may_deny(label: str, clauses: Sequence[str]) -> bool:
    """Whether the words that show a unit negate it, or state what the unit negates.

    Of several clauses the one with most of the unit's words is looked at; where several have as
    many, all of them must deny it. What a negation reaches must be what the unit is about; a
    comma ends its reach, so that "who had no warrant," says nothing of the deed.

    Args:
        label: The unit in words.
        clauses: Those of the sentence that shows it best, in their order.

    Example:
        >>> may_deny("The dam broke.", ["The dam did not break,", "and nobody left."])
        True
        >>> may_deny("The dam broke.", ["The dam broke,", "but nobody was hurt."])
        False
    """
    unit, shown = _Words.of(label), [_Words.of(clause) for clause in clauses]
    shared = [len(unit.stems & clause.stems) for clause in shown]
    most = max(shared, default=0)
    best = [place for place, count in enumerate(shared) if count == most]
    if not most or unit.unclear or any(shown[place].unclear for place in best):
        return False
    if any(_prefixed(unit, shown[place]) for place in best):
        return not any(one.negates for one in (unit, *shown))
    if unit.negates:  # else a sentence of several clauses has its "not" in another one
        return not any(one.negates for one in shown) and _reaches(unit, shown[best[0]])
    return all(_reaches(_with_host(clauses, place), unit) for place in best)


@dataclass(frozen=True, slots=True)
class _Words:
    """A clause in lower case.

    Attributes:
        words: All of them.
        stems: Of its content words.
        negated: Those that a negation reaches.
        near: Those between the commas where a negation stands.
        negates: Whether there is one.
        unclear: Whether something else may be denied than the deed.
    """

    words: frozenset[str]
    stems: frozenset[str]
    negated: frozenset[str]
    near: frozenset[str]
    negates: bool
    unclear: bool

    @classmethod
    def of(cls, text: str) -> "_Words":
        lowered = _IDLE.sub("", text[:LONGEST_PARSED].lower())
        words = _WORD.findall(lowered)
        parts = _parts(lowered)
        return cls(
            frozenset(words),
            frozenset(_stems(words)),
            frozenset(one for part in parts for some in part[1:] for one in some[:_REACH]),
            frozenset(one for part in parts if len(part) > 1 for some in part for one in some),
            any(len(part) > 1 for part in parts),
            _UNCLEAR.search(lowered) is not None,
        )


def _parts(lowered: str) -> list[list[list[str]]]:
    """What stands between commas: the stems before its first negation, and those after each."""
    parts: list[list[list[str]]] = [[[]]]
    for found in _STEP.finditer(lowered):
        if found["stop"]:
            parts.append([[]])
        elif found["no"]:
            parts[-1].append([])
        else:
            parts[-1][-1] += _stems([found["word"]])
    return parts


def _reaches(denying: _Words, other: _Words) -> bool:
    """Whether something is negated that the other says, in its words or, at an end, in others."""
    if denying.negated & other.stems:
        return True
    short = len(denying.stems) <= len(other.stems) + 1
    half = len(denying.stems & other.stems) * 2 >= len(other.stems)
    return bool(denying.near & other.stems) and len(denying.negated) < _REACH and short and half


def _with_host(clauses: Sequence[str], place: int) -> _Words:
    """A clause, after the one that it depends on: "They denied" "that the dam broke"."""
    if place and clauses[place].lower().startswith("that "):
        return _Words.of(f"{clauses[place - 1]} {clauses[place]}")
    return _Words.of(clauses[place])


def _prefixed(one: _Words, other: _Words) -> bool:
    """Whether one has a word that the other has with a prefix: "safe", "unsafe"."""
    return any(
        prefix + word in longer
        for shorter, longer in ((one.words, other.words), (other.words, one.words))
        for word in shorter - longer
        if len(word) >= _ROOT and word != "less"  # "unless" denies nothing
        for prefix in _PREFIXES
    )


def _stems(words: Iterable[str]) -> list[str]:
    """The stems of words that are long enough to tell something."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    return [stem(word) for word in words if len(word) > 2 and word not in STOP_WORDS]
