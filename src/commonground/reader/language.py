"""A warning for text in a language that the reader was not trained on."""

import json
import re
import warnings
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

KNOWN = "en"

_MAX_LETTERS = 400  # enough to identify a language
_MIN_LETTERS = 60  # shorter texts are not classified
_SURE = 0.9
_WORD = re.compile(r"[^\W\d_]{2,}")


def warn_unless_english(sentences: Sequence[str], what: str = "this text") -> None:
    """Warn if a text is in another language; Python shows the same warning only once."""
    language = language_of(sentences)
    if language is not None and language != KNOWN:
        message = f"{what} seems to be in {name_of(language)}; the reader knows English only"
        warnings.warn(message, stacklevel=4)


def language_of(sentences: Sequence[str]) -> str | None:
    """Return the ISO 639-1 code of the language, or None if it is unclear."""
    letters = ""
    for sentence in sentences:
        letters += " ".join(_WORD.findall(sentence)) + " "
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
