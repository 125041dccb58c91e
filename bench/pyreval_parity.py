"""Parity with PyrEval v2 on the 37 crypto-currency summaries of the paper.

    python bench/pyreval_parity.py DATA_FOLDER [--encoder NAME_OR_FOLDER ...] [--threshold T ...]

1. The scores from the logs' own segments and matches, digit by digit.
2. Our vectors and matching on the logs' segments: segments matched to the same unit.
3. Our segments, vectors and matching with PyrEval's curated pyramid: Pearson and mean difference.
4. Pyramids of the preset `pyreval` from the five references: units by weight, Pearson with people.

Beside PyrEval's threshold of .5 each encoder is measured with others, since 37 students and a
greedy matching leave much to chance.
"""

import argparse
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from _students import KINDS, Scores, Students, rows
from commonground.encoders import Encoder, load
from commonground.errors import CommongroundError
from commonground.pyramid import Pyramid, read_pyramid
from commonground.pyramid.formats.pyreval import parse
from commonground.pyramid.formats.xml import read_xml
from commonground.pyramid.score import pyreval_scores
from commonground.pyramid.scorers import PyrEvalScorer
from commonground.text import Segment, SegmentedSentence, Sentence

BUILDERS = ("edua-g", "edua-c")
METHODS = ("pyreval", "wmin")  # how PyrEval's code matches, and how the paper does
_COUNT = re.compile(r" +No\. of segments in the summary: (\d+)$")
_SENTENCE = re.compile(r"Sentence: \d+ \| Segmentation: \d+$")
_SEGMENT = re.compile(r"\tSegment ID: \d+ \| Content Unit: (?:None|(\d+) )")
_TEXT = re.compile(r"\t(?:Segment:| {8}) \.{20} (.*)$")


@dataclass
class Log:
    """What PyrEval found in one summary: by sentence, each segment with the number of its unit."""

    count: int = 0
    sentences: list[list[tuple[str, int | None]]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Log":
        """Read a log of PyrEval v2."""
        log = cls()
        for line in path.read_text("utf-8").splitlines():
            if match := _COUNT.match(line):
                log.count = int(match[1])
            elif _SENTENCE.match(line):
                log.sentences.append([])
            elif match := _SEGMENT.match(line):
                log.sentences[-1].append(("", int(match[1]) if match[1] else None))
            elif match := _TEXT.match(line):
                words, unit = log.sentences[-1][-1]
                log.sentences[-1][-1] = (f"{words} {match[1]}".strip(), unit)
        return log

    @property
    def segments(self) -> list[tuple[str, int | None]]:
        """All segments."""
        return [segment for sentence in self.sentences for segment in sentence]


class Given(PyrEvalScorer):
    """Matches segments that are given: each sentence is a list of segments."""

    def _segment(self, summary: Any) -> list[SegmentedSentence]:
        return [
            SegmentedSentence(
                Sentence(" ".join(texts), 0, 1), (tuple(Segment(text, ()) for text in texts),)
            )
            for texts in summary
        ]


def main() -> None:
    """Print the tables and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with pyramid/cc")
    parser.add_argument("--encoder", action="append", help="name or folder; repeatable")
    parser.add_argument("--threshold", action="append", type=float, help="repeatable")
    arguments = parser.parse_args()
    students = Students.read(arguments.data)
    folder = students.folder / "pyreval"
    pyramid = read_pyramid(folder / "curated.pyr")
    logs = [Log.read(folder / "log" / f"{name}_CRYPTO_sum.txt") for name in students.summaries]
    expected = _expected(students)
    tiers = {weight: len(units) for weight, units in pyramid.tiers().items()}
    print(f"curated pyramid: {len(pyramid.units)} units by weight {tiers}")
    equal = _equal(pyramid, logs, expected)
    print(f"1. given the logs' matches: {equal} of {len(logs)} students equal in all four scores\n")
    thresholds = arguments.threshold or [0.4, 0.45, 0.5, 0.55]
    table: dict[str, Any] = {"equal": equal, "PyrEval": _with_people(students, expected)}
    print(
        f"{'':<34}{'same unit':>10}  {'with PyrEval: r (mean difference)':<56}with people: r, q, c"
    )
    print(f"{'PyrEval itself':<102}{_people(table['PyrEval'])}")
    for name in arguments.encoder or ["sif", "use", "minilm"]:
        try:
            encoder = load(name)
        except CommongroundError as error:
            print(f"{name}: {error}")
            continue
        for threshold in thresholds:
            label = f"{Path(name).name}, t {threshold:g}"
            table[label] = _measured(students, pyramid, logs, expected, encoder, threshold, label)
    out = Path(__file__).parent / "out" / "pyreval_parity.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(table, indent=2))


def _expected(students: Students) -> Scores:
    names = {"comprehensive": "Comprehensive"}
    found = {row["Summary"].split("_")[0]: row for row in rows(students.folder, "expected_results")}
    return {
        kind: [float(found[name][names.get(kind, kind)]) for name in students.summaries]
        for kind in KINDS
    }


def _equal(pyramid: Pyramid, logs: list[Log], expected: Scores) -> int:
    """Count the students with four equal scores, all digits of the file."""
    weights = [unit.weight for unit in pyramid.units]
    equal = 0
    for index, log in enumerate(logs):
        matched = {unit for _, unit in log.segments if unit is not None}
        # PyrEval numbers units from the heaviest down, as `Pyramid` sorts them.
        raw = [float(number in matched) for number in range(len(weights))]
        four = pyreval_scores(sorted(weights, reverse=True), raw, log.count, 5)
        equal += all(getattr(four, kind) == expected[kind][index] for kind in KINDS)
    return equal


def _measured(
    students: Students,
    pyramid: Pyramid,
    logs: list[Log],
    expected: Scores,
    encoder: Encoder,
    threshold: float,
    label: str,
) -> dict[str, Any]:
    """Measure an encoder at a threshold."""
    choices: dict[str, Any] = {"encoder": encoder, "threshold": threshold}
    path = students.folder / "pyreval" / "curated.pyr"
    units, _, _ = parse(read_xml(path), path)  # numbered as in the file
    numbers = {unit.label: number for number, unit in enumerate(units)}
    result: dict[str, Any] = {"same": _same(pyramid, numbers, logs, encoder, threshold)}
    scored = students.scored(pyramid, "pyreval", **choices)
    result["with_pyreval"] = {
        kind: {
            "pearson": _pearson(scored[kind], expected[kind]),
            "difference": float(np.mean(scored[kind]) - np.mean(expected[kind])),
        }
        for kind in KINDS
    }
    result["curated"] = _with_people(students, scored)
    cells = " ".join(
        f"{f['pearson']:.2f} ({f['difference']:+.2f})" for f in result["with_pyreval"].values()
    )
    print(f"{label:<34}{result['same']:>10.3f}  {cells:<56}{_people(result['curated'])}")
    for builder in BUILDERS:
        built = Pyramid.build(
            students.references, preset="pyreval", builder=builder, encoder=encoder
        )
        tiers = {weight: len(units) for weight, units in built.tiers().items()}
        result[builder] = {"units": len(built.units), "tiers": tiers}
        for method in METHODS:
            found = _with_people(students, students.scored(built, method, **choices))
            result[builder][method] = found
            name = f"  {builder}, {method}: {len(built.units)} units {tiers}"
            print(f"{name:<102}{_people(found)}")
    return result


def _same(
    pyramid: Pyramid, numbers: dict[str, int], logs: list[Log], encoder: Encoder, threshold: float
) -> float:
    """Return the share of the logs' segments that we match to the same unit, or to none as well."""
    scorer = Given(pyramid.units, 5, pyramid.signature, "pyreval", encoder, threshold)
    same = total = 0
    for log in logs:
        score = scorer.score([[text for text, _ in sentence] for sentence in log.sentences])
        ours = {
            (match.sentence, match.text): numbers[match.label]
            for match in score.matches
            if match.stated
        }
        for sentence, segments in enumerate(log.sentences):
            for text, unit in segments:
                total += 1
                same += ours.get((sentence, text)) == unit
    return same / total


def _with_people(students: Students, scores: Scores) -> dict[str, float]:
    kinds = ("raw", "quality", "comprehensive")
    return {kind: _pearson(scores[kind], students.people[kind]) for kind in kinds}


def _pearson(first: list[float], second: list[float]) -> float:
    return float(np.corrcoef(first, second)[0, 1]) if np.std(first) and np.std(second) else 0.0


def _people(found: dict[str, float]) -> str:
    return " ".join(f"{found[kind]:.2f}" for kind in ("raw", "quality", "comprehensive"))


if __name__ == "__main__":
    main()
