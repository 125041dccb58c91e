"""Loose parts: what can be removed from a sentence so that a sentence remains.

Asides between commas, dashes or brackets, adverbial clauses, closing verb phrases and datelines.
A condition is never loose: without its "if" the rest is another claim. Nor is a source
("according to ...") or a hedge ("allegedly", "in theory", "at most"), without which a report reads
as a fact; nor anything in quotation marks, since nobody said what remains.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from commonground.text.lexicon import words
from commonground.text.parsing import written

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CONDITIONS = words("if unless whether lest provided once until than")
_TIMES = words("when whenever where wherever while")
_NEGATIVE = words("no not n't n’t never nobody none nothing neither")
_KEPT = words("only without except but not according inc")
# Adverbs connect a sentence to its neighbours or qualify it; only the former are loose.
_JOINING = re.compile(
    "also|besides|moreover|furthermore|additionally|meanwhile|however|nevertheless|nonetheless|"
    "still|instead|finally|then|thus|therefore|consequently|later|earlier|afterwards|today|"
    "yesterday|tomorrow|tonight|recently"
)
_QUALIFYING = re.compile(
    r"(?:in (?:theory|principle|part|practice|general|most|some|many|few|rare|certain)|at (?:most|"
    r"least|best|worst)|for the most part|by (?:no|some|most|all) |to some|to a|with the exception|"
    r"subject to|contrary to|under |despite |instead of|rather than|as (?:if|though))\b",
    re.IGNORECASE,
)
_SEPARATORS = frozenset((",", "–", "—", "--", "-", ";"))
_QUOTES = re.compile('["“”«»]')
_ASIDES = frozenset(("relcl", "acl", "appos"))
_ADVERBIALS = frozenset(("prep", "npadvmod", "advmod"))
_CLAUSES = frozenset(("ROOT", "ccomp", "conj"))
_DATELINE = re.compile(
    r"(?:[A-Z][A-Z.'-]+(?:,? |, ?))*[A-Z][A-Z.'-]+(?:, [A-Z][a-z]+\.?)?(?: \([A-Za-z ]+\))?"
    r" ?(?:--|—|–|-) (?=[\"'“‘]?[A-Z])"
)
_ENDED = re.compile("[.!?…。！？｡؟۔।॥።፧։။។៕][\"'”’»」』)\\]]*$")
_BLANK_BEFORE = re.compile(r" +([,.;:!?])(?![^\s\"'”’)])")
_LEAST = 4  # words that must remain


@dataclass(frozen=True, slots=True)
class Loose:
    """A loose part: the tokens to remove with their commas, and those of its content."""

    first: int
    last: int
    inner_first: int
    inner_last: int

    def text(self, doc: "Doc") -> str:
        """Return its words without the punctuation around them."""
        return doc[self.inner_first : self.inner_last].text


def loose_parts(doc: "Doc") -> list[Loose]:
    """Return the removable parts of a sentence, outer ones first."""
    parts = {*_asides(doc), *_closing_relatives(doc), *_closing_phrases(doc), *_brackets(doc)}
    return sorted(
        filter(partial(_is_removable, doc), parts), key=lambda part: (part.first, -part.last)
    )


def bearable(doc: "Doc", parts: Sequence[Loose]) -> list[Loose]:
    """Return the parts that can be removed together and leave enough of the sentence."""
    left = {token.i for token in doc if not token.is_punct}
    result = []
    for part in parts:
        rest = left.difference(range(part.first, part.last))
        if len(rest) >= _LEAST:
            left = rest
            result.append(part)
    return result


def without(doc: "Doc", parts: Collection[Loose], sentence: str) -> str:
    """Return the sentence without a dateline and some loose parts, with a full stop at its end.

    Args:
        doc: The parse of the sentence.
        parts: The parts to remove.
        sentence: The sentence as in its text; the parser may have replaced some letters.
    """
    text = _BLANK_BEFORE.sub(r"\1", _cut(doc, parts, written(sentence)))
    dateline = None if text.isupper() else _DATELINE.match(text)
    if dateline:
        text = text[dateline.end() :]
    if not text[1:2].isupper():  # keep "iPhone"
        text = text[:1].upper() + text[1:]
    return text if _ENDED.search(text) else f"{text}."


def _cut(doc: "Doc", parts: Collection[Loose], sentence: str) -> str:
    if not parts:
        return sentence
    gone = {index for part in parts for index in range(part.first, part.last)}
    pieces: list[str] = []
    for token in doc:
        if token.i not in gone:
            pieces.append(sentence[token.idx : token.idx + len(token.text_with_ws)])
        elif pieces and not pieces[-1].endswith(" ") and token.whitespace_:
            pieces.append(" ")
    pieces.append(sentence[len(doc.text) :])
    text = _BLANK_BEFORE.sub(r"\1", "".join(pieces).strip())
    text = re.sub(r"[,;]+([.!?])", r"\1", text).removeprefix(", ")
    return re.sub(r"(?<!\.)\.\.$", ".", text)  # an abbreviation before the full stop


def _asides(doc: "Doc") -> Iterator[Loose]:
    """Yield clauses and phrases between commas or at the end of the sentence."""
    for token in doc:
        if token.dep_ in _ASIDES and not _in_list(token):
            yield from _set_apart(doc, token)
        elif token.dep_ == "advcl" and not _is_condition(token):
            yield from _set_apart(doc, token, closing=not _is_denied(token.head))
        elif token.dep_ in _ADVERBIALS and token.head.dep_ in _CLAUSES and not _qualifies(token):
            yield from _set_apart(doc, token)


def _qualifies(token: "Token") -> bool:
    """Say whether an adverbial says how sure, how often or how far something holds."""
    if token.dep_ == "advmod":
        return _JOINING.fullmatch(token.lower_) is None
    phrase = token.doc[token.left_edge.i : token.right_edge.i + 1].text
    return _QUALIFYING.match(phrase) is not None


def _in_list(token: "Token") -> bool:
    """Say whether an apposition is really an item of a list, which parsers confuse."""
    return token.dep_ == "appos" and any(
        near.dep_ in ("conj", "cc") for word in (token, token.head) for near in word.children
    )


def _is_condition(token: "Token") -> bool:
    """Say whether a clause is a condition.

    "When" introduces one, but in the past it gives a time. A clause that depends on another word
    than a verb ("as long as it rains", "higher than it was") measures that word.
    """
    openers = {child.lower_ for child in token.children if child.dep_ in ("mark", "advmod")}
    past = any(word.tag_ == "VBD" for word in (token, *token.children))
    measures = token.head.tag_[:2] not in ("VB", "MD")
    return measures or bool(_CONDITIONS & openers or (_TIMES & openers and not past))


def _is_denied(token: "Token") -> bool:
    """Say whether a verb is negated: "did not close because it was old" may mean it closed."""
    near = list(token.children)
    near += [word for child in near if child.dep_.startswith("nsubj") for word in child.children]
    return any(word.lower_ in _NEGATIVE for word in near)


def _set_apart(doc: "Doc", head: "Token", closing: bool = False) -> Iterator[Loose]:
    end = _end(doc)
    first, last = head.left_edge.i, min(head.right_edge.i + 1, end)
    if first > 0 and doc[first - 1].dep_ == "cc":
        return
    before = first > 0 and doc[first - 1].text in _SEPARATORS
    after = last < len(doc) and doc[last].text in _SEPARATORS
    if before and after:
        yield Loose(first - 1, last + (not _needs_comma(doc, last + 1)), first, last)
    elif before and last >= end:
        yield Loose(first - 1, last, first, last)
    elif after and first == 0:
        yield Loose(first, last + 1, first, last)
    elif closing and last >= end:
        yield Loose(first, last, first, last)


def _needs_comma(doc: "Doc", index: int) -> bool:
    """Say whether a token needs a comma before it: a quotation, "who ..."."""
    return index < len(doc) and (doc[index].is_quote or doc[index].tag_ in ("WDT", "WP", "WP$"))


def _closing_relatives(doc: "Doc") -> Iterator[Loose]:
    """Yield a relative clause after the last comma, also if it was parsed wrongly."""
    end = _end(doc)
    commas = [token.i for token in doc[:end] if token.text == ","]
    first = commas[-1] + 1 if commas else end
    if first < end and doc[first].tag_ in ("WDT", "WP") and doc[first].lower_ != "what":
        yield Loose(first - 1, end, first, end)


def _closing_phrases(doc: "Doc") -> Iterator[Loose]:
    """Yield the second of two verb phrases or clauses joined by "and" at the end."""
    for token in doc:
        if token.dep_ != "conj" or token.head.dep_ != "ROOT" or token.tag_[:2] not in ("VB", "MD"):
            continue
        joins = [c for c in token.head.children if c.dep_ == "cc" and c.i < token.i]
        if joins and joins[-1].lower_ == "and" and token.right_edge.i + 1 >= _end(doc):
            start = joins[-1].i
            comma = start > 0 and doc[start - 1].text in _SEPARATORS
            yield Loose(start - comma, _end(doc), start + 1, _end(doc))


def _brackets(doc: "Doc") -> Iterator[Loose]:
    opened: list[int] = []
    for token in doc:
        if token.text == "(":
            opened.append(token.i)
        elif token.text == ")" and opened:
            start = opened.pop()
            yield Loose(start, token.i + 1, start + 1, token.i)


def _is_removable(doc: "Doc", part: Loose) -> bool:
    total = sum(not token.is_punct for token in doc)
    inside = doc[part.first : part.last]
    removed = sum(not token.is_punct for token in inside)
    opening = doc[part.inner_first].lower_.rstrip(".")
    quoted = any(len(_QUOTES.findall(span.text)) % 2 for span in (doc[: part.first], inside))
    brackets = inside.text.count("(") != inside.text.count(")")
    # The sentence must not end in "and" or a preposition.
    closing = part.first and part.last >= _end(doc)
    dangling = closing and doc[part.first - 1].tag_ in ("CC", "IN", "TO")
    if quoted or brackets or opening in _KEPT or dangling:
        return False
    return 0 < removed <= total - _LEAST


def _end(doc: "Doc") -> int:
    """Return the index of the first token of the closing punctuation."""
    end = len(doc)
    while end and (doc[end - 1].is_punct or doc[end - 1].is_quote):
        end -= 1
    return end
