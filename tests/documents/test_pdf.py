"""PDF files: paragraphs as they were written, not as they were set."""

import pytest

from commonground.documents import extract
from document_files import column, pdf_of

FIRST = (
    "The council met on Tuesday to decide about the swimming pool. It took three hours, and "
    "the gallery was full. At the end the mem- bers voted by show of hands."
)
SECOND = (
    "Eleven of them were for the closure and nine against it. A well-known member had left the "
    "room before the vote was taken."
)
HEAD, FOOT = (72, 770, "The Harbour Post"), (280, 30, "{}")


def page(number, *paragraphs):
    lines, top = [], 700
    for paragraph in paragraphs:
        set_ = column(paragraph, top=top)
        lines += set_
        top = set_[-1][1] - 24
    return [(72, 770, "The Harbour Post"), *lines, (290, 30, str(number))]


def test_lines_are_joined_and_paragraphs_kept():
    found = extract(pdf_of(page(1, FIRST.replace("mem- bers", "members"), SECOND)))
    assert found.text.split("\n\n")[1:] == [FIRST.replace("mem- bers", "members"), SECOND]


def test_running_heads_and_page_numbers_are_dropped():
    pages = [page(n, f"Page of the year {n}. " + SECOND) for n in (7, 8, 9)]
    assert extract(pdf_of(*pages)).text == "\n\n".join(
        f"Page of the year {n}. {SECOND}" for n in (7, 8, 9)
    )


def test_heads_of_left_and_right_pages():
    pages = []
    for number in range(1, 7):
        head = (72, 770, "Chapter 2" if number % 2 else f"{number} The Harbour Post")
        pages.append([head, *column(f"Text number {'abcdefg'[number]}. {SECOND}")])
    text = extract(pdf_of(*pages)).text
    assert "Harbour" not in text
    assert "Chapter" not in text
    assert text.count(SECOND) == 6


@pytest.mark.parametrize("number", ["12", "- 12 -", "Page 3 of 10", "xiv", "Seite 4"])
def test_page_numbers(number):
    lines = [*column(SECOND), (280, 30, number)]
    assert extract(pdf_of(lines)).text == SECOND


def test_a_number_in_the_text_stays():
    text = extract(
        pdf_of([(72, 700, "They counted"), (72, 688, "12"), (72, 676, "boats in all.")])
    ).text
    assert text == "They counted 12 boats in all."


def test_hyphens_of_line_breaks():
    lines = [
        "The well-known mem-",
        "bers of the coun-",
        "cil, all of them well-",
        "known, voted in East-",
        "Anglia.",
    ]
    set_ = [(72, 700 - 12 * number, line) for number, line in enumerate(lines)]
    assert extract(pdf_of(set_)).text == (
        "The well-known members of the council, all of them well-known, voted in East- Anglia."
    )


def test_a_paragraph_that_goes_over_the_page():
    text = (
        "The inquiry into the course of the ship will last until the spring and cost a great deal "
        "of money and time."
    )
    first, *rest = column(text)
    found = extract(pdf_of([first], [(x, y + 12, words) for x, y, words in rest]))
    assert found.text == text


LEFT = (
    "The left column begins the story of the pool and it goes on for some lines until it ends here."
)
RIGHT = "Then the right column tells the rest of it, and needs some lines before it is all told."


def columns():
    left = column(LEFT, x=72, width=20)
    right = column(RIGHT, x=320, width=20)
    assert min(len(left), len(right)) >= 5
    return left, right


def test_columns_in_the_order_of_columns():
    left, right = columns()
    assert extract(pdf_of([*left, *right])).text == f"{LEFT}\n\n{RIGHT}"


def test_columns_in_the_order_of_rows():
    left, right = columns()
    rows = [line for pair in zip(left, right, strict=False) for line in pair]
    rest = [*left[len(right) :], *right[len(left) :]]
    title = (72, 740, "A headline over both columns", 18)
    text = extract(pdf_of([title, *rows, *rest])).text
    assert text == f"A headline over both columns\n\n{LEFT}\n\n{RIGHT}"


def test_headings_and_lists_are_blocks():
    lines = [
        (72, 700, "What was decided", 16),
        (72, 680, "The pool closes in the autumn of this year, and the"),
        (72, 668, "roof stays as it is."),
        (72, 656, "1. The club moves."),
        (72, 644, "2. The site is not sold."),
    ]
    assert extract(pdf_of(lines)).text.split("\n\n") == [
        "What was decided",
        "The pool closes in the autumn of this year, and the roof stays as it is.",
        "1. The club moves.",
        "2. The site is not sold.",
    ]


def test_indented_paragraphs():
    lines = [
        (82, 700, "The pool closes in the autumn of this year, says the council"),
        (72, 688, "which has thought about it for a very long time indeed, it said"),
        (82, 676, "The club has other plans and will go to court about it, if it"),
        (72, 664, "must."),
    ]
    assert extract(pdf_of(lines)).text.split("\n\n") == [
        "The pool closes in the autumn of this year, says the council which has thought about it "
        "for a very long time indeed, it said",
        "The club has other plans and will go to court about it, if it must.",
    ]


@pytest.mark.parametrize(
    ("title", "shown"),
    [("The pool", "The pool"), ("Microsoft Word - pool.doc", ""), ("untitled", ""), ("a.pdf", "")],
)
def test_the_title(title, shown):
    assert extract(pdf_of(column(SECOND), title=title)).title == shown
