"""Pages and links as browsers save them: MHTML, web archives, `.url` and `.webloc` files."""

import contextlib
import email
import email.policy
import plistlib
import re
from typing import Any, Final

from commonground.documents.encoding import decode
from commonground.documents.html import declared_charset
from commonground.documents.packages import parsing
from commonground.errors import InputError

_START: Final = 2048
_MHTML: Final = re.compile(
    rb"\A(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?content-type:\s*multipart/related", re.I
)
_SHORTCUT: Final = re.compile(
    rb"""\A(?:\xef\xbb\xbf)?
    (?:\s*\[[^\n]*\n(?:\w+=[^\n]*\n)*)??  # another section may come first
    \s*\[(?:InternetShortcut|Desktop[ ]Entry)\].*?^URL(?:\[\$e\])?=\s*(\S+)""",
    re.I | re.S | re.M | re.X,
)
_LINK: Final = re.compile(r"\s*(https?://[^\s<>\"]+)\s*")


def is_link(text: str) -> str | None:
    r"""Return the address if a text is a link and nothing else.

    Example:
        >>> is_link(" https://example.org/ferry \n")
        'https://example.org/ferry'
        >>> is_link("See https://example.org/ferry") is None
        True
    """
    found = _LINK.fullmatch(text)
    return found[1] if found else None


def saved_page(content: bytes) -> str | None:
    """Return the HTML inside a page that a browser saved as one file, or None for another file.

    Raises:
        InputError: The file holds only a link, or no page.
    """
    if link := _SHORTCUT.match(content[:_START]):
        raise only_a_link(link[1].decode("utf-8", "replace"))
    if content.startswith(b"bplist00") or b"<!DOCTYPE plist" in content[:_START]:
        return _of_property_list(content)
    if _MHTML.match(content[:_START].replace(b"\r\n", b"\n")):
        return _of_mhtml(content)
    return None


def only_a_link(address: str) -> InputError:
    """Return the error for a file or text that is a link; we never open one."""
    shown = address if len(address) <= 100 else f"{address[:99]}…"
    return InputError(
        f"is only a link ({shown}). Open it in a browser, then save the page as HTML or copy its "
        "text."
    )


def _of_mhtml(content: bytes) -> str:
    with parsing("MHTML"):
        message = email.message_from_bytes(content, policy=email.policy.default)
        for part in message.walk():
            if part.get_content_type() in ("text/html", "application/xhtml+xml"):
                page = part.get_payload(decode=True)
                if isinstance(page, bytes):
                    return decode(page, part.get_content_charset() or declared_charset(page))
    raise InputError("is a saved page without HTML.")


def _of_property_list(content: bytes) -> str:
    values: Any = None
    with contextlib.suppress(Exception):  # the parser raises all kinds for malformed files
        values = plistlib.loads(content)
    values = values if isinstance(values, dict) else {}
    if isinstance(values.get("URL"), str):
        raise only_a_link(values["URL"])
    main = values.get("WebMainResource")
    page = main.get("WebResourceData") if isinstance(main, dict) else None
    if not isinstance(page, bytes):
        raise InputError("is a property list without a page.")
    return decode(page, str(main.get("WebResourceTextEncodingName") or declared_charset(page)))
