"""Agreement of pyramid scores with people on the crypto-currency summaries of the PyrEval paper.

    python bench/pyramid_cc.py DATA_FOLDER [--wtmf FOLDER] [--all]

Pearson and Spearman over 37 students, with bootstrap intervals: each builder, each encoder with
soft presence, WMIN and exact matches, the preset `pyreval`, original PyrEval and ROUGE recall;
units by weight (table 2 of the paper); other rules of how much a unit counts; and neighbouring
settings, since with 37 students a single best setting proves little.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from _shares import RULES, Rule, package
from _students import KINDS, Scores, Students
from commonground.encoders import load
from commonground.errors import CommongroundError
from commonground.metrics import Rouge
from commonground.pyramid import BUILDERS, DEFAULT_BUILDER, METHODS, Evidence, Pyramid, Unit
from commonground.pyramid.score import scores
from commonground.pyramid.scorers import thresholds
from commonground.reader import Reader
from commonground.text import segment

SLOW = ("edua-c-maximal",)  # minutes on these references
PERCENTILES = (75.0, 79.0, 83.0, 87.0, 91.0)
ENCODERS = ("minilm", "use", "static", "sif")
STEPS = (-0.1, -0.05, 0.05, 0.1, 0.25)  # 0.25 above is about where sentences mean the same

Table = dict[str, Scores]


def main() -> None:
    """Print the tables and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with pyramid/cc")
    parser.add_argument("--wtmf", help="folder of a saved Wtmf")
    parser.add_argument("--all", action="store_true", help="include slow builders")
    arguments = parser.parse_args()
    students = Students.read(arguments.data)
    judge = Judge(students)
    table: Table = {"PyrEval, curated pyramid": students.original()}
    for kind in ("rouge1", "rouge2"):
        table[f"{kind} recall"] = {"raw": _rouge(kind, students)}
    table["reader, clause"] = _by_reader(students)
    for builder in BUILDERS:
        if builder not in SLOW or arguments.all:
            table[f"{builder}, clause"] = judge.scores(builder, 83.0, "clause")
    for percentile in PERCENTILES:
        table[f"{DEFAULT_BUILDER}, clause, p{percentile:g}"] = judge.scores(
            DEFAULT_BUILDER, percentile, "clause"
        )
    for name, rule in RULES.items():
        table[name] = judge.scores(DEFAULT_BUILDER, 83.0, "clause", rule)
    table[f"{DEFAULT_BUILDER}, idea"] = judge.scores(DEFAULT_BUILDER, 83.0, "idea")
    for wording in ("mean", "max"):
        name = f"{DEFAULT_BUILDER}, {wording} of contributors"
        table[name] = judge.scores(DEFAULT_BUILDER, 83.0, wording)
    encoders = [*ENCODERS, *([arguments.wtmf] if arguments.wtmf else [])]
    for name in encoders:
        table |= _by_encoder(name, students, judge.tiers)
    for name in ("sif", arguments.wtmf):
        if name:
            table |= _preset(name, students, judge.tiers)
    figures = {name: students.agreement(values) for name, values in table.items()}
    _print(figures, judge.tiers)
    out = Path(__file__).parent / "out" / "pyramid_cc.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"agreement": figures, "tiers": judge.tiers}, indent=2))


class Judge:
    """Scores all students against pyramids of several settings; reads each student once."""

    def __init__(self, students: Students) -> None:
        self._references = students.references
        self._evidence = Evidence()
        texts = students.summaries.values()
        self._texts = [self._evidence.read_text(text) for text in texts]
        self._counts = [clause_count(text) for text in texts]
        self.tiers: dict[str, dict[int, int]] = {}

    def scores(
        self, builder: str, percentile: float, wording: str, rule: Rule | None = None
    ) -> Scores:
        """Return the scores of every student, with units judged by one of their wordings.

        The rule says how much of a unit counts (default: the rule of the package).
        """
        pyramid = Pyramid.build(self._references, builder=builder, percentile=percentile)
        self.tiers[f"{builder}, p{percentile:g}"] = _tiers(pyramid)
        wordings = [_wordings(unit, wording) for unit in pyramid.units]
        read = self._evidence.read_units([text for of_unit in wordings for text in of_unit])
        starts = np.cumsum([0, *map(len, wordings)])[:-1]
        weights = [unit.weight for unit in pyramid.units]
        result: Scores = {kind: [] for kind in KINDS}
        for text, count in zip(self._texts, self._counts, strict=True):
            each = self._evidence.probabilities(read, text)
            if wording == "max":
                present = np.maximum.reduceat(each, starts)
            else:
                present = np.add.reduceat(each, starts) / np.array(list(map(len, wordings)))
            counted = (rule or package)(present).tolist()
            four = scores(weights, counted, count, len(self._references))
            for kind in KINDS:
                result[kind].append(getattr(four, kind))
        return result


def _wordings(unit: Unit, wording: str) -> list[str]:
    """Return what a unit is judged by: its clause, its idea, or all its contributors."""
    if wording in ("clause", "idea"):
        return [unit.judged if wording == "clause" else unit.label]
    return [contributor.text for contributor in unit.contributors]


def _by_reader(students: Students) -> Scores:
    """Score with the default pyramid and the presence of units according to the reader."""
    reader, pyramid = Reader(), Pyramid.build(students.references)
    weights = [unit.weight for unit in pyramid.units]
    result: Scores = {kind: [] for kind in KINDS}
    for text in students.summaries.values():
        readings = reader.read([unit.judged for unit in pyramid.units], text)
        present = [reading.stated + reading.partly / 2 for reading in readings]
        four = scores(weights, present, clause_count(text), len(students.references))
        for kind in KINDS:
            result[kind].append(getattr(four, kind))
    return result


def _by_encoder(name: str, students: Students, tiers: dict[str, dict[int, int]]) -> Table:
    """Score with an encoder by every method; soft presence keeps its own encoder."""
    try:
        encoder = load(name)
    except CommongroundError as error:
        print(f"{name}: {error}")
        return {}
    pyramid = Pyramid.build(students.references, encoder=encoder)
    tiers[f"{DEFAULT_BUILDER}, {encoder.name}"] = _tiers(pyramid)
    table = {}
    for method in METHODS:
        choices: dict[str, Any] = {} if method == "soft" else {"encoder": encoder}
        table[f"{encoder.name}, {method}"] = students.scored(pyramid, method, **choices)
    return table


def _preset(name: str, students: Students, tiers: dict[str, dict[int, int]]) -> Table:
    """Score with the preset `pyreval`, with exact matching, and with other thresholds."""
    encoder = load(name)
    pyramid = Pyramid.build(students.references, preset="pyreval", encoder=encoder)
    title = f"pyreval, {encoder.name}"
    tiers[title] = _tiers(pyramid)
    least = thresholds()[encoder.name]
    table = {
        f"{title}, t {least:g}": students.scored(pyramid, encoder=encoder),
        f"{title}, exact": students.scored(pyramid, "exact", encoder=encoder),
    }
    for step in STEPS:
        threshold = round(least + step, 2)
        table[f"{title}, t {threshold:g}"] = students.scored(
            pyramid, encoder=encoder, threshold=threshold
        )
    return table


def clause_count(summary: str) -> int:
    """Return the number of clauses in the finest segmentation."""
    return sum(len(sentence.finest) for sentence in segment(summary))


def _tiers(pyramid: Pyramid) -> dict[int, int]:
    return {weight: len(units) for weight, units in pyramid.tiers().items()}


def _rouge(kind: str, students: Students) -> list[float]:
    measure = Rouge(types=(kind,), stemmer=True, multi="mean")
    texts = students.summaries.values()
    return [measure.score(text, students.references)[kind].recall for text in texts]


def _print(
    figures: dict[str, dict[str, dict[str, float]]], tiers: dict[str, dict[int, int]]
) -> None:
    print(f"{'Pearson [95% interval] / Spearman':<44}" + "".join(f"{kind:>28}" for kind in KINDS))
    for name, found in figures.items():
        cells = [
            f"{f['pearson']:.3f} [{f['low']:.2f}, {f['high']:.2f}] / {f['spearman']:.2f}"
            if (f := found.get(kind))
            else ""
            for kind in KINDS
        ]
        print(f"{name:<44}" + "".join(f"{cell:>28}" for cell in cells))
    print("\nunits by weight (manual: 34 in all; 0, 3, 5, 26 of weight 5, 4, 3, 2 or less)")
    for name, found in tiers.items():
        print(f"  {name:<22} {sum(found.values())} in all; {found}")


if __name__ == "__main__":
    main()
