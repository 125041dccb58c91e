"""`commonground verify` on text made elsewhere."""

import json
from pathlib import Path

import pytest

from commonground.cli import run

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

LEFT = "The ferry ran aground on Saturday. Its captain resigned a day later."
RIGHT = "On Saturday a ferry ran aground off the harbour. Nobody was hurt."
SUMMARY = "Both reports say that the ferry ran aground on Saturday. The captain resigned."


@pytest.fixture
def files(tmp_path):
    texts = {"summary.txt": SUMMARY, "left.txt": LEFT, "right.txt": RIGHT}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def test_each_sentence_is_shown_with_its_evidence_or_reason(files, capsys):
    assert run(["verify", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "+ Both reports say that the ferry ran aground on Saturday."
    assert lines[1] == "    read as: The ferry ran aground on Saturday."
    assert lines[2].startswith("    left.txt (") and lines[2].endswith(
        "%): The ferry ran aground on Saturday."
    )
    assert lines[3].startswith("    right.txt (")
    assert lines[4:6] == ["- [-The captain resigned.-]", "    not found in right.txt"]
    assert "1 of 2 sentences is supported." in lines
    assert lines[-1].startswith("VERIFY|mode:drop|")


def test_the_example_of_the_readme(capsys):
    narratives = sorted((EXAMPLES / "overlap" / "news").glob("*.txt"))
    summary = EXAMPLES / "verify" / "written-by-a-model.txt"
    assert run(["verify", str(summary), *map(str, narratives), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "failed on Tuesday" in found["summary"] and "on Thursday" in found["summary"]
    dropped = {one["text"]: one["reason"] for one in found["dropped"]}
    assert dropped["Inspectors had warned of corrosion two years ago."] == (
        "not found in harbour-post.txt"
    )
    assert "About 340 people were brought to safety." in dropped


def test_json_is_one_object(files, capsys):
    assert run(["verify", *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"] == "The ferry ran aground on Saturday."
    assert [one["source"] for one in found["narratives"]] == ["left.txt", "right.txt"]
    assert found["dropped"] == [
        {"text": "The captain resigned.", "reason": "not found in right.txt"}
    ]


def test_the_page_is_written(files, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["verify", *files, "--html", str(page)]) == 0
    assert '<mark class="lacking">The captain resigned.</mark>' in page.read_text("utf-8")
    assert "1 of 2 sentences is supported." in capsys.readouterr().out


def test_warnings_are_one_line_each(files, capsys):
    german = "Die Fähre lief am Montag vor dem Hafen auf Grund. Alle Fahrgäste wurden gerettet. "
    Path(files[2]).write_text(german * 3, encoding="utf-8")
    assert run(["verify", *files]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("commonground: warning: ")
    assert printed.err.count("\n") == 1


def test_one_source_will_do(files, capsys):
    assert run(["verify", *files[:2]]) == 0
    assert "2 of 2 sentences are supported." in capsys.readouterr().out


def test_flagged_sentences_stay(files, capsys):
    assert run(["verify", *files, "--verify", "flag", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"] == SUMMARY


def test_flagged_sentences_are_marked_in_the_text(files, capsys):
    assert run(["verify", *files, "--verify", "flag"]) == 0
    first = SUMMARY.split(". ")[0]
    assert f"{first}. [unsupported: The captain resigned.]" in capsys.readouterr().out.splitlines()


def test_files_of_one_name_are_told_apart(files, tmp_path, capsys):
    for name, path in (("monday", files[1]), ("friday", files[2])):
        (tmp_path / name).mkdir()
        Path(path).rename(tmp_path / name / "a.txt")
    assert run(["verify", files[0], *map(str, sorted(tmp_path.glob("*/a.txt")))]) == 0
    out = capsys.readouterr().out
    assert "    monday/a.txt (" in out and "    not found in friday/a.txt\n" in out


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("The ferry ran aground on Saturday.", "1 of 1 sentence is supported."),
        ("The choir sang.", "0 of 1 sentence is supported."),
        ("The choir sang. A baker laughed.", "0 of 2 sentences are supported."),
    ],
)
def test_sentences_are_counted(files, summary, told, capsys):
    Path(files[0]).write_text(summary)
    assert run(["verify", *files]) == 0
    assert told in capsys.readouterr().out.splitlines()


def test_commands_to_a_terminal_are_not_obeyed(files, capsys):
    Path(files[0]).write_text("\x1b[31mThe ferry ran aground on Saturday.\x1b[0m")
    assert run(["verify", *files, "--verify", "flag"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_nothing_left_is_said(files, tmp_path, capsys):
    (tmp_path / "summary.txt").write_text("The choir sang two songs.")
    assert run(["verify", *files]) == 0
    assert "Nothing is left of the summary." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{0}"], "at least one source"),
        (["{0}", "{1}", "missing.txt"], "missing.txt"),
        (["{0}", "{1}", "{2}", "--verify", "off"], "verify has no off mode"),
        (["{0}", "{1}", "{2}", "--encoder", "minilmm"], "did you mean 'minilm'"),
    ],
)
def test_wrong_commands_are_one_line(files, words, told, capsys):
    assert run(["verify", *(word.format(*files) for word in words)]) == 2
    printed = capsys.readouterr()
    assert told in printed.err and printed.err.count("\n") == 1 and not printed.out
