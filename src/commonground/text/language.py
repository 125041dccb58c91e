"""The language of a text, and the notice for one that the models do not know."""

import json
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from commonground.plain import Plain

KNOWN = "en"

_MAX_LETTERS = 400  # enough to identify a language
_MIN_LETTERS = 60  # shorter texts are not classified
_SURE = 0.9
_WORD = re.compile(r"[^\W\d_]{2,}")


class LanguageWarning(UserWarning):
    """A text is in a language that the models do not know."""


@dataclass(frozen=True, slots=True)
class LanguageNotice(Plain):
    """A text in a language that the models do not know.

    Attributes:
        name: The name of the text.
        code: Its language as ISO 639-1 code.
        language: The English name of the language.
        message: One line for people.
    """

    name: str
    code: str
    language: str
    message: str


def language_notice(name: str, text: str) -> LanguageNotice | None:
    """Return the notice for a text, or None for English and for text that is too short to tell.

    Example:
        >>> notice = language_notice("a.txt", "Die Fähre lief am Samstagmorgen vor der Küste auf "
        ...     "Grund, und alle Menschen an Bord wurden an Land gebracht.")
        >>> notice.message
        '“a.txt” seems to be German. The models know only English. Do not rely on this result.'
        >>> language_notice("b.txt", "The ferry ran aground on Saturday morning off the coast, and "
        ...     "everybody on board was brought ashore.")
    """
    code = language_of([text])
    if code is None or code == KNOWN:
        return None
    language = name_of(code)
    message = (
        f"“{name}” seems to be {language}. "
        "The models know only English. Do not rely on this result."
    )
    return LanguageNotice(name, code, language, message)


def language_notices(texts: Iterable[tuple[str, str]]) -> list[LanguageNotice]:
    """Return the notices for named texts: pairs of name and text."""
    return [notice for name, text in texts if (notice := language_notice(name, text))]


def warn_unless_english(sentences: Sequence[str], what: str = "this text") -> None:
    """Warn if a text is in another language; Python shows the same warning only once."""
    language = language_of(sentences)
    if language is not None and language != KNOWN:
        message = f"{what} seems to be in {name_of(language)}; the reader knows English only"
        warnings.warn(message, LanguageWarning, stacklevel=4)


def language_of(sentences: Sequence[str]) -> str | None:
    """Return the ISO 639-1 code of the language, or None if it is unclear."""
    letters = ""
    for word in (match[0] for sentence in sentences for match in _WORD.finditer(sentence)):
        letters += f"{word} "
        if len(letters) >= _MAX_LETTERS:
            break
    if len(letters) < _MIN_LETTERS:
        return None
    # The most common words often settle it, without the slow identifier.
    words = letters.lower().split()
    common = sum(word in ("the", "of", "and", "to", "was", "is", "that", "with") for word in words)
    if common * 12 >= len(words):
        return KNOWN
    code, sure = _identifier().classify(letters.lower())
    return str(code) if sure >= _SURE else None


def name_of(code: str) -> str:
    """Return the English name of a language."""
    file = resources.files(__package__).joinpath("data/languages.json")
    names: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return names.get(code, f"another language ({code})")


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # slow to load, rarely needed

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
