"""Narratives as the definitions of the overlap take them: checked, and cut into words."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final, TypeAlias

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.text import split

Narratives: TypeAlias = Sequence[str | Narrative]

# Whole numbers with their marks; words with what follows an apostrophe.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*")

# The closed classes of English: what carries grammar and next to no matter. Negations are in,
# as a word alone they say nothing; longer lists also take "part", "serious" or "ten" away.
_CLOSED = """
    a an the this that these those each every either neither some any all both such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    one's who whom whose which what when where why how whoever whatever whichever
    and or but nor so yet if unless because since while whereas although though than as whether
    until till once of in on at by for with about against between among into onto through during
    before after above below to from up down out off over under within without upon toward towards
    per via near beside besides across along around behind beyond despite except inside outside
    am is are was were be been being have has had having do does did doing done
    will would shall should can could may might must ought not no never
    i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd
    they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't haven't hasn't
    hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't
    mightn't let's that's who's what's here's there's where's when's why's how's
    here there then now again further also too very just only own same other more most
    """
STOP_WORDS: Final = frozenset(_CLOSED.split())


def check_narratives(narratives: object) -> tuple[str, ...]:
    """The texts of two or more narratives, in the order given; `named_narratives` checks them."""
    return tuple(one.text for one in named_narratives(narratives))


def named_narratives(narratives: object, fewest: int = 2) -> tuple[Narrative, ...]:
    """The narratives in the order given; a bare text is named by its place.

    Raises:
        InputError: Fewer than `fewest`, a bare string, or something that is no text.
    """
    if isinstance(narratives, str):
        raise InputError("narratives must be a list of texts, got one string; write [left, right]")
    if not isinstance(narratives, Iterable) or isinstance(narratives, bytes | Mapping | Set):
        kind = type(narratives).__name__
        raise InputError(f"narratives must be a list of texts, got {kind}")
    found = []
    for place, one in enumerate(narratives):
        given = one if isinstance(one, Narrative) else Narrative(f"narrative {place + 1}", one)
        if not isinstance(given.text, str):
            raise InputError(f"narratives[{place}] must be a text, got {type(given.text).__name__}")
        found.append(given)
    if len(found) < fewest:
        least = "two narratives" if fewest == 2 else "one source"
        what = "an overlap needs" if fewest == 2 else "verify needs"
        raise InputError(f"{what} at least {least}, got {len(found)}")
    return tuple(found)


def check_at_least(at_least: int | None, narratives: int) -> int:
    """How many narratives must agree; all of them where nothing is said."""
    if at_least is None:
        return narratives
    if not isinstance(at_least, int) or not 2 <= at_least <= narratives:
        raise InputError(f"at_least must be from 2 to {narratives} (narratives), not {at_least}")
    return at_least


def sentence_words(text: str) -> list[tuple[str, ...]]:
    """The words of each sentence, folded to lower case and without a possessive's ending.

    Example:
        >>> sentence_words("The mayor’s car cost $1,200. It didn't start.")
        [('the', 'mayor', 'car', 'cost', '1,200'), ('it', "didn't", 'start')]
    """
    return [_words(sentence.text) for sentence in split(text)]


def _words(sentence: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", sentence).casefold().replace("’", "'")
    return tuple(_plain(word) for word in _WORD.findall(folded))


@lru_cache(maxsize=100_000)
def _plain(word: str) -> str:
    if word in STOP_WORDS:  # "it's" is no possessive
        return word
    return word.removesuffix("'s")
