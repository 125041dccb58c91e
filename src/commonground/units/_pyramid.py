"""The pyramid: content units weighted by how many references express them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground._score import Signature
from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.encoders import Encoder, TokenEncoder
from commonground.io import whole_file
from commonground.report.pyramid import pyramid_page
from commonground.units import _pyramid_json
from commonground.units._graph import PERCENTILE
from commonground.units._pyramid_build import DEFAULT_BUILDER, Text, built
from commonground.units._pyramid_score import PyramidScore, Scorer
from commonground.units._pyramid_text import pyramid_text
from commonground.units._unit import Unit, in_order


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The content units of reference summaries.

    Attributes:
        units: Heaviest first, then by attraction, then by label; put in that order if they are
            not.
        references: The texts that were not empty, in the order given.
        signature: All that the units depend on.
    """

    units: tuple[Unit, ...]
    references: tuple[str, ...]
    signature: Signature

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", in_order(self.units))

    @classmethod
    def build(
        cls,
        references: Iterable[Text],
        *,
        builder: str = DEFAULT_BUILDER,
        encoder: str | Encoder = DEFAULT_ENCODER,
        percentile: float = PERCENTILE,
    ) -> "Pyramid":
        """Find the units of references.

        The order of the references has no say in the units, only in the numbers of the
        references. A reference without any sentence is left out, as if it had not been given. The
        clauses of a single reference are units of weight 1. References need not be in one
        language, but the clauses are those of an English parser, and whether a unit is found
        across languages depends on the encoder.

        Args:
            references: Texts; each a `str`, or a list of sentences taken as they are, which are
                the lines of the text then.
            builder: One of `BUILDERS`.
            encoder: The name of an encoder, or one.
            percentile: Segments of different references are joined from this percentile of their
                similarities on.

        Raises:
            InputError: A bare string, no reference, or none that has a sentence.

        Example:
            >>> rain = ["It rained. The match was off.", "Rain fell all day."]
            >>> [unit.weight for unit in Pyramid.build(rain, percentile=50).units]
            [2, 1]
        """
        units, texts, signature = built(references, builder, encoder, percentile)
        return cls(tuple(units), texts, signature)

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary; `scorer()` is faster for many.

        Example:
            >>> pyramid = Pyramid.build(["It rained. The match was off.", "Rain fell all day."])
            >>> pyramid.score("There was rain.").matches[0].stated
            True
        """
        return self.scorer().score(summary)

    def scorer(self, encoder: str | TokenEncoder = DEFAULT_ENCODER) -> Scorer:
        """What scores many summaries; the units are read once."""
        return Scorer(self.units, max(len(self.references), 1), self.signature, encoder)

    def tiers(self) -> dict[int, tuple[Unit, ...]]:
        """The units of each weight that there is, the heaviest first."""
        weights = dict.fromkeys(unit.weight for unit in self.units)
        return {
            weight: tuple(unit for unit in self.units if unit.weight == weight)
            for weight in weights
        }

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return _pyramid_json.written(self.units, self.references, self.signature)

    @classmethod
    def from_dict(cls, data: object) -> "Pyramid":
        """The pyramid of `to_dict`."""
        units, references, signature = _pyramid_json.parsed(data)
        return cls(tuple(units), references, signature)

    def save(self, path: str | Path) -> None:
        """Write it as JSON."""
        _pyramid_json.write(Path(path), self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> "Pyramid":
        """Read what `save` wrote.

        A weight may have been edited there, and counts even where it is not the number of
        contributors.

        Raises:
            InputError: Not there, damaged, or another kind of file.
        """
        path = Path(path)
        units, references, signature = _pyramid_json.parsed(_pyramid_json.read(path), str(path))
        return cls(tuple(units), references, signature)

    def to_html(self, path: str | Path, title: str = "Pyramid") -> None:
        """Write it as a page that draws it; the page needs no other file and no network."""
        with whole_file(Path(path)) as stream:
            stream.write(pyramid_page(self.to_dict(), title))

    def __str__(self) -> str:
        return pyramid_text(self.tiers(), len(self.references))
