"""Blank out HTML tags and Markdown marks; offsets stay the same."""

import re
from html import unescape

_BLOCKS = (
    "address|article|aside|blockquote|body|br|caption|dd|div|dl|dt|figcaption|figure|footer|form"
    "|h[1-6]|head|header|hr|html|li|link|main|meta|nav|ol|p|pre|section|table|tbody|td|tfoot|th"
    "|thead|title|tr|ul"
)
_INLINE = (
    "a|abbr|b|button|cite|code|del|em|font|i|iframe|img|input|ins|label|mark|q|s|small|span"
    "|strike|strong|sub|sup|svg|time|u|video"
)
_TAGS = re.compile(
    rf"""<(?P<unseen>script|style)\b[^<>]*>.*?</(?P=unseen)\s*>
    | <!--.*?-->
    | <!doctype[^<>]*>
    | </?(?P<block>{_BLOCKS})(?:\s[^<>]*)?/?>
    | </?(?:{_INLINE})(?:\s[^<>]*)?/?>""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
# An entity inside a word stays: a blank would split the word.
_ENTITY = re.compile(r"&(?:\w{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});(?!\w)|(?<!\w)&\w{2,8};", re.I)
_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\s]*\)")
_LINK = re.compile(r"(?<!\w)\[(?P<kept>[^\[\]\n]+)\]\([^()\s]*\)")
_EMPHASIS = re.compile(
    r"(?<![\w*_])(?P<mark>\*\*\*|\*\*|\*|__|_|`)(?P<kept>(?=\S)[^*_`\n]+(?<=\S))(?P=mark)(?![\w*_])"
)
_QUOTED_LINE = re.compile(r"^ {0,3}> ?", re.MULTILINE)


def unmarked(text: str) -> str:
    """Return a copy of the same length without tags and marks, with entities replaced.

    Example:
        >>> unmarked("<p>The <b>old</b> bridge</p>").split()
        ['The', 'old', 'bridge']
    """
    if "<" in text:
        text = _TAGS.sub(_gap, text)
    if "&" in text:
        text = _ENTITY.sub(_sign, text)
    text = _IMAGE.sub(_gap, text)
    for pattern in (_LINK, _EMPHASIS):
        text = pattern.sub(_inside, text)
    return _QUOTED_LINE.sub(_gap, text)


def _gap(match: re.Match[str]) -> str:
    """Return blanks; for the tag of a block, with a blank line among them."""
    length = len(match[0])
    if match.groupdict().get("block"):
        return "\n" + " " * (length - 2) + "\n"
    return re.sub(r"[^\n]", " ", match[0])


def _sign(match: re.Match[str]) -> str:
    sign = unescape(match[0])
    return sign.ljust(len(match[0])) if len(sign) == 1 else match[0]


def _inside(match: re.Match[str]) -> str:
    before = match.start("kept") - match.start()
    return (" " * before + match["kept"]).ljust(len(match[0]))
