"""Marks in a text: joined, nested, and never part of its letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.report import joined
from commonground.report.marks import Mark, marked
from text_columns import Columns


def test_neighbouring_spans_are_joined():
    assert joined([(4, 6), (0, 3), (8, 9)], "abc de. f") == [(0, 6), (8, 9)]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "A title\n\nSome words that go\non and on here.",
            "A title<br>\n<br>\nSome words that go\n",
        ),
        ("- one\n- two and more", "- one<br>\n- two and more"),
        ("so it goes\non and on", "so it goes\non and on"),
    ],
)
def test_lines_are_kept_unless_a_file_was_wrapped_there(text, html):
    assert marked(text, []).startswith(html)


def test_crossing_marks_are_closed_and_opened_again():
    marks = [Mark(0, 4, "a", "x", "first", "<b></b>"), Mark(2, 6, "c", "y", "second", "<i></i>")]
    assert marked("abcdef", marks) == (
        '<mark id="first" class="a" data-key="x"><b></b>ab'
        '<mark id="second" class="c" data-key="y"><i></i>cd</mark></mark>'
        '<mark class="c" data-key="y">ef</mark>'
    )


def test_of_equal_marks_the_first_given_lies_outside():
    same = [Mark(0, 2, "a"), Mark(0, 2, "b"), Mark(1, 2, "c")]
    inner = '<mark class="a"><mark class="b">x<mark class="c">y</mark></mark></mark>'
    assert marked("xy", same) == inner


# Whatever a text file may hold; a page cannot hold a null at all.
TEXTS = st.text(st.one_of(st.sampled_from("ab <&\n\r;"), st.characters(exclude_characters="\0")))


@st.composite
def marked_texts(draw):
    text = draw(TEXTS)
    edge = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(edge, edge).map(sorted), max_size=8))
    return text, [tuple(span) for span in spans]


@given(marked_texts())
def test_any_marks_leave_the_text_as_it_is_and_cover_just_their_letters(drawn):
    text, spans = drawn
    marks = [
        Mark(start, end, "k", key=str(number), name=f"m{number}")
        for number, (start, end) in enumerate(spans)
    ]
    page = Columns(f'<div class="text">{marked(text, marks)}</div>')
    assert page.texts() == [text]
    for place, (_, _, inside) in enumerate(page.columns[0]):
        wanted = [str(n) for n, (start, end) in enumerate(spans) if start <= place < end]
        assert sorted(key for key in inside if key and key.isdigit()) == sorted(wanted)
    names = [attrs["id"] for attrs in page.named("mark") if "id" in attrs]
    assert sorted(names) == sorted(f"m{n}" for n, (start, end) in enumerate(spans) if start < end)
