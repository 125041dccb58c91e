"""Read documents from disk."""

import gzip
import zlib
from pathlib import Path

from commonground.documents.formats import extract
from commonground.documents.limits import MAX_BYTES
from commonground.documents.result import Extracted
from commonground.errors import InputError
from commonground.io import reason


def read_document(path: Path) -> Extracted:
    """Return the text of a file, or of a `.gz` of one; errors are one line with its path.

    Raises:
        InputError: The file is missing, of another type, damaged, locked, too large or empty.
        MissingExtraError: PDF and DOCX files need the extra `[documents]`.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {reason(error)}") from None
    try:
        return extract(content, path.name.removesuffix(".gz"))
    except InputError as error:
        raise InputError(f"{path}: {error}".rstrip(".")) from None
