"""Table 1 of the PyrEval paper anew: which vectors suit short segments?

    python bench/segment_vectors.py DATA_FOLDER [--corpus FILE] [--json OUT]

STS-B dev: correlation of the cosines with the human similarities. CC: correlation over the 37
students on crypto-currencies with the human raw pyramid score. `wtmf` is fitted on the corpus, one
sentence a line (`wordnet_sentences.py` makes one); on fewer than 100,000 sentences, or without a
corpus, its row says untrained.
"""

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import pearsonr, spearmanr

from commonground.encoders import Encoder, Wtmf, load
from commonground.errors import CommongroundError
from commonground.text import sentences
from commonground.text._porter import stem

ENCODERS = ("minilm", "minilm-fp32", "use", "static", "sif")
PUBLISHED = {
    "WIM (20 summaries)": {"ELMo": 0.3873, "USE": -0.0290, "GloVe + SIF": 0.7149, "WTMF": 0.8525},
    "TAC 09 (54 systems)": {"ELMo": 0.0515, "USE": 0.2672, "GloVe + SIF": 0.1713, "WTMF": 0.4961},
    "STS-14 (3,750 pairs)": {"ELMo": 0.1636, "USE": 0.5757, "GloVe + SIF": 0.6129, "WTMF": 0.7257},
}
NOTE = (
    "The paper's three data sets (WIM, TAC 09, STS-14) are missing here and its figures stand "
    "alone;\nits USE is the English model of 2018, `use` the multilingual one."
)
STS, CC = ("sts_spearman", "sts_pearson"), ("cc_pearson", "cc_spearman")

Row = dict[str, Any]


def main() -> None:
    """Print the tables and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sts/stsb-dev.csv and pyramid/cc")
    parser.add_argument("--corpus", type=Path, help="one sentence a line, to fit wtmf on")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    pairs = _pairs(arguments.data / "sts" / "stsb-dev.csv")
    students = _students(arguments.data / "pyramid" / "cc")
    rows = []
    for name in ENCODERS:
        try:
            rows.append(_row(load(name), pairs, students))
        except CommongroundError as error:
            rows.append({"encoder": name, "missing": str(error)})
    rows.append(_wtmf_row(arguments.corpus, pairs, students))
    _print(rows)
    if arguments.json:
        found = {"here": rows, "published": PUBLISHED, "missing_data": list(PUBLISHED)}
        arguments.json.write_text(json.dumps(found, indent=2))


def _wtmf_row(corpus: Path | None, *data: Any) -> Row:
    if corpus is None:
        return {"encoder": "wtmf", "missing": "untrained: no --corpus was given"}
    with corpus.open(encoding="utf-8") as stream:
        print("fitting wtmf takes some minutes ...", file=sys.stderr)
        encoder = Wtmf.fit(stream, stem=stem)
    if encoder.name != "wtmf":
        return {"encoder": "wtmf", "missing": f"untrained: only {encoder.sentences} sentences"}
    return {**_row(encoder, *data), "fitted_on": encoder.sentences}


def _row(
    encoder: Encoder,
    pairs: tuple[list[str], list[str], list[float]],
    students: tuple[list[str], list[str], list[float]],
) -> Row:
    left, right, similarity = pairs
    references, summaries, raw = students
    cosines = np.sum(encoder.encode(left) * encoder.encode(right), axis=1)
    scores = content_scores(encoder, references, summaries)
    return {
        "encoder": encoder.name,
        "fingerprint": encoder.fingerprint[:8],
        "sts_spearman": float(spearmanr(cosines, similarity).statistic),
        "sts_pearson": float(pearsonr(cosines, similarity).statistic),
        "cc_pearson": float(pearsonr(scores, raw).statistic),
        "cc_spearman": float(spearmanr(scores, raw).statistic),
    }


def content_scores(
    encoder: Encoder, references: Sequence[str], summaries: Sequence[str]
) -> list[float]:
    """How much of the references' content each summary has.

    The mean, over the sentences of all references, of the best cosine in the summary: a stand-in
    for the pyramid's raw score.
    """
    wanted = encoder.encode([s for reference in references for s in sentences(reference)])
    return [
        float((wanted @ encoder.encode(sentences(summary)).T).max(axis=1).mean())
        for summary in summaries
    ]


def _pairs(path: Path) -> tuple[list[str], list[str], list[float]]:
    with path.open(encoding="utf-8", newline="") as stream:
        left, right, human = zip(*csv.reader(stream), strict=True)
    return list(left), list(right), [float(value) for value in human]


def _students(folder: Path) -> tuple[list[str], list[str], list[float]]:
    """The reference summaries, the students' and their human raw scores."""
    references = [_text(path) for path in sorted((folder / "model").glob("*.txt"))]
    scores = folder / "pyreval" / "man_annotation_crypto.csv"
    with scores.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = [row["filename"].removesuffix(".pan") for row in rows]
    summaries = [_text(folder / "peers" / f"{name}_sum.txt") for name in names]
    return references, summaries, [float(row["totalWeight"]) for row in rows]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig", errors="replace")


def _print(rows: Sequence[Row]) -> None:
    print(f"{'':<14}{'STS-B dev':>20}  {'CC: mean best cosine':>22}")
    print(f"{'encoder':<14}{'Spearman':>10}{'Pearson':>10}  {'Pearson':>11}{'Spearman':>11}")
    for row in rows:
        if "missing" in row:
            print(f"{row['encoder']:<14}{row['missing']}")
            continue
        sts, cc = ([f"{row[key]:.3f}" for key in keys] for keys in (STS, CC))
        fitted = f"  (fitted on {row['fitted_on']:,} sentences)" if "fitted_on" in row else ""
        print(f"{row['encoder']:<14}{sts[0]:>10}{sts[1]:>10}  {cc[0]:>11}{cc[1]:>11}{fitted}")
    columns = list(next(iter(PUBLISHED.values())))
    print(f"\n{'as published':<22}" + "".join(f"{column:>13}" for column in columns))
    for name, figures in PUBLISHED.items():
        print(f"{name:<22}" + "".join(f"{figures[column]:>13.3f}" for column in columns))
    print(f"\n{NOTE}")


if __name__ == "__main__":
    main()
