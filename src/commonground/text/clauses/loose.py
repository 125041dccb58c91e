"""Loose parts: what a sentence can lose and stay a sentence.

Asides between commas, dashes or brackets, adverbial clauses, closing verb phrases and datelines.
A condition is never loose, since what follows without its "if" is another claim; nor is a source
("according to ...") or a hedge ("allegedly", "in theory", "at most"), without which a report would
read as a fact; nor anything inside quotation marks, since nobody said what is left.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.text.parsing import written

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CONDITIONS = frozenset(("if", "unless", "whether", "lest", "provided", "once", "until", "than"))
_TIMES = frozenset(("when", "whenever", "where", "wherever", "while"))
_NEGATIVE = frozenset(("no", "not", "n't", "n’t", "never", "nobody", "none", "nothing", "neither"))
_KEPT = frozenset(("only", "without", "except", "but", "not", "according", "inc"))
# Adverbs join a sentence to its neighbours or weigh what it says; only the former may go.
_JOINING = re.compile(
    "also|besides|moreover|furthermore|additionally|meanwhile|however|nevertheless|nonetheless|"
    "still|instead|finally|then|thus|therefore|consequently|later|earlier|afterwards|today|"
    "yesterday|tomorrow|tonight|recently"
)
_WEIGHING = re.compile(
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
_LEAST = 4  # words that must be left


@dataclass(frozen=True, slots=True)
class Loose:
    """A loose part: the tokens that go, with their commas, and those that carry its content."""

    first: int
    last: int
    inner_first: int
    inner_last: int

    def text(self, doc: "Doc") -> str:
        """Its words, without the punctuation around them."""
        return doc[self.inner_first : self.inner_last].text


def loose_parts(doc: "Doc") -> list[Loose]:
    """The parts of a sentence that can go, each by itself or with others; outer ones first."""
    found = {*_asides(doc), *_closing_relatives(doc), *_closing_phrases(doc), *_brackets(doc)}
    kept = [part for part in found if _may_go(doc, part)]
    return sorted(kept, key=lambda part: (part.first, -part.last))


def bearable(doc: "Doc", parts: Sequence[Loose]) -> list[Loose]:
    """Those of the parts that can go together, so that enough of the sentence is left."""
    gone: set[int] = set()
    words = {token.i for token in doc if not token.is_punct}
    kept = []
    for part in parts:
        inside = gone | set(range(part.first, part.last))
        if len(words - inside) >= _LEAST:
            gone = inside
            kept.append(part)
    return kept


def without(doc: "Doc", parts: Collection[Loose], sentence: str) -> str:
    """The sentence without some of its loose parts or a dateline, with a full stop at its end.

    Args:
        doc: The parse of the sentence.
        parts: What goes.
        sentence: As it stands in its text; the parser may have read other letters.
    """
    text = _BLANK_BEFORE.sub(r"\1", _cut(doc, parts, written(sentence)))
    dateline = None if text.isupper() else _DATELINE.match(text)
    if dateline:
        text = text[dateline.end() :]
    if not text[1:2].isupper():  # "iPhone" is written so
        text = text[:1].upper() + text[1:]
    return text if _ENDED.search(text) else f"{text}."


def _cut(doc: "Doc", parts: Collection[Loose], sentence: str) -> str:
    if not parts:
        return sentence
    gone = {place for part in parts for place in range(part.first, part.last)}
    pieces: list[str] = []
    for token in doc:
        if token.i not in gone:
            pieces.append(sentence[token.idx : token.idx + len(token.text_with_ws)])
        elif pieces and not pieces[-1].endswith(" ") and token.whitespace_:
            pieces.append(" ")
    pieces.append(sentence[len(doc.text) :])
    text = _BLANK_BEFORE.sub(r"\1", "".join(pieces).strip())
    text = re.sub(r"[,;]+([.!?])", r"\1", text).removeprefix(", ")
    return re.sub(r"(?<!\.)\.\.$", ".", text)  # an abbreviation that has come to the end


def _asides(doc: "Doc") -> Iterator[Loose]:
    """Clauses and phrases set apart by commas, or closing the sentence."""
    for token in doc:
        if token.dep_ in _ASIDES and not _in_list(token):
            yield from _set_apart(doc, token)
        elif token.dep_ == "advcl" and not _is_condition(token):
            yield from _set_apart(doc, token, closing=not _is_denied(token.head))
        elif token.dep_ in _ADVERBIALS and token.head.dep_ in _CLAUSES and not _weighs(token):
            yield from _set_apart(doc, token)


def _weighs(token: "Token") -> bool:
    """Whether an adverbial says how sure, how often or how far something holds."""
    if token.dep_ == "advmod":
        return _JOINING.fullmatch(token.lower_) is None
    phrase = token.doc[token.left_edge.i : token.right_edge.i + 1].text
    return _WEIGHING.match(phrase) is not None


def _in_list(token: "Token") -> bool:
    """Parsers take the items of a list for appositions; what is in a row with others stays."""
    return token.dep_ == "appos" and any(
        near.dep_ in ("conj", "cc") for word in (token, token.head) for near in word.children
    )


def _is_condition(token: "Token") -> bool:
    """Whether a clause says when something holds.

    "When" does so, but in the past it tells a time. What leans on another word than a verb
    ("as long as it rains", "higher than it was") measures that word.
    """
    openers = _openers(token)
    past = any(word.tag_ == "VBD" for word in (token, *token.children))
    measures = token.head.tag_[:2] not in ("VB", "MD")
    return measures or bool(_CONDITIONS & openers or (_TIMES & openers and not past))


def _is_denied(token: "Token") -> bool:
    """Whether a verb is negated: "did not close because it was old" may mean that it closed."""
    words = list(token.children)
    words += [word for child in words if child.dep_.startswith("nsubj") for word in child.children]
    return any(word.lower_ in _NEGATIVE for word in words)


def _openers(token: "Token") -> set[str]:
    return {child.lower_ for child in token.children if child.dep_ in ("mark", "advmod")}


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


def _needs_comma(doc: "Doc", place: int) -> bool:
    """Whether a comma stands before these words by their own right: a quotation, "who ..."."""
    return place < len(doc) and (doc[place].is_quote or doc[place].tag_ in ("WDT", "WP", "WP$"))


def _closing_relatives(doc: "Doc") -> Iterator[Loose]:
    """What follows the last comma as "which ..." or "who ...", also where it was parsed amiss."""
    end = _end(doc)
    commas = [token.i for token in doc[:end] if token.text == ","]
    first = commas[-1] + 1 if commas else end
    if first < end and doc[first].tag_ in ("WDT", "WP") and doc[first].lower_ != "what":
        yield Loose(first - 1, end, first, end)


def _closing_phrases(doc: "Doc") -> Iterator[Loose]:
    """The second of two verb phrases or clauses that "and" joins, where it ends the sentence."""
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


def _may_go(doc: "Doc", part: Loose) -> bool:
    words = sum(not token.is_punct for token in doc)
    inside = doc[part.first : part.last]
    going = sum(not token.is_punct for token in inside)
    opening = doc[part.inner_first].lower_.rstrip(".")
    quoted = any(len(_QUOTES.findall(some.text)) % 2 for some in (doc[: part.first], inside))
    brackets = inside.text.count("(") != inside.text.count(")")
    if quoted or brackets or opening in _KEPT or _leans(doc, part):
        return False
    return 0 < going <= words - _LEAST


def _leans(doc: "Doc", part: Loose) -> bool:
    """Whether the sentence would end with "and" or a preposition."""
    last = doc[part.first - 1] if part.first else None
    return part.last >= _end(doc) and last is not None and last.tag_ in ("CC", "IN", "TO")


def _end(doc: "Doc") -> int:
    """Where the closing punctuation begins."""
    end = len(doc)
    while end and (doc[end - 1].is_punct or doc[end - 1].is_quote):
        end -= 1
    return end
