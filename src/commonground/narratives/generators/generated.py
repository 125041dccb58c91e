"""Generate summaries with a model and verify them."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.encoders import DEFAULT, TokenEncoder
from commonground.errors import unknown_name
from commonground.io import Narrative
from commonground.narratives.generators.writer import Tokens, Writer, Written
from commonground.narratives.texts import named_narratives
from commonground.narratives.verification.checker import Checker
from commonground.narratives.verification.checker import signature as signature_of_check
from commonground.narratives.verification.verified import MODES, Mode, Verified
from commonground.plain import to_plain
from commonground.reader import Reader
from commonground.score import Citable, Signature

VERIFY = (*MODES, "off")


@dataclass(frozen=True, slots=True, repr=False)
class Generated(Citable):
    """A generated summary.

    Attributes:
        narratives: The narratives in the caller's order.
        generated: The model's text, without control characters and an incomplete last sentence.
        verified: The verification; None if it was off.
        tokens: Tokens that the model read and wrote.
        warning: Whether input or output was cut; None if complete.
        signature: Everything the result depends on.
    """

    narratives: tuple[Narrative, ...]
    generated: str
    verified: Verified | None
    tokens: Tokens
    warning: str | None
    signature: Signature

    @property
    def summary(self) -> str:
        """The verified summary; the generated text if verification only flags or is off."""
        return self.generated if self.verified is None else self.verified.summary

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        checked = self.verified.sentences if self.verified else ()
        flagged = self.verified is not None and self.verified.mode == "flag"
        return {
            "summary": self.summary,
            "statements": [
                {
                    "text": sentence.text if flagged else sentence.claim,
                    "weight": len(self.narratives) if sentence.supported else None,
                    "probability": sentence.probability,
                    "supported": sentence.supported,
                    "evidence": to_plain(sentence.evidence),
                }
                for sentence in checked
                if sentence.supported or flagged
            ],
            "dropped": [{"text": s.text, "reason": s.reason} for s in checked if not s.supported],
            "generated": self.generated,
            "warning": self.warning,
            "tokens": self.tokens.to_dict(),
            "narratives": to_plain(self.narratives),
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return f"Generated(summary={self.summary!r}, signature='{self.signature}')"

    def __str__(self) -> str:
        summary = self.generated if self.verified is None else self.verified.marked
        nothing = "Nothing that all narratives support."
        lines = [(summary or nothing) if self.generated else "The model gave no summary."]
        if self.verified and self.verified.dropped:
            lines += ["", "Not supported:" if self.verified.mode == "flag" else "Dropped:"]
            lines += [f"- {' '.join(s.text.split())} [{s.reason}]" for s in self.verified.dropped]
        return "\n".join([*lines, "", str(self.signature)])


class Generator:
    """Generates summaries with a model and verifies them.

    Args:
        writer: The model: `Seq2Seq`, `Llm` or `Gguf`.
        verify: "drop" removes unsupported sentences, "flag" marks them, "off" skips verification.
        encoder: Encoder for verification: a name, or an encoder with token vectors.
    """

    def __init__(
        self, writer: Writer, *, verify: str = "drop", encoder: str | TokenEncoder = DEFAULT
    ) -> None:
        if verify not in VERIFY:
            raise unknown_name("way to verify", verify, VERIFY)
        self._writer = writer
        self._verify = verify
        self._mode: Mode = "drop" if verify == "drop" else "flag"
        self._encoder = encoder

    def find(self, narratives: Sequence[str | Narrative]) -> Generated:
        """Generate the overlap of two or more narratives, in any order."""
        ((_, result),) = self.each([narratives])
        if result.warning:
            warnings.warn(result.warning, stacklevel=2)
        return result

    def each(self, events: Iterable[Sequence[str | Narrative]]) -> Iterator[tuple[int, Generated]]:
        """Yield the index and result of each event, as they finish."""
        under_way: dict[int, tuple[Narrative, ...]] = {}

        def texts() -> Iterator[tuple[str, ...]]:
            for number, narratives in enumerate(events):
                under_way[number] = named_narratives(narratives)
                # Sorted, so that the caller's order has no effect.
                yield tuple(sorted(narrative.text for narrative in under_way[number]))

        for number, written in self._writer.write(texts()):
            yield number, self._checked(under_way.pop(number), written)

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
        settings = {**self._writer.settings, "verify": self._verify}
        if self._verify != "off":
            check = signature_of_check(Reader(self._encoder), self._mode, narratives, narratives)
            settings |= {key: value for key, value in check.fields if key not in ("mode", "v")}
        return Signature.of("OVERLAP", **settings)

    def _checked(self, narratives: tuple[Narrative, ...], written: Written) -> Generated:
        verified = None
        if self._verify != "off":
            verified = Checker(narratives, self._encoder).verify(written.text, self._mode)
        signature = self.signature(len(narratives))
        return Generated(
            narratives, written.text, verified, written.tokens, written.warning, signature
        )
