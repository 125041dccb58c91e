import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.text import split, unmarked


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
