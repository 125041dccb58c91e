"""The pyramid: content units weighted by how many references express them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.encoders import Encoder
from commonground.io import whole_file
from commonground.pyramid import scorers
from commonground.pyramid.builders.graph import PERCENTILE
from commonground.pyramid.construction import Choices, Text, built
from commonground.pyramid.formats import json_file
from commonground.pyramid.formats.text import pyramid_text
from commonground.pyramid.score import PyramidScore, Scorer
from commonground.pyramid.unit import Unit, in_order
from commonground.report import pyramid_page
from commonground.score import Signature


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
        builder: str | None = None,
        encoder: str | Encoder | None = None,
        percentile: float = PERCENTILE,
        preset: str | None = None,
        alpha: float | None = None,
        beta: float | None = None,
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
            builder: One of `BUILDERS`; `DEFAULT_BUILDER` unless a preset has its own.
            encoder: The name of an encoder, or one; `minilm` unless a preset has its own.
            percentile: Segments of different references are joined from this percentile of their
                similarities on.
            preset: One of `PRESETS`. `pyreval` makes the choices of the paper: numbers replaced
                by a tag in what is encoded, `sif` vectors (give the folder of a fitted `Wtmf` as
                encoder for the others), `edua-g`, and scores by `wmin`.
            alpha: For `edua-g`, the scale of the capacities beyond the number of segments; 10 by
                default.
            beta: For `edua-g`, how fast the capacities fall with the weight; 2.5 by default.

        Raises:
            InputError: A bare string, no reference, or none that has a sentence.

        Example:
            >>> rain = ["It rained. The match was off.", "Rain fell all day."]
            >>> [unit.weight for unit in Pyramid.build(rain, percentile=50).units]
            [2, 1]
        """
        choices = Choices(builder, encoder, percentile, preset, alpha, beta)
        units, texts, signature = built(references, choices)
        return cls(tuple(units), texts, signature)

    def score(
        self,
        summary: Text,
        *,
        method: str | None = None,
        encoder: str | Encoder | None = None,
        threshold: float | None = None,
    ) -> PyramidScore:
        """Score one summary; `scorer` says what the choices are and is faster for many.

        Example:
            >>> pyramid = Pyramid.build(["It rained. The match was off.", "Rain fell all day."])
            >>> pyramid.score("There was rain.").matches[0].stated
            True
        """
        return self.scorer(method, encoder, threshold).score(summary)

    def scorer(
        self,
        method: str | None = None,
        encoder: str | Encoder | None = None,
        threshold: float | None = None,
    ) -> Scorer:
        """What scores many summaries; the units are read once.

        Args:
            method: `soft`, the default: a unit counts with the probability that the summary
                states it. `wmin`: it counts or not, by segments matched with units greedily, as in
                the paper; the default of a pyramid built with the preset `pyreval`. `exact`: the
                heaviest such matching.
            encoder: With `soft` one with token vectors, by default `minilm`; otherwise any, by
                default the one that the pyramid was built with.
            threshold: With `wmin` and `exact` the least similarity that makes a match; by default
                what was found for the encoder.

        Raises:
            InputError: No units, an unknown method, or an encoder without a known threshold.
        """
        references = max(len(self.references), 1)
        return scorers.scorer(self.units, references, self.signature, method, encoder, threshold)

    def tiers(self) -> dict[int, tuple[Unit, ...]]:
        """The units of each weight that there is, the heaviest first."""
        weights = dict.fromkeys(unit.weight for unit in self.units)
        return {
            weight: tuple(unit for unit in self.units if unit.weight == weight)
            for weight in weights
        }

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return json_file.written(self.units, self.references, self.signature)

    @classmethod
    def from_dict(cls, data: object) -> "Pyramid":
        """The pyramid of `to_dict`."""
        units, references, signature = json_file.parsed(data)
        return cls(tuple(units), references, signature)

    def save(self, path: str | Path) -> None:
        """Write it as JSON."""
        json_file.write(Path(path), self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> "Pyramid":
        """Read what `save` wrote.

        A weight may have been edited there, and counts even where it is not the number of
        contributors.

        Raises:
            InputError: Not there, damaged, or another kind of file.
        """
        path = Path(path)
        units, references, signature = json_file.parsed(json_file.read(path), str(path))
        return cls(tuple(units), references, signature)

    def to_html(self, path: str | Path, title: str = "Pyramid") -> None:
        """Write it as a page that draws it; the page needs no other file and no network."""
        with whole_file(Path(path)) as stream:
            stream.write(pyramid_page(self.to_dict(), title))

    def __str__(self) -> str:
        return pyramid_text(self.tiers(), len(self.references))
