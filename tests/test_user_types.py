"""mypy accepts what runs, and refuses what does not, in the script of a user."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

SCRIPT = """
from typing import Any

import commonground as cg
from commonground.agreement import Scores
from commonground.metrics import Corpus, Metric, Rouge, Score, SemF1

result = cg.overlap(["It rained all night.", "It rained. Schools were shut."], at_least=2)
text: str = result.summary
for statement in result.statements:
    likely: float = statement.probability
checked = cg.verify("It rained.", ["Rain fell."])
f1: float = cg.sem_f1("Rain fell.", ["It rained."]).f1
recall: float = cg.rouge("Rain fell.", ["It rained."])["rouge1"].recall
points: float = cg.Pyramid.build(["It rained.", "Rain fell."]).score("It rained.").raw
corpus = Rouge(types=["rouge1"], stemmer=True).corpus(["Rain."], [["It rained."]])
names: list[str] = list(corpus.to_dataframe().columns)
scores: Scores = cg.agreement.Scores.of([("1", "a", "m", 0.5)])
bibtex: str = result.cite()
metrics: list[Metric[Any, Any]] = [Rouge(), SemF1("static")]
report = cg.benchmark.Report.compare("run", metrics=["rouge1.recall"]).to_latex


class Length(Metric[Score, Corpus]):
    name = "length"
    columns = ("words",)

    def score(self, prediction, references):  # type: ignore[no-untyped-def]
        return Score({"words": len(prediction)}, self.signature(prediction, references))
"""
WRONG = {
    "cg.overlap(3)": "arg-type",
    "cg.rouge('Rain.', ['Rain.'], stemer=True)": "call-arg",
    "cg.overlap(['a', 'b']).sumary": "attr-defined",
}


def test_mypy_on_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("\n".join([SCRIPT, *WRONG]), "utf-8")
    # The cache is that of `make types`.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(script)], cwd=ROOT, capture_output=True, text=True
    )
    first = SCRIPT.count("\n") + 2
    found = [line.partition("script.py:")[2] for line in done.stdout.splitlines()]
    errors = [line for line in found if " error: " in line]
    assert len(errors) == len(WRONG), done.stdout
    for line, (number, code) in zip(errors, enumerate(WRONG.values(), start=first), strict=True):
        assert line.startswith(f"{number}:") and line.endswith(f"[{code}]"), line
