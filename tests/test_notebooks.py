"""The notebooks run on the default install and print what they show (`make notebooks`)."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# Runs the cells without the extras, and prints what each printed as a JSON list.
RUNNER = """
import contextlib, io, json, sys

class NoExtras:
    def find_spec(self, name, path=None, target=None):
        if name in ("matplotlib", "pandas", "polars", "pyarrow", "torch", "transformers"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NoExtras())
names, printed = {}, []
for source in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(source, names)
    printed.append(stream.getvalue())
print(json.dumps(printed))
"""

NUMBER = re.compile(r"\d*\.\d+")


def cells(path):
    """The source of each code cell and what it printed."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert all(output["output_type"] != "error" for output in cell["outputs"])
            printed = [output for output in cell["outputs"] if output.get("name") == "stdout"]
            yield "".join(cell["source"]), "".join("".join(one["text"]) for one in printed)


def test_there_are_four():
    assert [path.stem for path in NOTEBOOKS] == ["agreement", "compare", "grade", "score"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path):
    sources, shown = zip(*cells(path), strict=True)
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        cwd=FOLDER,
    )
    assert done.returncode == 0, done.stderr
    for source, now, before in zip(sources, json.loads(done.stdout), shown, strict=True):
        assert NUMBER.sub("#", now) == NUMBER.sub("#", before), f"run `make notebooks`: {source}"
        # Another kind of processor moves probabilities in the third digit.
        figures = [[float(one) for one in NUMBER.findall(text)] for text in (now, before)]
        assert figures[0] == pytest.approx(figures[1], abs=0.011), f"run `make notebooks`: {source}"
