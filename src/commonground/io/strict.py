"""JSON as its standard has it: no NaN, no infinity, no half of a surrogate pair.

Python's reader accepts them, but what they become cannot be written or shown again.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io.files import read_text

# Only a text with one of these can hold such a value.
_SUSPECT: Final = re.compile(r"\\u[dD]|[\ud800-\udfff]|NaN|Infinity|[eE]\+?\d{3}|\d{300}")


def strict_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is not JSON, or has a value that standard JSON does not allow.
        RecursionError: It is nested too deeply.

    Example:
        >>> strict_json('{"a": [1.5, "x"]}')
        {'a': [1.5, 'x']}
        >>> strict_json("[1e999]")
        Traceback (most recent call last):
        ValueError: NaN and infinite numbers are not allowed
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    is_suspect = _SUSPECT.search(text) is not None
    value = json.loads(text, parse_int=_integer if is_suspect else None)
    if is_suspect:
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half of a surrogate pair is not a character") from None
        except ValueError:
            raise ValueError("NaN and infinite numbers are not allowed") from None
    return value


def _integer(digits: str) -> int:
    """Return a whole number that is also a number to a program that computes with floats."""
    value = int(digits)
    try:
        float(value)
    except OverflowError:
        raise ValueError("numbers of more than 308 digits are not allowed") from None
    return value


def read_json(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        InputError: With the file, and the line if that is known.
    """
    content = read_text(path)
    try:
        return strict_json(content)
    except json.JSONDecodeError as error:
        what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise InputError(f"{path}, line {error.lineno}: is not JSON ({what})") from None
    except RecursionError:
        raise InputError(f"{path}: is JSON nested too deeply") from None
    except ValueError as error:  # such as NaN, or a number with too many digits for Python
        raise InputError(f"{path}: is not JSON ({error})") from None
