"""Quotations: a quote is told together with who says it, or not at all."""

from collections.abc import Sequence

from commonground.narratives.statements.tree import Tree

_LONGEST = 6  # sentences; a quotation that runs on for longer was never closed
_MARKS = '"“”'
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_MOST = 0.5  # of the words of a sentence may be quoted where nobody is said to speak


def open_quotes(sentences: Sequence[str]) -> list[bool]:
    """Whether each sentence of a narrative stands in a quotation that begins or ends elsewhere."""
    found, depth, since = [], 0, 0
    for sentence in sentences:
        before = depth
        for letter in sentence:
            if letter == '"':
                depth = 0 if depth else 1
            elif letter in "“”":
                depth = int(letter == "“")
        since = since + 1 if depth and before else 0
        if since > _LONGEST:
            before = depth = since = 0
        found.append(bool(before or depth))
    return found


def balanced(text: str) -> bool:
    """Whether all quotation marks and brackets of a text are closed in it."""
    pairs = (("“", "”"), ("(", ")"), ("[", "]"))
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)


def has_speaker(tree: Tree) -> bool:
    """Whether a sentence that is mostly a quotation says who speaks."""
    inside, quoted = False, []
    for text in tree.texts:
        if text in _MARKS or text in ("``", "''"):
            inside = not inside
        quoted.append(inside)
    if sum(quoted) <= _MOST * len(tree):
        return True
    return any(
        tree.deps[n] in _SUBJECTS and not quoted[n] and tree.tags[n] not in ("WDT", "WP")
        for n in range(len(tree))
    )
