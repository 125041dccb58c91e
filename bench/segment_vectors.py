"""Table 1 of the PyrEval paper anew: which vectors suit short segments?

    python bench/segment_vectors.py DATA_FOLDER [--corpus FILE | --wtmf FOLDER] [--json OUT]

STS-B dev: correlation of the cosines with the human similarities. CC: correlation over the 37
students on crypto-currencies with the human raw pyramid score, of the raw score that an `edua-g`
pyramid and WMIN give with these vectors, as in the paper; the match threshold of each encoder is
the package's (`match_threshold.py`), found on other data. `wtmf` is fitted on the corpus, one
sentence a line (`wordnet_sentences.py` makes one), or read from the folder of a saved one; on fewer
than 100,000 sentences, or without either, its row says untrained.
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

from _students import Students
from commonground.encoders import Encoder, Wtmf, load
from commonground.errors import CommongroundError
from commonground.pyramid import Pyramid
from commonground.pyramid.scorers import thresholds
from commonground.text import stem

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
STS = ("sts_spearman", "sts_pearson")

Row = dict[str, Any]
Pairs = tuple[list[str], list[str], list[float]]


def main() -> None:
    """Print the tables and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sts/stsb-dev.csv and pyramid/cc")
    parser.add_argument("--corpus", type=Path, help="one sentence a line, to fit wtmf on")
    parser.add_argument("--wtmf", type=Path, help="folder of a saved Wtmf, instead of a corpus")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    pairs = _pairs(arguments.data / "sts" / "stsb-dev.csv")
    students = Students.read(arguments.data)
    rows = []
    for name in ENCODERS:
        try:
            rows.append(_row(load(name), pairs, students))
        except CommongroundError as error:
            rows.append({"encoder": name, "missing": str(error)})
    rows.append(_wtmf_row(arguments.corpus, arguments.wtmf, pairs, students))
    _print(rows)
    if arguments.json:
        found = {"here": rows, "published": PUBLISHED, "missing_data": list(PUBLISHED)}
        arguments.json.write_text(json.dumps(found, indent=2))


def _wtmf_row(corpus: Path | None, saved: Path | None, pairs: Pairs, students: Students) -> Row:
    if saved is not None:
        encoder = Wtmf.load(saved)
    elif corpus is not None:
        with corpus.open(encoding="utf-8") as stream:
            print("fitting wtmf takes some minutes ...", file=sys.stderr)
            encoder = Wtmf.fit(stream, stem=stem)
    else:
        return {"encoder": "wtmf", "missing": "untrained: neither --corpus nor --wtmf was given"}
    if encoder.name != "wtmf":
        return {"encoder": "wtmf", "missing": f"untrained: only {encoder.sentences} sentences"}
    return {**_row(encoder, pairs, students), "fitted_on": encoder.sentences}


def _row(encoder: Encoder, pairs: Pairs, students: Students) -> Row:
    left, right, similarity = pairs
    cosines = np.sum(encoder.encode(left) * encoder.encode(right), axis=1)
    pyramid = Pyramid.build(students.references, builder="edua-g", encoder=encoder)
    found = students.scored(pyramid, "wmin", encoder=encoder)
    return {
        "encoder": encoder.name,
        "fingerprint": encoder.fingerprint[:8],
        "threshold": thresholds()[encoder.name],
        "sts_spearman": float(spearmanr(cosines, similarity).statistic),
        "sts_pearson": float(pearsonr(cosines, similarity).statistic),
        "cc_raw": students.agreement({"raw": found["raw"]})["raw"],
    }


def _pairs(path: Path) -> Pairs:
    with path.open(encoding="utf-8", newline="") as stream:
        left, right, human = zip(*csv.reader(stream), strict=True)
    return list(left), list(right), [float(value) for value in human]


def _print(rows: Sequence[Row]) -> None:
    print(f"{'':<14}{'STS-B dev':>20}  CC: raw score, edua-g and WMIN")
    print(
        f"{'encoder':<14}{'Spearman':>10}{'Pearson':>10}  "
        f"{'Pearson':>8}{'95% interval':>15}{'Spearman':>10}{'threshold':>11}"
    )
    for row in rows:
        if "missing" in row:
            print(f"{row['encoder']:<14}{row['missing']}")
            continue
        sts, cc = [f"{row[key]:.3f}" for key in STS], row["cc_raw"]
        fitted = f"  (fitted on {row['fitted_on']:,} sentences)" if "fitted_on" in row else ""
        interval = f"[{cc['low']:.2f}, {cc['high']:.2f}]"
        print(
            f"{row['encoder']:<14}{sts[0]:>10}{sts[1]:>10}  {cc['pearson']:>8.3f}{interval:>15}"
            f"{cc['spearman']:>10.3f}{row['threshold']:>11.2f}{fitted}"
        )
    columns = list(next(iter(PUBLISHED.values())))
    print(f"\n{'as published':<22}" + "".join(f"{column:>13}" for column in columns))
    for name, figures in PUBLISHED.items():
        print(f"{name:<22}" + "".join(f"{figures[column]:>13.3f}" for column in columns))
    print(f"\n{NOTE}")


if __name__ == "__main__":
    main()
