"""Every link, command and file name in the documentation exists."""

import re
import shlex
import string
from itertools import chain
from pathlib import Path

import pytest
from typer.main import get_command

from commonground.cli import run
from commonground.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
# Pages that `make docs` makes (tests/test_site.py).
MADE = {"benchmarks.md", "gallery", "notebooks"}
FENCE = re.compile(r"^```.*?^```", flags=re.DOTALL | re.MULTILINE)
FILE_NAME = re.compile(
    r"(?<!\S)[a-z_]+/(?:[a-z0-9_.*/-]*\.(?:json|md|py|sh|toml|txt)|[a-z_/]*/|)(?!\S)"
)
ENDS = {"|", ">", "&&", ";"}


def pages():
    return pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page):
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), flags=re.MULTILINE)
    removed = str.maketrans("", "", string.punctuation.replace("-", "").replace("_", ""))
    return {heading.lower().translate(removed).replace(" ", "-") for heading in headings}


def inline_code(text):
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", FENCE.sub("", text))]


def command_lines(text):
    """The `commonground` commands in code blocks and in inline code."""
    blocks = "\n".join(FENCE.findall(text)).replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?(commonground .*)$", blocks, flags=re.MULTILINE)
    return lines + [code for code in inline_code(text) if code.startswith("commonground ")]


def unknown_words(line):
    """The commands and options of a line that the command line does not have."""
    command, context = get_command(app), None
    unknown = []
    for word in shlex.split(line.replace("[", " ").replace("]", " "), comments=True)[1:]:
        if word in ENDS:
            break
        if word.startswith("-") and len(word) > 1:
            known = {name for option in command.params for name in option.opts}
            if word.split("=")[0] not in known | {"--help"}:
                unknown.append(word)
        elif hasattr(command, "get_command") and not word.startswith((".", "…")):
            found = command.get_command(context, word)
            if found is None:
                return [*unknown, word]
            command = found
    return unknown


@pages()
def test_links_resolve(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text("utf-8"))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if (ROOT / "docs") in path.parents and path.relative_to(ROOT / "docs").parts[0] in MADE:
            continue
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), target


@pages()
def test_commands_and_options_exist(page):
    for line in command_lines(page.read_text("utf-8")):
        assert unknown_words(line) == [], line


@pages()
def test_files_exist(page):
    """A path in inline code is relative to the repository, to src or to the package."""
    folders = [ROOT, ROOT / "src", ROOT / "src" / "commonground"]
    for code in inline_code(page.read_text("utf-8")):
        for name in FILE_NAME.findall(code):
            homes = [folder for folder in folders if (folder / name.split("/")[0]).exists()]
            if homes and not name.startswith("bench/out/"):
                assert any(list(home.glob(name.rstrip("/"))) for home in homes), name


def test_the_architecture_is_followed_in_few_files():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    followed = text.split("## From the command line to the result")[1].split("\n## ")[0]
    assert 10 <= len({name for name in inline_code(followed) if name.endswith(".py")}) <= 25


def test_the_console_of_verify_is_shown_as_it_is(capsys, monkeypatch):
    block = re.search(
        r"```console\n(.*?)```", (ROOT / "docs" / "verify.md").read_text("utf-8"), re.S
    )
    command, *lines = block[1].splitlines()
    monkeypatch.chdir(ROOT)
    words = shlex.split(command.removeprefix("$ commonground "))
    names = [sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in words]
    assert run(list(chain.from_iterable(names))) == 0
    printed = capsys.readouterr().out.splitlines()
    for line in lines:
        assert any(other.startswith(line.rstrip("… ")) for other in printed), line


def test_wrong_commands_are_noticed():
    assert unknown_words("commonground overlap a.txt --at-least 2 --html page.html") == []
    assert unknown_words("commonground pyramid build refs -o p.json --preset pyreval") == []
    assert unknown_words("commonground overlap a.txt --at-most 2") == ["--at-most"]
    assert unknown_words("commonground pyramid burn") == ["burn"]
