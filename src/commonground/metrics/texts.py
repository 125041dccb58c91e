"""The input of metrics: texts, references and corpora, checked before any work is done.

A text is a `str` or a list of sentences; `references` is always a list of texts. Checked texts
are hashable, so that equal references can be prepared once.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TypeAlias

from commonground.errors import InputError

Text: TypeAlias = str | Sequence[str]
CheckedText: TypeAlias = str | tuple[str, ...]
CheckedReferences: TypeAlias = tuple[CheckedText, ...]
CheckedPair: TypeAlias = tuple[CheckedText, CheckedReferences]

# For each system its predictions and the references of each prediction.
Corpora: TypeAlias = Mapping[str, tuple[Sequence[Text], Sequence[Sequence[Text]]]]


def check_text(text: object, where: str = "prediction") -> CheckedText:
    """Return the text as a `str` or a tuple of sentences; `where` is its name in errors."""
    if isinstance(text, str):
        return text
    if not isinstance(text, list | tuple):
        raise InputError(f"{where} must be a string or a list of sentences, got {_kind(text)}")
    for index, sentence in enumerate(text):
        if not isinstance(sentence, str):
            raise InputError(f"{where}[{index}] must be a string, got {_kind(sentence)}")
    return tuple(text)


def check_references(references: object, where: str = "references") -> CheckedReferences:
    """Return the references of one item: at least one, and not a bare string.

    A bare string would pass as a list of one-letter references and score near 0.
    """
    texts = _as_list(references, where, "texts", "[text]")
    if not texts:
        raise InputError(f"{where} is empty; give at least one reference")
    return tuple(check_text(text, f"{where}[{index}]") for index, text in enumerate(texts))


def check_corpus(predictions: object, references: object) -> list[CheckedPair]:
    """Return each prediction with its references; at least one item, and equal numbers."""
    outputs = _as_list(predictions, "predictions", "texts", "[text]")
    targets = _as_list(references, "references", "reference lists, one an item", "[[text]]")
    if len(outputs) != len(targets):
        raise InputError(
            f"{len(outputs)} predictions do not fit {len(targets)} lists of references; "
            "give one list of references for each prediction"
        )
    if not outputs:
        raise InputError("the corpus is empty; give at least one prediction with its references")
    return [
        (check_text(output, f"predictions[{i}]"), check_references(target, f"references[{i}]"))
        for i, (output, target) in enumerate(zip(outputs, targets, strict=True))
    ]


def one_line(text: CheckedText) -> str:
    """Return a text as one line, for metrics that do not see sentences."""
    return " ".join((text if isinstance(text, str) else " ".join(text)).split())


def split_used(prediction: Text, references: Sequence[Text], ours: str) -> str:
    """Return who split the sentences, for a signature: `ours`, the caller ("given"), or both.

    Example:
        >>> split_used("One text.", [("Its", "sentences")], "lines")
        'lines/given'
    """
    kinds = {ours if isinstance(text, str) else "given" for text in (prediction, *references)}
    return "/".join(sorted(kinds, reverse=True))


def _as_list(values: object, where: str, of_what: str, remedy: str) -> list[object]:
    """Accept any ordered iterable: list, tuple, array, data frame column."""
    if isinstance(values, str):
        raise InputError(f"{where} must be a list of {of_what}, got one string; write {remedy}")
    if not isinstance(values, Iterable) or isinstance(values, bytes | Mapping | Set):
        raise InputError(f"{where} must be a list of {of_what}, got {_kind(values)}")
    return list(values)


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__
