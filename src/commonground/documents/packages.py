"""The libraries of the extra `[documents]`, and the errors of parsers."""

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from commonground.errors import CommongroundError, InputError, MissingExtraError


def library(name: str) -> Any:
    """Import a library of the extra `[documents]`."""
    try:
        return import_module(name)
    except ImportError:
        what = {"docx": "DOCX", "pypdf": "PDF"}[name]
        raise MissingExtraError(f"Reading {what} files", "documents") from None


@contextlib.contextmanager
def parsing(kind: str) -> Iterator[None]:
    """Turn any error of a parser into one that says what is damaged."""
    try:
        yield
    except (CommongroundError, MemoryError):
        raise
    except Exception as error:  # parsers raise all kinds for malformed files
        raise InputError(f"is a damaged {kind} file ({type(error).__name__}).") from None
