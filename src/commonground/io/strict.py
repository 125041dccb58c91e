"""JSON as its standard has it: no NaN, no infinity, no half of a surrogate pair.

Python's reader accepts them, but what they become cannot be written or shown again.
"""

import json
import re
from typing import Any, Final

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
    value = json.loads(text)
    if _SUSPECT.search(text):
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half of a surrogate pair is not a character") from None
        except ValueError:
            raise ValueError("NaN and infinite numbers are not allowed") from None
    return value
