"""`commonground define`: words, topics, facets and graphs, and wrong options."""

import json

import pytest

from commonground.cli.app import DEFINITIONS
from overlap_commands import LEFT, RIGHT, answer, one_line


def defined(capsys, name, *arguments):
    return answer(capsys, *arguments, command=("define", name))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_definition_prints_and_gives_json(name, pair, capsys):
    assert defined(capsys, name, *pair).splitlines()[-1].startswith(f"OVERLAP|method:{name}|")
    assert "detour" in json.dumps(json.loads(defined(capsys, name, *pair, "--json")))


@pytest.mark.parametrize("name", DEFINITIONS)
@pytest.mark.parametrize("texts", [("Oh?!", "周一旧桥关闭。"), (LEFT.upper(), RIGHT)])
def test_unusual_texts_have_an_answer(name, texts, file, capsys):
    files = [file(f"{number}.txt", text) for number, text in enumerate(texts)]
    assert isinstance(json.loads(defined(capsys, name, *files, "--json")), dict)


def test_words_by_length_without_stop_words_and_by_stem(file, capsys):
    files = [
        file("a.txt", "The votes were counted. The votes of the house were counted."),
        file("b.txt", "They counted voting machines. A vote of the house was counted."),
    ]
    options = ["--ngrams", "1,4", "--drop-stop-words", "--stem", "--json"]
    found = json.loads(defined(capsys, "words", *files, *options))
    assert [(gram["form"], gram["counts"]) for gram in found["grams"]] == [
        ("vote of the house", [1, 1]),
        ("counted", [2, 2]),
        ("votes", [2, 2]),
        ("house", [1, 1]),
    ]
    assert "|n:1+4|stop:dropped|stem:porter|" in found["signature"]
    printed = defined(capsys, "words", *files, "--ngrams", "2-3").splitlines()
    assert printed[1].split()[:4] == ["of", "the", "house", "1"]
    assert printed[-1].startswith("OVERLAP|method:words|n:2+3|stop:kept|stem:no|")


def test_the_number_of_topics(pair, capsys):
    found = json.loads(defined(capsys, "topics", *pair, "--topics", 1, "--json"))
    assert len(found["topics"]) == 1
    assert "|topics:1|" in found["signature"]


def test_facets_of_two_of_three(pair, file, capsys):
    files = [*pair, file("other.txt", "Nothing of the kind.")]
    found = json.loads(defined(capsys, "facets", *files, "--at-least", 2, "--json"))
    assert "|of:2/3|" in found["signature"]


def test_the_graph_has_a_page(pair, tmp_path, capsys):
    defined(capsys, "graph", *pair, "--html", tmp_path / "graph.html")
    assert "<svg" in (tmp_path / "graph.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["topics", "--topics", "0"], "Invalid value for '--topics'"),
        (["words", "--ngrams", "3-1"], "--ngrams must be lengths from 1 to 20"),
        (["words", "--ngrams", "two"], "--ngrams must be lengths from 1 to 20"),
        (["words", "--ngrams", "0"], "--ngrams must be lengths from 1 to 20"),
        (["facets", "--at-least", "3"], "--at-least 3: there are only 2 narratives"),
        (["words", "--at-least", "2"], "No such option: --at-least (commonground define words -"),
        (["words", "--html", "p.html"], "No such option: --html"),
        (["facets", "--topics", "2"], "No such option: --topics"),
        (["graph", "--output", "o.jsonl"], "--output and --resume require --input"),
    ],
)
def test_wrong_options_are_one_line(words, reason, pair, capsys):
    assert reason in one_line(capsys, words[0], *pair, *words[1:], command=("define",))
