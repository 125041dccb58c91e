"""The examples of the README, the tutorials and the docs do what these show."""

import re
import shlex
from pathlib import Path

import pytest

from commonground.cli import run

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "docs/tutorials/researcher.md", "docs/reader.md", "docs/how-to/score.md"]


def blocks(page):
    return re.findall(r"```\w*\n(.*?)```", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)


BLOCKS = [block for page in PAGES for block in blocks(page)]
COMMANDS = re.findall(r"^commonground .*$", "".join(blocks("README.md")), flags=re.MULTILINE)


def block_and_output(start):
    """The block that starts like this, and the next one."""
    index = next(n for n, block in enumerate(BLOCKS) if block.startswith(start))
    return BLOCKS[index], BLOCKS[index + 1]


@pytest.mark.parametrize("start", ["left = (", "summary = ", "(reading,) = cg.Reader()"])
def test_the_examples_print_their_output(start, capsys):
    code, output = block_and_output(f"import commonground as cg\n\n{start}")
    exec(code, {})
    assert capsys.readouterr().out == output


def test_the_score_command_prints_its_table(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, output = block_and_output("commonground score --predictions examples/predictions")
    assert run(shlex.split(command)[1:]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == output.splitlines()


def test_the_overlap_commands_have_answers(capsys, monkeypatch, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    lines = [line for line in COMMANDS if line.startswith("commonground overlap ")]
    files, page = (line for line in lines if "--input" not in line)
    assert run(shlex.split(files)[1:]) == 0
    assert "harbour-post.txt" in capsys.readouterr().out
    words = [
        name
        for word in shlex.split(page)[1:]
        for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    assert run(words) == 0
    assert "town-hall.txt" in (tmp_path / "page.html").read_text("utf-8")


def test_the_first_screen_has_a_picture_and_three_lines_of_code():
    first = (ROOT / "README.md").read_text("utf-8").splitlines()[:20]
    code = "\n".join(first).split("```python\n")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line]) == 3
    (picture,) = re.findall(r"^!\[[^\]]+\]\((.+)\)$", "\n".join(first), flags=re.MULTILINE)
    assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")
