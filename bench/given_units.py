"""Agreement with people on given units, by the rule of how much a unit counts.

    python bench/given_units.py DATA_FOLDER [--documents N]

REALSumm: the units are the SCUs of each document, the human score of a summary is the share of SCUs
that people found in it. Pearson over all summaries, over systems' means, and within documents. The
evidence model was fitted on these labels, so only the comparison of rules means something.
REALSumm: Bhandari et al. 2020, CC BY 4.0.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from _shares import RULES
from commonground.pyramid import Evidence


def main() -> None:
    """Print the correlations and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with scu/REALSumm")
    parser.add_argument("--documents", type=int, default=100, help="only the first ones")
    arguments = parser.parse_args()
    present, human = _judged(arguments.data / "scu" / "REALSumm", arguments.documents)
    figures = {}
    print(f"{'rule':<44}{'summaries':>12}{'systems':>12}{'in documents':>14}{'mean':>8}")
    for name, rule in RULES.items():
        scores = np.array([[rule(p).mean() for p in of_system] for of_system in present])
        figures[name] = _correlations(scores, human)
        cells = [f"{value:>12.3f}" for value in figures[name].values()]
        print(f"{name:<44}{''.join(cells)}{scores.mean():>10.3f}")
    print(f"mean human score: {human.mean():.3f}")
    out = Path(__file__).parent / "out" / "given_units.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=2))


def _judged(folder: Path, documents: int) -> tuple[list[list[np.ndarray]], np.ndarray]:
    """Return the probabilities of the units and the human scores, by system and document."""
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt")][:documents]
    evidence = Evidence()
    read = [evidence.read_units(of_document) for of_document in units]
    present, human = [], []
    for path in sorted((folder / "summaries").glob("*.summary")):
        labels = _lines(folder / "labels" / f"{path.stem}.label")
        texts = [" ".join(line.split()) for line in _lines(path)]
        present.append(
            [
                evidence.probabilities(of_document, evidence.read_text(text))
                for of_document, text in zip(read, texts, strict=False)
            ]
        )
        human.append([np.mean([x == "1" for x in row.split("\t")]) for row in labels[:documents]])
    return present, np.array(human)


def _correlations(scores: np.ndarray, human: np.ndarray) -> dict[str, float]:
    within = [
        np.corrcoef(mine, theirs)[0, 1]
        for mine, theirs in zip(scores.T, human.T, strict=True)
        if mine.std() and theirs.std()
    ]
    return {
        "summaries": float(np.corrcoef(scores.ravel(), human.ravel())[0, 1]),
        "systems": float(np.corrcoef(scores.mean(axis=1), human.mean(axis=1))[0, 1]),
        "within documents": float(np.mean(within)),
    }


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


if __name__ == "__main__":
    main()
