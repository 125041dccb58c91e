import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.text import plain, split, unmarked


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<p>The <b>old</b> bridge</p>", "The old bridge"),
        ("<A HREF='x'>The bridge</A><br/>fell.", "The bridge fell."),
        ("<script>if (a < b) go()</script>It fell.<!-- no > yes -->", "It fell."),
        ("<style>p { x: y }</style><!DOCTYPE html>It fell.", "It fell."),
        ("Tom &amp; Ann &#8212; &ldquo;here&rdquo;", "Tom & Ann — “ here”"),
        ("**Bold**, *slanted*, __bold__, _slanted_ and `code`.", "Bold , slanted , bold , slanted"),
        ("See [the report](https://x.example/a_b) ![map](m.png) now.", "See the report now."),
        ("> It fell.\n> Nobody knew.", "It fell. Nobody knew."),
    ],
)
def test_marks_go_and_words_stay(text, words):
    assert " ".join(unmarked(text).split()).startswith(words)


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d",
        "<3 for <unknown> tags",
        "snake_case_name and 2 * 3 * 4",
        "AT&amp;T and R&D; and &c.",
        "Footnote [1] (see below)",
        "* An item\n* Another *\n# A heading",
        "5 > 4",
    ],
)
def test_what_is_no_markup_stays(text):
    assert unmarked(text) == text


def test_blocks_part_sentences():
    found = split(unmarked("<li>One tree</li><li>Two trees</li><p>A <i>hut</i></p>"))
    assert [sentence.text.split() for sentence in found] == [
        ["One", "tree"],
        ["Two", "trees"],
        ["A", "hut"],
    ]


@given(st.text(st.sampled_from("<>/pb!-&;a*_`[]()#> \n\\x"), max_size=60) | st.text(max_size=40))
def test_nothing_moves_and_nothing_comes_anew(text):
    plain = unmarked(text)
    assert len(plain) == len(text)
    for before, after in zip(text, plain, strict=True):
        assert after == before or after.isspace() or before == "&"


@pytest.mark.parametrize("start", ["<!--", "<script>", "<STYLE >", "<!-- <script> "])
def test_comments_and_scripts_without_end_take_no_time(start):
    """Each of them used to search the rest of the text: a megabyte took some minutes."""
    text = start * (1_000_000 // len(start))
    assert unmarked(text) == text
    assert start not in unmarked(f"{text}--></script></style>")


@pytest.mark.parametrize("start", ["\x1b]", "\x1bP"])
def test_terminal_commands_without_end_take_no_time(start):
    assert "\x1b" not in plain(start * 500_000)
    assert plain("\x1b]0;title\x07It fell.\x1bPq\x1b\\") == "It fell."
