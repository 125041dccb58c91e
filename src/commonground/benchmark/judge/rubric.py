"""A rubric: what a language model is asked to judge, and which answers count."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from commonground.errors import InputError
from commonground.io import read_text

_CRITERION: Final = re.compile(r"criterion\s+([\w-]+)\s+(\d+)\s*-\s*(\d+)")
_PARTS: Final = ("{summary}", "{references}", "{narratives}")


@dataclass(frozen=True, slots=True)
class Rubric:
    """Criteria with their lowest and highest score, and the text that asks for them."""

    criteria: Mapping[str, tuple[int, int]]
    text: str

    @classmethod
    def read(cls, path: str | Path) -> "Rubric":
        """Read a rubric file: lines `criterion NAME LOW-HIGH`, a line `---`, and the text."""
        head, rule, text = read_text(Path(path)).partition("\n---\n")
        if not rule:
            raise InputError(f"{path}: has no line --- between the criteria and the text")
        criteria = {}
        for number, line in enumerate(head.splitlines(), start=1):
            if not line.strip():
                continue
            match = _CRITERION.fullmatch(line.strip())
            if not match or int(match[2]) >= int(match[3]):
                raise InputError(f"{path}, line {number}: must be `criterion NAME LOW-HIGH`")
            criteria[match[1]] = (int(match[2]), int(match[3]))
        if not criteria:
            raise InputError(f"{path}: has no criteria")
        if "{summary}" not in text:
            raise InputError(f"{path}: the text must contain {{summary}}")
        return cls(criteria, text.strip())

    @property
    def shown(self) -> str:
        """The rubric in signatures: eight digits."""
        content = json.dumps([list(self.criteria.items()), self.text])
        return hashlib.sha256(content.encode()).hexdigest()[:8]

    def needs(self, part: str) -> bool:
        """Return whether the text shows `references` or `narratives`."""
        return f"{{{part}}}" in self.text

    def conversation(
        self, summary: str, references: Sequence[str], narratives: Sequence[str]
    ) -> list[dict[str, str]]:
        """Return the messages that ask for scores of one summary."""
        filled = {
            "{summary}": summary,
            "{references}": "\n\n".join(references),
            "{narratives}": "\n\n".join(narratives),
        }
        # In one pass, so that a text with such a mark in it stays as it is.
        pattern = "|".join(map(re.escape, _PARTS))
        asked = re.sub(pattern, lambda mark: filled[mark[0]], self.text)
        ranges = ", ".join(
            f'"{name}" ({low}-{high})' for name, (low, high) in self.criteria.items()
        )
        form = f"Answer with one JSON object and nothing else, with whole numbers for: {ranges}."
        return [{"role": "user", "content": f"{asked}\n\n{form}"}]

    def parse(self, answer: str) -> dict[str, int] | None:
        """Return the scores in an answer; None unless it is exactly what was asked for.

        Example:
            >>> rubric = Rubric({"focus": (1, 5)}, "{summary}")
            >>> rubric.parse('{"focus": 4}'), rubric.parse('{"focus": 6}'), rubric.parse("4")
            ({'focus': 4}, None, None)
        """
        try:
            values = json.loads(answer)
        except (ValueError, RecursionError):
            return None
        if not isinstance(values, dict) or set(values) != set(self.criteria):
            return None
        for name, (low, high) in self.criteria.items():
            value = values[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                return None
        return values
