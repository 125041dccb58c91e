"""Verbs that deny their complement: "refused to resign", "was unable to open the gate"."""

from typing import TYPE_CHECKING

from commonground.narratives.conflicts.states import one_thing, same_tense, subject_of, unsettled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

_DENIERS = frozenset(("refuse", "decline", "fail", "neglect", "omit", "unable"))
_PARTS = ("dobj", "dative", "prep", "prt", "advmod", "npadvmod", "advcl", "xcomp", "ccomp")
_NO_CONTENT = ("DET", "PRON", "ADP", "PART", "AUX", "PUNCT", "SCONJ", "CCONJ", "SPACE")


def denied_by(verb: "Token") -> "Token | None":
    """The word that denies a verb as its complement: the "refused" of "refused to resign"."""
    if verb.dep_ != "xcomp" or verb.head.lemma_.lower() not in _DENIERS:
        return None
    return verb.head if any(child.tag_ == "TO" for child in verb.children) else None


def withholds(verb: "Token") -> "Token | None":
    """The verb that says that something was not done, where it says so once and for all.

    None for "never fails to", "may refuse to", "had refused to" and "at first refused to".
    """
    word = denied_by(verb)
    if word is None or any(child.dep_ == "neg" for child in verb.children):
        return None
    by = word if word.pos_ == "VERB" else word.head
    helpers = {child.lower_ for child in by.children if child.dep_ in ("aux", "neg")}
    plain = by.pos_ in ("VERB", "AUX") and helpers <= {"has", "have"}
    return None if not plain or unsettled(by) else by


def same_withheld(verb: "Token", by: "Token", plain: "Token") -> bool:
    """Whether what was not done is all that is told as done, and nothing besides."""
    if not one_thing(subject_of(by), subject_of(plain)) or unsettled(plain):
        return False
    if _passive(verb) != _passive(plain) or not same_tense(by, plain):
        return False
    # "Failed to pay on time" does not deny "paid", nor "failed to agree" "agreed on the date".
    ours, theirs = set(_details(verb)), set(_details(plain))
    # A weekday is when it is told; a year may be that of another time.
    needed = {lemma for lemma, dated in theirs if not dated or lemma.isdecimal()}
    return ours <= theirs and needed <= {lemma for lemma, _ in ours}


def _details(verb: "Token") -> "Iterator[tuple[str, bool]]":
    """The words that a verb has with it, each with whether it is of a date."""
    for child in verb.children:
        if child.dep_ in _PARTS:
            for token in child.subtree:
                if token.pos_ not in _NO_CONTENT:
                    yield token.lemma_.lower(), token.ent_type_ == "DATE"


def _passive(verb: "Token") -> bool:
    return any(child.dep_ == "auxpass" for child in verb.children)
