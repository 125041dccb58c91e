"""An overlap on a terminal and in a pipe."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from commonground.cli.overlap import conflict_count, overlap_lines, print_overlap
from overlap_results import LEFT, MILL, RIGHT, passage, result


def plain(data, width=80, terminal=True):
    screen = Console(file=io.StringIO(), width=width, force_terminal=terminal)
    return [line.plain for line in overlap_lines(data, screen)]


def test_summary_evidence_conflicts_and_own_text_each_with_its_sign():
    assert plain(MILL) == [
        "What both say",
        "The mill burned. [1] Nobody was hurt. [2]",
        "",
        "The narratives",
        "A paper 1",
        "B paper 2",
        "",
        "Where they say it",
        "[1] A The mill burned on Monday. (90%)",
        "    B A fire destroyed the mill. (90%)",
        "[2] A Nobody was hurt. (90%)",
        "    B There were no injuries, and 15 men came. (90%)",
        "",
        "Where they differ",
        "≠1 A →Twelve← men fought the fire.",
        "   B There were no injuries, and →15← men came. (number, 72% likely)",
        "",
        "Only in A",
        "A It was old.",
        "",
        "Only in B",
        "B The owner wept.",
        "",
        "OVERLAP|v:1",
    ]


def test_nothing_in_common_is_said_plainly():
    lines = plain(result(["It rained.", "Bees hum."]))
    assert lines[:2] == ["What both say", "The texts share no statement."]
    assert "Where they say it" not in lines


def test_who_agrees_and_what_bridged_the_wordings():
    texts = ["It rained.", "Rain fell.", "The sun shone."]
    data = result(texts, [("It rained.", {0: texts[0]})], at_least=2)
    data["statements"][0]["weight"] = 2
    data["statements"][0]["evidence"].append(passage(texts, 1, texts[1], "Rain\nfalls."))
    lines = plain(data)
    assert lines[0] == "What at least 2 of 3 say"
    assert "    B Rain fell. (90%, through “Rain falls.”, by 2 of 3)" in lines


@pytest.mark.parametrize("width", [20, 33, 60])
def test_narrow_terminals_wrap_under_the_words(width):
    lines = plain(MILL, width)
    room = max(width, 24 + len("[1] A "))
    assert all(cell_len(line) <= room for line in lines)
    place = lines.index("Where they say it")
    assert lines[place + 1].startswith("[1] A The mill")
    words = " ".join(" ".join(lines).split())
    assert "B There were no injuries, and 15 men came. (90%)" in words
    assert not any(line.endswith(" ") for line in lines)


def test_a_pipe_gets_whole_lines_without_colours(capsys):
    words = "word " * 200
    print_overlap(result([words, words], [(words, {0: words, 1: words})]))
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.splitlines()[1] == words + "[1]"


def test_colours_only_come_on_top_of_the_signs():
    screen = Console(
        file=io.StringIO(), width=80, force_terminal=True, color_system="standard", no_color=False
    )
    for line in overlap_lines(MILL, screen):
        screen.print(line, soft_wrap=True)
    assert "\x1b[1;34m[1]" in screen.file.getvalue()
    assert "\x1b[1;31m→Twelve←" in screen.file.getvalue()


def test_nothing_said_moves_the_cursor_or_is_read_as_markup():
    nasty = "[red]It\x1b[2J rained.\r\nAll day:smile:"
    data = result(
        [nasty, LEFT, RIGHT],
        [(nasty, {0: nasty})],
        [(0, nasty)],
        [(nasty, {0: (nasty, "rained"), 1: (LEFT, "mill")})],
        sources=[nasty] * 3,
    )
    screen = Console(file=io.StringIO(), width=400, color_system=None)
    for line in overlap_lines(data | {"signature": nasty}, screen):
        screen.print(line, soft_wrap=True)
    out = screen.file.getvalue()
    assert "\x1b" not in out and "\r" not in out
    assert out.count("[red]It [2J rained. All day:smile:") == 8
    assert "[red]It [2J →rained←. All day:smile:" in out


def test_markup_of_the_narratives_is_not_shown():
    texts = [
        "<p>The <b>mill</b> burned\non [Monday](https://example.org/a).</p> Twelve **men** came.",
        "A fire destroyed the &quot;mill&quot;. _Fifteen_ men came.",
    ]
    quoted = {0: texts[0].split("</p>")[0], 1: texts[1].split(" _")[0]}
    data = result(texts, [("The mill burned.", quoted)])
    lines = plain(data)
    assert "[1] A The mill burned on Monday. (90%)" in lines
    shown = " ".join(lines)
    assert not any(sign in shown for sign in ("<", "**", "&quot;", "](", "_Fifteen"))


@pytest.mark.parametrize(
    ("passages", "shown", "rest"), [(5, 5, 0), (6, 6, 0), (7, 5, 2), (17, 5, 12)]
)
def test_only_the_first_of_the_own_passages_are_shown(passages, shown, rest):
    told = [f"Only this one tells of matter {number}." for number in range(passages)]
    lines = plain(result([" ".join(told), "Rain."], unique=[(0, one) for one in told]))
    assert [line for line in lines if line.startswith("A Only")] == [
        f"A {one}" for one in told[:shown]
    ]
    more = f"and {rest} more; --html or --json shows all"
    assert (more in lines) == bool(rest)
    assert any("more;" in line for line in lines) == bool(rest)


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, []), (1, ["1 conflict, see the page."]), (3, ["3 conflicts, see the page."])],
)
def test_conflicts_are_counted_for_those_who_see_the_summary_alone(count, told):
    assert list(conflict_count({"conflicts": [{}] * count})) == told
