"""The pyramid: content units weighted by the number of references that express them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.encoders import Encoder
from commonground.frames import HasRows
from commonground.io import whole_file
from commonground.pyramid import scorers
from commonground.pyramid.builders.graph import PERCENTILE
from commonground.pyramid.construction import Choices, Text, built
from commonground.pyramid.formats import json_file, pyreval
from commonground.pyramid.formats.text import pyramid_text
from commonground.pyramid.score import PyramidScore
from commonground.pyramid.unit import Unit, by_weight, given_units
from commonground.report import pyramid_page
from commonground.score import Citable, Signature


@dataclass(frozen=True, slots=True)
class Pyramid(HasRows, Citable):
    """The content units of reference summaries.

    Attributes:
        units: Heaviest first, then by attraction, then by label; sorted on creation.
        references: The texts that are not empty, in the input order.
        signature: Everything that the units depend on.
        names: Those of the references, in the same order; empty if they have none.
    """

    units: tuple[Unit, ...]
    references: tuple[str, ...]
    signature: Signature
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", by_weight(self.units))

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
        ideas: bool = True,
    ) -> "Pyramid":
        """Find the content units of references.

        The order of the references does not change the units, only how references are numbered.
        References without sentences are skipped. The clauses of a single reference are units of
        weight 1. References may be in different languages, but the parser that finds clauses is
        English, and whether units join across languages depends on the encoder.

        Args:
            references: Texts: each a `str`, or a list of sentences, which become the lines of the
                text.
            builder: One of `BUILDERS` (default: the preset's, or `DEFAULT_BUILDER`).
            encoder: An encoder or its name (default: the preset's, or `minilm`).
            percentile: Segments of different references are joined from this percentile of their
                similarities on.
            preset: One of `PRESETS`. `pyreval` makes the choices of PyrEval: its segments, numbers
                replaced by a tag before encoding, `sif` vectors (for WTMF, pass the folder of a
                fitted `Wtmf` or of PyrEval's matrices as encoder), `edua-g` or `edua-c`, whole
                sentences as leftovers, and scores by the method `pyreval`.
            alpha: For `edua-g`, the scale of the capacities beyond the number of segments
                (default: 10).
            beta: For `edua-g`, how fast the capacities fall with the weight (default: 2.5).
            ideas: Label each unit with a sentence that people can read; without it, with a
                clause, which is faster. Scores are the same. A preset has no ideas.

        Raises:
            InputError: `references` is a bare string, is empty, or has no sentence.

        Example:
            >>> rain = ["It rained. The match was off.", "Rain fell all day."]
            >>> [unit.weight for unit in Pyramid.build(rain, percentile=50).units]
            [2, 1]
        """
        choices = Choices(builder, encoder, percentile, preset, alpha, beta, ideas)
        return cls(*built(references, choices))

    @classmethod
    def from_units(cls, units: Iterable[str], weights: Sequence[int] | None = None) -> "Pyramid":
        """Return a pyramid of given content units: SCUs, STUs, the points of a rubric.

        Without references, coverage is the share of all weights: with weights of 1, the share of
        units that a summary states.

        Args:
            units: Texts.
            weights: Whole numbers from 1, one for each unit (default: 1 each).

        Raises:
            InputError: No unit, a blank one, or weights that do not fit.

        Example:
            >>> rubric = Pyramid.from_units(["It rained.", "The match was off."], [3, 1])
            >>> [(unit.label, unit.weight) for unit in rubric.units]
            [('It rained.', 3), ('The match was off.', 1)]
        """
        found = given_units(units, weights)
        signature = Signature.of("PYRAMID", builder="given", units=str(len(found)))
        return cls(found, (), signature)

    def score(
        self,
        summary: Text,
        *,
        method: str | None = None,
        encoder: str | Encoder | None = None,
        threshold: float | None = None,
    ) -> PyramidScore:
        """Score one summary; for many, `scorer` is faster and describes the arguments.

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
    ) -> scorers.Scorer:
        """Return a scorer for many summaries, which encodes the units once.

        Args:
            method: `soft` (default): a unit counts with the probability that the summary states
                it. `wmin`: it counts or not, by greedy matching of segments with units, as in the
                paper. `exact`: the heaviest such matching. `pyreval`: segments, matching and scores
                of PyrEval's code; the default with that preset.
            encoder: With `soft`, one with token vectors (default: `minilm`); otherwise any
                (default: the pyramid's own).
            threshold: Except with `soft`, the minimum similarity of a match (default: .5 with
                `pyreval` as method or preset, otherwise calibrated for the encoder).

        Raises:
            InputError: No units, an unknown method, or an encoder without a known threshold.
        """
        references = max(len(self.references), 1)
        return scorers.scorer(self.units, references, self.signature, method, encoder, threshold)

    def tiers(self) -> dict[int, tuple[Unit, ...]]:
        """Return the units by weight, heaviest first."""
        weights = dict.fromkeys(unit.weight for unit in self.units)
        return {
            weight: tuple(unit for unit in self.units if unit.weight == weight)
            for weight in weights
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the pyramid."""
        return {
            "format": json_file.FORMAT,
            "version": json_file.VERSION,
            "signature": self.signature.to_dict(),
            "references": list(self.references),
            **({"names": list(self.names)} if self.names else {}),
            "units": [unit.to_dict() for unit in self.units],
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each unit."""
        return [
            {
                "label": unit.label,
                "weight": unit.weight,
                "attraction": unit.attraction,
                "references": [one.reference for one in unit.contributors],
            }
            for unit in self.units
        ]

    @classmethod
    def from_dict(cls, data: object) -> "Pyramid":
        """Return the pyramid of a JSON object."""
        return cls(*json_file.parse(data))

    def save(self, path: str | Path) -> None:
        """Write the pyramid as JSON, or for PyrEval if the file ends in `.pyr`.

        PyrEval's format has only the contributors: labels, references and the signature are lost.
        The file is complete or does not appear.
        """
        if Path(path).suffix.lower() == ".pyr":
            content = pyreval.written(self.units, self.references)
        else:
            content = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
        with whole_file(Path(path)) as stream:
            stream.write(f"{content}\n")

    @classmethod
    def load(cls, path: str | Path) -> "Pyramid":
        """Read a pyramid file of any format: our JSON, DUCView, PyrEval.

        Weights edited in the JSON count even if they differ from the number of contributors.

        Raises:
            InputError: The file is missing, damaged, or of another kind.
        """
        from commonground.pyramid.formats.files import read_pyramid  # it imports this module

        return read_pyramid(path)

    def to_html(self, path: str | Path, title: str = "Pyramid") -> None:
        """Write a standalone page that draws the pyramid."""
        with whole_file(Path(path)) as stream:
            stream.write(pyramid_page(self.to_dict(), title))

    def __str__(self) -> str:
        return pyramid_text(self.tiers(), len(self.references))
