"""Summaries that a model wrote, verified: the results and what makes them."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.encoders import DEFAULT, TokenEncoder
from commonground.errors import unknown_name
from commonground.io import Narrative
from commonground.narratives.generators.writer import Tokens, Writer, Written, canonical
from commonground.narratives.texts import named_narratives
from commonground.narratives.verification.checker import Checker
from commonground.narratives.verification.checker import signature as signature_of_check
from commonground.narratives.verification.verified import MODES, Mode, Verified
from commonground.reader import Reader
from commonground.score import Signature

VERIFY = (*MODES, "off")


@dataclass(frozen=True, slots=True, repr=False)
class Generated:
    """A summary that a model wrote.

    Attributes:
        narratives: As they were given.
        generated: What the model wrote, without control characters and a last sentence that was
            cut off.
        verified: What became of it; None where verification was off.
        tokens: What the model read and wrote.
        warning: What the model did not see of the input, or that it was cut off; else None.
        signature: All that the result depends on.
    """

    narratives: tuple[Narrative, ...]
    generated: str
    verified: Verified | None
    tokens: Tokens
    warning: str | None
    signature: Signature

    @property
    def summary(self) -> str:
        """What is left after verification; all of it where verification flags or is off."""
        return self.generated if self.verified is None else self.verified.summary

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        checked = self.verified.sentences if self.verified else ()
        flagged = self.verified is not None and self.verified.mode == "flag"
        return {
            "summary": self.summary,
            "statements": [
                {
                    "text": one.text if flagged else one.claim,
                    "weight": len(self.narratives) if one.supported else None,
                    "probability": one.probability,
                    "supported": one.supported,
                    "evidence": [passage.to_dict() for passage in one.evidence],
                }
                for one in checked
                if one.supported or flagged
            ],
            "dropped": [
                {"text": one.text, "reason": one.reason} for one in checked if not one.supported
            ],
            "generated": self.generated,
            "warning": self.warning,
            "tokens": self.tokens.to_dict(),
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return f"Generated(summary={self.summary!r}, signature='{self.signature}')"

    def __str__(self) -> str:
        lines = [self._shown()]
        if self.verified and self.verified.dropped:
            kept = self.verified.mode == "flag"
            lines += ["", "Not supported:" if kept else "Dropped:"]
            lines += [
                f"- {' '.join(one.text.split())} [{one.reason}]" for one in self.verified.dropped
            ]
        return "\n".join([*lines, "", str(self.signature)])

    def _shown(self) -> str:
        """The summary with its marks, or why there is none."""
        if not self.generated:
            return "The model gave no summary."
        if self.verified is None:
            return self.generated
        return self.verified.marked or "Nothing that all narratives support."


class Generator:
    """A model that writes, and verification of what it wrote.

    Args:
        writer: The model: `Seq2Seq`, `Llm` or `Gguf`.
        verify: "drop" leaves unsupported sentences out, "flag" marks them, "off" looks at none.
        encoder: What verification stands on: a name, or an encoder with token vectors.
    """

    def __init__(
        self, writer: Writer, *, verify: str = "drop", encoder: str | TokenEncoder = DEFAULT
    ) -> None:
        if verify not in VERIFY:
            raise unknown_name("way to verify", verify, VERIFY)
        self._writer = writer
        self._verify = verify
        self._encoder = encoder

    def find(self, narratives: Sequence[str | Narrative]) -> Generated:
        """The overlap of two or more narratives, in any order, as the model sees it."""
        ((_, found),) = self.each([narratives])
        if found.warning:
            warnings.warn(found.warning, stacklevel=2)
        return found

    def each(self, events: Iterable[Sequence[str | Narrative]]) -> Iterator[tuple[int, Generated]]:
        """`find` for many events, each with its number, as they are done."""
        under_way: dict[int, tuple[Narrative, ...]] = {}

        def texts() -> Iterator[tuple[str, ...]]:
            for number, narratives in enumerate(events):
                under_way[number] = named_narratives(narratives)
                yield canonical([one.text for one in under_way[number]])

        for number, written in self._writer.write(texts()):
            yield number, self._checked(under_way.pop(number), written)

    def signature(self, narratives: int) -> Signature:
        """That of a summary of so many narratives."""
        settings = {**self._writer.settings, "verify": self._verify}
        if self._verify != "off":
            check = signature_of_check(Reader(self._encoder), self._mode, narratives, narratives)
            settings |= {key: value for key, value in check.fields if key not in ("mode", "v")}
        return Signature.of("OVERLAP", **settings)

    @property
    def _mode(self) -> Mode:
        return "drop" if self._verify == "drop" else "flag"

    def _checked(self, narratives: tuple[Narrative, ...], written: Written) -> Generated:
        verified = None
        if self._verify != "off":
            verified = Checker(narratives, self._encoder).verify(written.text, self._mode)
        return Generated(
            narratives=narratives,
            generated=written.text,
            verified=verified,
            tokens=written.tokens,
            warning=written.warning,
            signature=self.signature(len(narratives)),
        )
