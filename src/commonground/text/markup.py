"""Remove terminal control characters, HTML tags and Markdown marks from text."""

import re
from collections.abc import Iterator
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
    rf"""<(?P<unseen>script|style)\b[^<>]*>
    | (?P<comment><!--)
    | <!doctype[^<>]*>
    | </?(?P<block>{_BLOCKS})(?:\s[^<>]*)?/?>
    | </?(?:{_INLINE})(?:\s[^<>]*)?/?>""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ENDS = {
    "<!--": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}
# An entity inside a word stays: a blank would split the word.
_ENTITY = re.compile(r"&(?:\w{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});(?!\w)|(?<!\w)&\w{2,8};", re.I)
_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\s]*\)")
_LINK = re.compile(r"(?<!\w)\[(?P<kept>[^\[\]\n]+)\]\([^()\s]*\)")
_EMPHASIS = re.compile(
    r"(?<![\w*_])(?P<mark>\*\*\*|\*\*|\*|__|_|`)(?P<kept>(?=\S)[^*_`\n]+(?<=\S))(?P=mark)(?![\w*_])"
)
_QUOTED_LINE = re.compile(r"^ {0,3}> ?", re.MULTILINE)
# Whole escape sequences first, then the remaining control characters.
_COMMANDS = re.compile(
    r"\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    r"""Remove escape sequences, control characters and outer blanks; keep line breaks.

    Example:
        >>> plain("\x1b[31mThe dam broke.\x1b[0m\r\n")
        'The dam broke.'
    """
    lines = _COMMANDS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", lines).strip()


def unmarked(text: str) -> str:
    """Return a copy of the same length with blanks for tags and marks, and entities replaced.

    Example:
        >>> unmarked("<p>The <b>old</b> bridge</p>").split()
        ['The', 'old', 'bridge']
    """
    if "<" in text:
        text = "".join(_without_tags(text))
    if "&" in text:
        text = _ENTITY.sub(_sign, text)
    text = _IMAGE.sub(_gap, text)
    for pattern in (_LINK, _EMPHASIS):
        text = pattern.sub(_inside, text)
    return _QUOTED_LINE.sub(_gap, text)


def _without_tags(text: str) -> Iterator[str]:
    """Yield the text in pieces, with blanks for tags, comments, scripts and styles.

    The end of a comment or script is searched for only until it is missing once: one pattern for
    the whole of it would search the rest of the text again and again.
    """
    place, unended = 0, set[str]()
    while match := _TAGS.search(text, place):
        yield text[place : match.start()]
        kind = (match["unseen"] or match["comment"] or "").lower()
        end = _ENDS[kind].search(text, match.end()) if kind and kind not in unended else None
        place = end.end() if end else match.end()
        if kind and not end:
            unended.add(kind)
            yield match[0]
        elif match["block"]:
            yield "\n" + " " * (place - match.start() - 2) + "\n"
        else:
            yield _blanks(text[match.start() : place])
    yield text[place:]


def _gap(match: re.Match[str]) -> str:
    return _blanks(match[0])


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _sign(match: re.Match[str]) -> str:
    sign = unescape(match[0])
    return sign.ljust(len(match[0])) if len(sign) == 1 else match[0]


def _inside(match: re.Match[str]) -> str:
    before = match.start("kept") - match.start()
    return (" " * before + match["kept"]).ljust(len(match[0]))
