"""Check narratives, cut them into words, and detect who narrates."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.text import SPLITTERS, Sentence, sentences, split
from commonground.wording import STOP_WORDS

_SELF = re.compile(r"\b(?:I|(?i:me|my|mine|myself))\b")
_GROUP = re.compile(r"\b(?i:we|our|ours|ourselves)\b|\bus\b")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|«[^»]*»')
_QUOTES = re.compile('["“”«»]')


def speaks_of_self(text: str) -> bool:
    """Say whether a text uses "I" outside quotations.

    Example:
        >>> speaks_of_self("I called an ambulance."), speaks_of_self('He said: "I called."')
        (True, False)
    """
    return _occurs_unquoted(_SELF, text)


def speaks_as_group(text: str) -> bool:
    """Say whether a text uses "we" outside quotations, as companies do.

    Example:
        >>> speaks_as_group("We keep your data for a year."), speaks_as_group("US troops left.")
        (True, False)
    """
    return _occurs_unquoted(_GROUP, text)


def _occurs_unquoted(pattern: re.Pattern[str], text: str) -> bool:
    """Say whether a pattern occurs outside quotations; an open quotation counts as quoted."""
    unquoted = _QUOTED.sub(" ", text)
    return pattern.search(unquoted) is not None and _QUOTES.search(unquoted) is None


Narratives: TypeAlias = Sequence[str | Narrative]
Text: TypeAlias = str | Sequence[str]

# Numbers with their separators; words with their apostrophes.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*")


def named_narratives(narratives: object, fewest: int = 2) -> tuple[Narrative, ...]:
    """Return the narratives in their order; a text without a name gets a numbered one.

    Raises:
        InputError: Fewer than `fewest` narratives, a single string, or an item that is not a text.
    """
    if isinstance(narratives, str):
        raise InputError("narratives must be a list of texts, got one string; write [left, right]")
    if not isinstance(narratives, Iterable) or isinstance(narratives, bytes | Mapping | Set):
        kind = type(narratives).__name__
        raise InputError(f"narratives must be a list of texts, got {kind}")
    named = tuple(
        item if isinstance(item, Narrative) else Narrative(f"narrative {number}", item)
        for number, item in enumerate(narratives, 1)
    )
    for index, narrative in enumerate(named):
        if not isinstance(narrative.text, str):
            kind = type(narrative.text).__name__
            raise InputError(f"narratives[{index}] must be a text, got {kind}")
    if len(named) < fewest:
        needs = "an overlap needs at least two narratives"
        if fewest != 2:
            needs = "verify needs at least one source"
        raise InputError(f"{needs}, got {len(named)}")
    return named


def given_narratives(
    narratives: object, fewest: int = 2
) -> tuple[tuple[Narrative, ...], list[Text]]:
    """Return the narratives as `named_narratives` does, and each as a text or given sentences.

    An item may also be a list of sentences, which are the lines of the narrative's text.
    """
    if isinstance(narratives, Iterable) and not isinstance(narratives, str | bytes | Mapping | Set):
        items = [sentences(item) if isinstance(item, list | tuple) else item for item in narratives]
        named = named_narratives([joined(i) if isinstance(i, list) else i for i in items], fewest)
        pairs = zip(items, named, strict=True)
        return named, [item if isinstance(item, list) else own.text for item, own in pairs]
    return named_narratives(narratives, fewest), []


def joined(text: Text) -> str:
    """Return a text; given sentences as lines."""
    return text if isinstance(text, str) else "\n".join(text)


def given_sentences(text: Sequence[str]) -> Iterator[Sentence]:
    """Yield sentences that are not split further, with their offsets in the joined text."""
    start = 0
    for sentence in text:
        yield Sentence(sentence, start, start + len(sentence))
        start += len(sentence) + 1


def split_by(texts: Iterable[Text]) -> str:
    """Return who split the texts, for a signature: the layout rules, the caller, or both.

    Example:
        >>> split_by([["It rained.", "We left."]])
        'given'
    """
    kinds = {SPLITTERS["layout"] if isinstance(text, str) else "given" for text in texts}
    return "/".join(sorted(kinds, reverse=True))


def check_at_least(at_least: int | None, narratives: int) -> int:
    """Return how many narratives must agree (default: all)."""
    if at_least is None:
        return narratives
    if not isinstance(at_least, int) or not 2 <= at_least <= narratives:
        raise InputError(f"at_least must be from 2 to {narratives} (narratives), not {at_least}")
    return at_least


def sentence_words(text: str) -> list[tuple[str, ...]]:
    """Return the words of each sentence, casefolded and without a possessive ending.

    Example:
        >>> sentence_words("The mayor’s car cost $1,200. It didn't start.")
        [('the', 'mayor', 'car', 'cost', '1,200'), ('it', "didn't", 'start')]
    """
    return [_words(sentence.text) for sentence in split(text)]


def _words(sentence: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", sentence).casefold().replace("’", "'")
    # "it's" is not a possessive.
    return tuple(w if w in STOP_WORDS else w.removesuffix("'s") for w in _WORD.findall(folded))
