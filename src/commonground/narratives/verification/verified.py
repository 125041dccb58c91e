"""The result of checking a summary against sources."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from commonground.frames import HasRows
from commonground.io import Narrative, whole_file
from commonground.narratives.result import Passage
from commonground.plain import Plain, to_plain
from commonground.reader import Label
from commonground.report import verified_page
from commonground.score import Citable, Signature

Mode: TypeAlias = Literal["drop", "flag"]
MODES: Final[tuple[str, ...]] = get_args(Mode)

SUPPORTED: Final = 0.5
"""Minimum support for a word to count as stated."""


@dataclass(frozen=True, slots=True)
class CheckedWord(Plain):
    """A word of the summary and the sources that state it.

    Attributes:
        text: The word as in the summary, at `start` to `end`.
        support: The probability that enough sources state it; None for a word that asserts
            nothing, as in "Both articles mention that".
        sources: The indices of the sources that state it.
    """

    also = ("supported",)

    text: str
    start: int
    end: int
    support: float | None
    sources: tuple[int, ...]

    @property
    def supported(self) -> bool:
        """Whether enough sources state it; true for a word that asserts nothing."""
        return self.support is None or self.support >= SUPPORTED


@dataclass(frozen=True, slots=True)
class Checked(Plain):
    """A sentence of a summary and its support.

    Attributes:
        text: The sentence as in the summary, at `start` to `end`.
        claim: The sentence without markup, without a frame such as "Both articles mention that",
            and without optional parts that the sources do not state.
        cut: These parts.
        words: Its words with their support.
        label: The combined label over all sources.
        evidence: The nearest passage of each source that has words, in their order.
        probability: The probability that enough sources state the whole claim.
        supported: Whether the claim counts as stated.
        reason: Why it is not supported, or None.
    """

    also = ("support",)

    text: str
    start: int
    end: int
    claim: str
    cut: tuple[str, ...]
    words: tuple[CheckedWord, ...]
    label: Label
    evidence: tuple[Passage, ...]
    probability: float
    supported: bool
    reason: str | None

    @property
    def support(self) -> float:
        """The share of its words that enough sources state."""
        asserting = [word for word in self.words if word.support is not None]
        return sum(word.supported for word in asserting) / max(1, len(asserting))


@dataclass(frozen=True, slots=True, repr=False)
class Verified(HasRows, Citable):
    """A summary checked word by word against its sources.

    Attributes:
        text: The original summary.
        narratives: The sources in the caller's order.
        sentences: All sentences of the summary, in order.
        mode: "drop" or "flag".
        signature: Everything the result depends on.
    """

    text: str
    narratives: tuple[Narrative, ...]
    sentences: tuple[Checked, ...]
    mode: Mode
    signature: Signature
    frame_columns = ("text", "claim", "label", "probability", "support", "supported", "reason")

    @property
    def summary(self) -> str:
        """The supported claims; with "flag", the original summary."""
        if self.mode == "flag":
            return self.text
        return " ".join(_ended(sentence.claim) for sentence in self.sentences if sentence.supported)

    @property
    def marked(self) -> str:
        """The summary; with "flag", unsupported sentences are in brackets."""
        if self.mode != "flag":
            return self.summary
        marked, end = "", 0
        for sentence in self.dropped:
            mark = "contradicted" if sentence.label == "contradicted" else "unsupported"
            marked += f"{self.text[end : sentence.start]}[{mark}: {sentence.text}]"
            end = sentence.end
        return marked + self.text[end:]

    @property
    def dropped(self) -> tuple[Checked, ...]:
        """The unsupported sentences, each with its reason."""
        return tuple(s for s in self.sentences if not s.supported)

    @property
    def contradicted(self) -> tuple[Checked, ...]:
        """The sentences that some source contradicts."""
        return tuple(s for s in self.sentences if s.label == "contradicted")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "text": self.text,
            "summary": self.summary,
            "sentences": to_plain(self.sentences),
            "dropped": [{"text": s.text, "reason": s.reason} for s in self.dropped],
            "contradicted": [s.text for s in self.contradicted],
            "mode": self.mode,
            "narratives": to_plain(self.narratives),
            "signature": str(self.signature),
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each sentence."""
        return [{name: getattr(one, name) for name in self.frame_columns} for one in self.sentences]

    def to_html(self, path: str | Path) -> None:
        """Write a self-contained page that marks every unsupported word."""
        with whole_file(Path(path)) as stream:
            stream.write(verified_page(self.to_dict()))

    def _repr_html_(self) -> str:
        # In a frame, so that the notebook's styles do not apply.
        page = escape(verified_page(self.to_dict()), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="500" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return (
            f"Verified(sentences={len(self.sentences)}, dropped={len(self.dropped)}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        lines = [
            f"+ {' '.join(s.claim.split())}"
            if s.supported
            else f"- {' '.join(s.text.split())} [{s.reason}]"
            for s in self.sentences
        ]
        return "\n".join(lines) or "The summary has no sentences."


def _ended(text: str) -> str:
    """End a heading or a list item with a full stop, or the next sentence would run into it."""
    kept = text.rstrip().rstrip(":;,")
    return kept if kept[-1:] in tuple(".!?…。！？\"'”’»)]") else f"{kept}."
