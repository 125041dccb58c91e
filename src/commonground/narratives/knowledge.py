"""Background knowledge: statements that two wordings mean the same.

A statement is a line such as "The Gray Lady is the New York Times", "AP = Associated Press" or
"Ms. Arden, also known as the Governor". Only statements that equate two names bridge wordings;
other lines are listed as unused.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from commonground.text.values import same_name

_BRIDGES = re.compile(
    r"\s*(?:=|:|,?\s+(?:is|are)\s+(?:also\s+)?(?:known\s+as|called|named|short\s+for)"
    r"|,?\s+(?:also\s+)?(?:known\s+as|called|named)|,?\s+(?:a\.?k\.?a\.?|means|stands\s+for"
    r"|refers\s+to))\s+",
    re.IGNORECASE,
)
# "Is" equates two names only before a name or "the", not in "Smith is dead".
_IS = re.compile(r"\s+(?:is|are)\s+(?=the\s|[A-Z])")
_PRONOUN = re.compile(r"(?:it|he|she|they|this|that|these|those|there|we|you|i)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an|a)\s+", re.IGNORECASE)
_LONGEST = 8  # words of one side; a longer side is a claim, not a name or a definition


@dataclass(frozen=True, slots=True)
class Bridge:
    """Two wordings that mean the same, and the statement that says so."""

    one: str
    other: str
    statement: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Background knowledge.

    Attributes:
        bridges: The statements that bridge wordings.
        unused: The lines that do not.
    """

    bridges: tuple[Bridge, ...]
    unused: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Knowledge":
        """Parse knowledge, one statement per line; empty lines and # comments are skipped.

        Example:
            >>> (bridge,) = Knowledge.of("The Gray Lady is the New York Times.").bridges
            >>> bridge.one, bridge.other
            ('Gray Lady', 'New York Times')
        """
        lines = [line for line in map(str.strip, text.splitlines()) if line and line[0] != "#"]
        bridges = {bridge for line in lines if (bridge := _bridge(line))}
        unused = tuple(line for line in lines if not _bridge(line))
        return cls(tuple(sorted(bridges, key=lambda bridge: bridge.statement)), unused)

    @property
    def fingerprint(self) -> str:
        """The first eight digits of the sha256 of the bridges, for signatures."""
        pairs = "\n".join(sorted(f"{bridge.one} = {bridge.other}" for bridge in self.bridges))
        return sha256(pairs.encode()).hexdigest()[:8]

    def rewordings(self, text: str) -> list[tuple[str, str]]:
        """Return the text with wordings replaced, each with the statement that allows it."""
        result = []
        for bridge in self.bridges:
            for old, new in ((bridge.one, bridge.other), (bridge.other, bridge.one)):
                pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
                reworded = new.join(pattern.split(text))
                if reworded != text and new.lower() not in text.lower():
                    result.append((reworded, bridge.statement))
        return result

    def bridged(self, one: str, other: str) -> bool:
        """Say whether the knowledge equates two names.

        Example:
            >>> Knowledge.of("Bombay = Mumbai").bridged("Mumbai", "Bombay")
            True
        """
        return any(same_name(name, other) for name, _ in self.rewordings(one))


def _bridge(line: str) -> Bridge | None:
    plain = line.rstrip(" .")
    halves = _BRIDGES.split(plain, maxsplit=1)
    if len(halves) != 2:
        halves = _IS.split(plain, maxsplit=1)
    if len(halves) != 2 or any(_PRONOUN.match(half.strip(" \"'“”,.")) for half in halves):
        return None
    one, other = (_ARTICLE.sub("", half.strip(" \"'“”,.")) for half in halves)
    longest = max(len(one.split()), len(other.split()))
    if not one or not other or one.lower() == other.lower() or longest > _LONGEST:
        return None
    return Bridge(one, other, line)
