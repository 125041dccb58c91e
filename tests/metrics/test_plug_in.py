"""The custom metric of docs/metrics.md, installed as a package of somebody else."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text("utf-8")
SECTION = PAGE.split("## A custom metric in twenty lines")[1]


def block(language):
    """The first example in the section."""
    return re.search(rf"```{language}\n(.*?)```", SECTION, flags=re.DOTALL)[1]


@pytest.fixture
def installed(tmp_path):
    """A folder on the path as `pip install` leaves it: the module and its entry points."""
    (tmp_path / "my_package.py").write_text(block("python"), "utf-8")
    entry = block("toml").splitlines()[1].replace('"', "")
    about = tmp_path / "my_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[commonground.metrics]\n{entry}\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(environment, *arguments):
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_the_metric_has_twenty_lines():
    body = block("python").split("class Jaccard")[1]
    assert len([line for line in body.splitlines() if line.strip()]) <= 20


def test_the_command_finds_an_installed_metric(installed, tmp_path):
    rows = [
        {"id": "1", "summary": "the dam broke", "references": ["the dam burst"], "system": "a"},
        {"id": "1", "summary": "rain fell", "references": ["the dam burst"], "system": "b"},
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["-m", "commonground", "score", "--predictions", str(path), "--metric", "jaccard"]
    first, second = json.loads(run(installed, *command, "--json"))["systems"]
    assert (first["jaccard"]["mean"], second["jaccard"]["mean"]) == (
        {"jaccard": 0.5},
        {"jaccard": 0.0},
    )
    assert first["jaccard"]["signature"].startswith("JACCARD|words:whole|refs:1|")


def test_python_finds_an_installed_metric(installed):
    code = (
        "from commonground.metrics import registry;"
        "metric = registry.create('jaccard', stemmer=True);"
        "print(registry.names()[-1], metric.score('the dams broke', ['the dam burst'])['jaccard'])"
    )
    assert run(installed, "-c", code).split() == ["jaccard", str(1 / 5)]
