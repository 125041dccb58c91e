"""Narratives that are not as they should be: an answer, with everything at its place."""

import pytest

from commonground.narratives import Overlaps
from overlap_stories import FACTS, ORCHARD, VIOLIN, told

FINDER = Overlaps()
NAMES = ("bridge", "mayor")
LEFT = told(NAMES, 0)
RIGHT = told(NAMES, 1)
WORDINGS = {way for name in NAMES for way in FACTS[name]}


def found_in(*texts):
    found = FINDER.find(texts)
    passages = [passage for one in found.statements for passage in one.evidence]
    for passage in (*passages, *found.unique):
        assert texts[passage.narrative][passage.start : passage.end] == passage.text
    return [statement.text for statement in found.statements]


def in_html(text):
    paragraphs = "".join(f"<p class='x'>{one}.</p>" for one in text.rstrip(".").split(". "))
    styled = paragraphs.replace("Monday", "<b>Monday</b>")
    style = "<head><title></title><style>p { color: red }</style></head>"
    return f"<!DOCTYPE html>\n<html>{style}<body>{styled}<script>go(1 < 2)</script></body></html>"


def in_markdown(text):
    lines = [f"- {one}." for one in text.rstrip(".").split(". ")]
    styled = "\n".join(lines).replace("Monday", "**Monday**")
    return styled.replace("Elsbeth Quill", "[Elsbeth Quill](https://town.example/mayor)")


@pytest.mark.parametrize("marked", [in_html, in_markdown])
def test_markup_is_no_part_of_statements_but_of_what_is_quoted(marked):
    assert set(found_in(marked(LEFT), marked(RIGHT))) <= WORDINGS
    assert found_in(marked(LEFT), marked(RIGHT)) == found_in(LEFT, RIGHT)
    mixed = found_in(LEFT, marked(RIGHT))
    assert mixed == found_in(LEFT, RIGHT)
    quoted = FINDER.find([LEFT, marked(RIGHT)]).statements[0].evidence[1].text
    assert quoted in marked(RIGHT)
    assert "Monday</b>" in quoted or "**Monday**" in quoted


def test_signs_that_are_no_markup_stay():
    text = "Sales fell from 5 < 6 to 3 > 2 stars * and _rose_up_ again at AT&T in May."
    assert found_in(text, text) == [text]


def test_capitals():
    shouted = found_in(LEFT.upper(), RIGHT.upper())
    assert shouted
    assert set(shouted) <= {wording.upper() for wording in WORDINGS}
    assert found_in(LEFT, RIGHT.upper())


def without_marks(text):
    return text.replace(".", "").replace(",", "").lower()


def test_no_punctuation_at_all():
    assert found_in(without_marks(LEFT), without_marks(RIGHT))
    assert found_in(LEFT, without_marks(RIGHT))
    assert found_in(without_marks(" ".join(ORCHARD)), without_marks(" ".join(VIOLIN))) == []


def test_twenty_thousand_words_without_a_full_stop_are_read_in_pieces():
    words = without_marks(f"{LEFT} {ORCHARD[0]}").split()[:40]
    endless = " ".join(words * 500)
    statements = found_in(endless, LEFT)
    assert statements
    assert all(len(statement.split()) <= 40 for statement in statements)
    assert found_in(endless, " ".join(VIOLIN)) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "Die alte Brücke wurde am Montag gesperrt. Niemand wurde verletzt.",
            "Am Montag wurde die alte Brücke gesperrt. Der Sommer war heiß.",
        ),
        ("周一，旧桥因发现裂缝而关闭。没有人受伤。", "由于发现裂缝，旧桥周一关闭。"),
        ("أغلق الجسر القديم يوم الاثنين. لم يصب أحد.", "أغلق الجسر القديم يوم الاثنين."),
    ],
    ids=["German", "Chinese", "Arabic"],
)
def test_languages_that_the_parser_does_not_know(left, right):
    statements = found_in(left, right)
    assert statements
    for statement in statements:
        assert statement in left or statement in right


def test_lone_surrogates_control_characters_and_endless_words():
    for odd in ("\ud800", "\x00\x1b[2J", "\u200b", "😀" * 50, "x" * 5000):
        assert found_in(f"{LEFT} {odd}", f"{odd} {RIGHT}")


def test_letters_are_those_of_the_text_where_the_parser_reads_others():
    address = "https://town.example/" + "a" * 120
    text = f"The mayor, who was late, wrote \ud83d on {address} that the bridge is closed."
    assert found_in(text, text) == [text]


@pytest.mark.parametrize("text", ["", " ", "?!", "😀 😀"])
def test_texts_without_words_have_nothing_in_common(text):
    assert found_in(text, text) == []


def test_one_word():
    assert found_in("Fire", "Fire") == ["Fire."]
