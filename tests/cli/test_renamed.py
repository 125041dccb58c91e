"""`overlap --method` from before the split: it still works, with a notice."""

import pytest

from commonground.cli import run
from commonground.cli.app import renamed
from overlap_commands import answer


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("overlap a b", "overlap a b"),
        ("overlap a b --method statements --json", "overlap a b --json"),
        ("overlap a b --method words --stem", "define words a b --stem"),
        ("overlap --method=graph a b --html p", "define graph a b --html p"),
        ("overlap --method graph --device cpu a b", "define graph --device cpu a b"),
        ("overlap --method topics --device cpu a b", "define topics a b"),
        ("overlap --method words --method topics a b", "define topics a b"),
        ("overlap --method llm --model m a b", "generate --method llm --model m a b"),
        ("overlap a --method org/model b", "generate --method org/model a b"),
        ("overlap a -- --method words", "overlap a -- --method words"),
        ("overlap a b --method", "overlap a b --method"),
        ("pyramid score p s --method wmin", "pyramid score p s --method wmin"),
    ],
)
def test_old_spellings_become_new_ones(old, new):
    assert renamed(old.split()) == new.split()


@pytest.mark.parametrize(
    ("method", "options", "new"),
    [
        ("statements", ["--max-sentences", "1"], ["overlap"]),
        ("words", ["--ngrams", "2", "--stem", "--drop-stop-words"], ["define", "words"]),
        ("topics", ["--topics", "2"], ["define", "topics"]),
        ("facets", ["--at-least", "2", "--encoder", "minilm"], ["define", "facets"]),
        ("graph", ["--device", "cpu"], ["define", "graph"]),
    ],
)
def test_old_and_new_spelling_print_the_same(method, options, new, pair, capsys):
    words = [*pair, *options, "--json"]
    assert run(["overlap", *words, "--method", method]) == 0
    old = capsys.readouterr()
    assert old.out == answer(capsys, *words, command=new)
    assert old.err == (
        f"commonground: overlap --method {method} is deprecated and will be removed in version "
        f"0.2; use commonground {' '.join(new)}\n"
    )


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("facet", "unknown method 'facet'; did you mean 'facets'?"),
        ("brat", "unknown method 'brat'; did you mean 'bart'?"),
        ("", "unknown method ''"),
        ("/no/such/folder", "--method /no/such/folder: no such folder"),
        ("./bart", "--method ./bart: no such folder"),
        ("words/", "--method words/: no such folder"),
        ("left.txt", "--method left.txt is a file; give a model folder"),
    ],
)
def test_unknown_methods_are_one_line(method, reason, pair, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command in (["overlap"], ["generate"]):
        assert run([*command, *pair, "--method", method]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert reason in line or command == ["generate"]
