"""The texts that a command's files hold: text, Markdown, HTML, PDF and DOCX."""

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from commonground.cli.terminal import note
from commonground.documents import Extracted, read_document
from commonground.errors import InputError
from commonground.io import Narrative
from commonground.text import LanguageWarning, language_notices


def read_narratives(paths: Sequence[Path]) -> list[Narrative]:
    """Read a narrative from each file, named by its title if it has one of its own."""
    found = [_read(path) for path in paths]
    titles = Counter(document.title for document in found)
    narratives = [
        Narrative(
            document.title if titles[document.title] == 1 and document.title else name,
            document.text,
        )
        for name, document in zip(names(paths), found, strict=True)
    ]
    note_languages((narrative.source, narrative.text) for narrative in narratives)
    return narratives


def read_texts(paths: Sequence[Path], *, may_be_empty: bool = False) -> list[str]:
    """Return the texts of files."""
    texts = [_read(path, may_be_empty).text for path in paths]
    note_languages(zip(names(paths), texts, strict=True))
    return texts


def note_languages(texts: Iterable[tuple[str, str]]) -> None:
    """Print a line for each named text in a language that the models do not know."""
    for notice in language_notices(texts):
        note(f"warning: {notice.message}")
    warnings.simplefilter("ignore", LanguageWarning)  # the same, without the name of the text


def _read(path: Path, may_be_empty: bool = False) -> Extracted:
    """Return the content of a file; raise InputError if it has no word.

    An empty file is a failed download or the wrong file: what it "has in common" would look like
    a finding.
    """
    if may_be_empty and path.is_file() and not path.read_bytes().strip():
        return Extracted("", "", "text")
    document = read_document(path)
    document = replace(document, text=document.text.rstrip("\n"))
    if not may_be_empty and not any(map(str.isalnum, document.text)):
        raise InputError(f"{path}: has no text")
    return document


def names(paths: Sequence[Path]) -> list[str]:
    """Return the file names, with as many parent folders as make them unique.

    Example:
        >>> names([Path("x/monday/a.txt"), Path("x/friday/a.txt"), Path("x/friday/b.txt")])
        ['monday/a.txt', 'friday/a.txt', 'b.txt']
    """
    return [_name(path, paths) for path in paths]


def _name(path: Path, paths: Sequence[Path]) -> str:
    depth = 1
    others = {other.parts for other in paths if other != path}
    while depth < len(path.parts) and path.parts[-depth:] in {p[-depth:] for p in others}:
        depth += 1
    return Path(*path.parts[-depth:]).as_posix()
