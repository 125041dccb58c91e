"""Brackets that keep the sentences inside them together."""

import re

_BRACKET = re.compile(r"[()\[\]{}（）［］【】]")
_OPENING = {")": "(", "]": "[", "}": "{", "）": "（", "］": "［", "】": "【"}
# A bracket counts only where it closes within so many characters, so that one which never does
# cannot swallow the text.
_REACH = 300


class Brackets:
    """The outermost bracketed stretches of a block, asked about from left to right."""

    def __init__(self, block: str) -> None:
        self._stretches = _stretches(block)
        self._next = 0

    def shelter(self, start: int, end: int) -> bool:
        """Say whether the terminator at `start:end`, its closing marks included, is inside one.

        One at the end of a bracket ("(It is old.)") reaches beyond it and is not.
        """
        while self._next < len(self._stretches) and self._stretches[self._next][1] < start:
            self._next += 1
        if self._next == len(self._stretches):
            return False
        opened, closed = self._stretches[self._next]
        return opened < start and end <= closed


def _stretches(block: str) -> list[tuple[int, int]]:
    pending: dict[str, list[int]] = {opening: [] for opening in _OPENING.values()}
    found: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(block):
        opening = _OPENING.get(match.group())
        if opening is None:
            pending[match.group()].append(match.start())
        elif pending[opening]:
            opened = pending[opening].pop()
            if match.start() - opened <= _REACH:
                while found and found[-1][0] > opened:
                    found.pop()
                found.append((opened, match.start()))
    return found
