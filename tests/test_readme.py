"""What the README shows is what happens."""

import re
import shlex
from pathlib import Path

from commonground.cli import run

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)


def test_the_first_example_prints_its_output(capsys):
    position = next(n for n, (kind, _) in enumerate(BLOCKS) if kind == "python")
    exec(BLOCKS[position][1], {})
    assert capsys.readouterr().out == BLOCKS[position + 1][1]


def test_the_score_command_prints_its_table(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    position = next(n for n, (_, text) in enumerate(BLOCKS) if text.startswith("commonground "))
    assert run(shlex.split(BLOCKS[position][1])[1:]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == BLOCKS[position + 1][1].splitlines()
