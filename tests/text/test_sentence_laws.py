"""Laws that hold for every text."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.text import Sentence, split
from commonground.text.splitting.layout import flatten

# Text of the pieces that the rules look at, so that they meet in ways nobody thought of.
PIECES = st.sampled_from(
    [
        *" \n.!?…()[]\"'“”-*•#\t\r\x00\u200b\u2029\ud800😀。」",
        *(
            "\n\n",
            "...",
            ". . .",
            "- ",
            "1. ",
            "(a) ",
            "## ",
            "---",
            "U.S.",
            "p.m.",
            "Mr. ",
            "No. 5",
        ),
        *("The", "the", "Cole", "said", "said ", "J. ", "Monday.The", "example.com", "https://x.y"),
        *("(@cole) May 1, 2020 ", "It rained. ", "你好。", "क्या।", "2020", "A"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))

# What may stand between sentences: nothing visible but list markers, headings' marks and rules.
MARKER = (
    r"[-–—+*•‣⁃◦▪▫●○■□➢✓✔]|--|\#{1,6}|\(?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,5})[.)]|[-*_=~—–\s]{3,}"
)
GAP = re.compile(rf"\s*(?:(?:{MARKER})\s*)*")


@settings(deadline=None)
@given(TEXTS)
def test_sentences_and_gaps_rebuild_the_text(text):
    flat = flatten(text)
    assert len(flat) == len(text)
    place = 0
    for sentence in split(text):
        assert place <= sentence.start < sentence.end <= len(text)
        assert text[sentence.start : sentence.end] == sentence.text
        assert flat[sentence.start : sentence.end].strip() == flat[sentence.start : sentence.end]
        assert GAP.fullmatch(flat[place : sentence.start])
        place = sentence.end
    assert GAP.fullmatch(flat[place:])


@settings(deadline=None)
@given(TEXTS)
def test_no_sentence_is_blank_or_padded(text):
    for sentence in split(text):
        assert sentence.text == sentence.text.strip() != ""


@settings(deadline=None)
@given(TEXTS)
def test_every_letter_outside_markers_is_kept(text):
    """Gaps hold markers only, so a word of more than five letters is always in a sentence."""
    kept = " ".join(sentence.text for sentence in split(text))
    for word in re.findall(r"[^\W\d_]{6,}", flatten(text)):
        assert word in flatten(kept)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_a_new_paragraph_leaves_earlier_ones_alone(text, more):
    before = split(text)
    assert split(f"{text}\n\n{more}")[: len(before)] == before


@settings(deadline=None)
@given(TEXTS)
def test_splitting_is_deterministic(text):
    assert split(text) == split(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Hale met the U.S. envoy at 5 p.m. Monday.",
        'He said "Stop." and left.',
        "The plan (see Fig. 2. It is old.) failed.",
        '"Why now?" Sen. Ada Cole, R-Ariz., asked.',
    ],
)
def test_a_sentence_stays_one(text):
    assert split(text) == [Sentence(text, 0, len(text))]


MEGABYTE = [*"(.!a \n\x00", "a. ", ".)", "The end. "]
LESS = [
    *(")", "()", "A. ", '"', "! ", ". ", "? . ", "(. ", '."A', '." ', "- ", "-\n", "- a\n", "..."),
    *(
        "1. ",
        "1.\n",
        "[1].",
        "😀",
        "! 😀",
        "。",
        "好。",
        "\ud800",
        "\u200b",
        "\r",
        "\t",
        "•  ",
        "#",
    ),
    *("A.B.", 'Q?" A ', "\u2029", "abc.The "),
]
SIZES = [*((unit, 1_000_000) for unit in MEGABYTE), *((unit, 100_000) for unit in LESS)]


@pytest.mark.parametrize(("unit", "size"), SIZES, ids=ascii)
def test_very_much_of_anything(unit, size):
    text = unit * (size // len(unit))
    found = split(text)
    assert all(text[s.start : s.end] == s.text for s in found[:100])
    assert [s.start for s in found] == sorted({s.start for s in found})


def test_threads_agree():
    texts = [f"Mr. Hale met No. {n}. He left the U.S. They did not." for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(split, texts)) == [split(text) for text in texts]
