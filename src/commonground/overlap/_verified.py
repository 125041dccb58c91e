"""A summary checked against narratives, as a result."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from commonground._score import Signature
from commonground.io import Narrative
from commonground.overlap._result import Passage

Mode: TypeAlias = Literal["drop", "flag"]
MODES: Final[tuple[str, ...]] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Checked:
    """One sentence of a summary and what speaks for it.

    Attributes:
        text: As it stands in the summary, at `start` to `end`.
        claim: What it says of the event: without markup, without a frame such as "Both articles
            mention that", and without loose parts that some narrative does not support.
        cut: These parts.
        evidence: For each narrative, in their order, the passage that comes nearest to stating
            it; none from a narrative without words.
        support: How much speaks for it in the narrative that has least, about 0 to 1: how near
            a passage comes to it, raised or lowered by the evidence that it is stated.
        probability: That the least sure of the narratives states it.
        supported: Whether every narrative is held to state it.
        reason: Why not, in a few words; None where it is supported.
    """

    text: str
    start: int
    end: int
    claim: str
    cut: tuple[str, ...]
    evidence: tuple[Passage, ...]
    support: float
    probability: float
    supported: bool
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "claim": self.claim,
            "cut": list(self.cut),
            "evidence": [passage.to_dict() for passage in self.evidence],
            "support": self.support,
            "probability": self.probability,
            "supported": self.supported,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Verified:
    """A summary of which every sentence has been looked for in every narrative.

    Attributes:
        text: The summary as it was given.
        narratives: As they were given.
        sentences: All sentences of the summary, in order.
        mode: "drop" or "flag".
        signature: All that the result depends on.
    """

    text: str
    narratives: tuple[Narrative, ...]
    sentences: tuple[Checked, ...]
    mode: Mode
    signature: Signature

    @property
    def summary(self) -> str:
        """What is left: the claims that are supported; with "flag", the summary as it was."""
        if self.mode == "flag":
            return self.text
        return " ".join(_ended(one.claim) for one in self.sentences if one.supported)

    @property
    def marked(self) -> str:
        """What is left, to be read: with "flag", what is unsupported stands in brackets."""
        if self.mode != "flag":
            return self.summary
        found, end = "", 0
        for one in self.dropped:
            found += f"{self.text[end : one.start]}[unsupported: {one.text}]"
            end = one.end
        return found + self.text[end:]

    @property
    def dropped(self) -> tuple[Checked, ...]:
        """The sentences that are not supported, each with its reason."""
        return tuple(one for one in self.sentences if not one.supported)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "summary": self.summary,
            "sentences": [one.to_dict() for one in self.sentences],
            "dropped": [{"text": one.text, "reason": one.reason} for one in self.dropped],
            "mode": self.mode,
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return (
            f"Verified(sentences={len(self.sentences)}, dropped={len(self.dropped)}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        lines = [f"{'+' if one.supported else '-'} {_flat(one)}" for one in self.sentences]
        return "\n".join(lines) or "The summary has no sentences."


def _flat(one: Checked) -> str:
    words = " ".join((one.claim if one.supported else one.text).split())
    return words if one.supported else f"{words} [{one.reason}]"


def _ended(text: str) -> str:
    """With a full stop where a heading or a list item has none, or the next would run into it."""
    kept = text.rstrip().rstrip(":;,")
    return kept if kept[-1:] in tuple(".!?…。！？\"'”’»)]") else f"{kept}."
