"""Where layout ends sentences, where it does not, and what is left out of them."""

import pytest

from commonground.text import split

WRAPPED = """\
The committee met on Tuesday to hear what the engineers had found, and
President Ada Cole, who had asked for the report, thanked them for it.
Nobody spoke for long, because the bridge was still closed to all and
Moss Street was under water, as it had been since the rain began on
14 March."""

CASES = {
    "blank lines": ("It rained\n\nWe left\n \t\nThey came", ["It rained", "We left", "They came"]),
    "blank line after a comma": ("Dear Ada,\n\nwe left.", ["Dear Ada,", "we left."]),
    "dashes": ("- one thing\n- another. And more", ["one thing", "another.", "And more"]),
    "stars": ("Bring:\n* bread\n* salt\n", ["Bring:", "bread", "salt"]),
    "dots": ("Bring\n• bread\n  ◦ rye\n• salt", ["Bring", "bread", "rye", "salt"]),
    "dots in a line": ("Bring • bread • salt", ["Bring", "bread", "salt"]),
    "numbers": ("1. Go home.\n2. Sleep\n10. Rise", ["Go home.", "Sleep", "Rise"]),
    "numbers in a line": (
        "Do this: go. 2. Sleep well. 3) Rise.",
        ["Do this: go.", "Sleep well.", "Rise."],
    ),
    "a number alone is content": (
        "How many came? 100. That was all.",
        ["How many came?", "100. That was all."],
    ),
    "brackets": ("1) Go\n2) Sleep\n(a) long\n(iv) well", ["Go", "Sleep", "long", "well"]),
    "letters": ("A. Go home\nB. Sleep", ["Go home", "Sleep"]),
    "an initial is no letter": ("A. Cole left.\nShe slept.", ["A. Cole left.", "She slept."]),
    "one item after a heading": ("Plans\n- go home", ["Plans", "go home"]),
    "one item after a colon": ("We plan this:\n- go home", ["We plan this:", "go home"]),
    "wrapped item": (
        "- The bridge is closed to all traffic until the water falls again and\n"
        "  Moss Street is dry.\n- The school is open.",
        [
            "The bridge is closed to all traffic until the water falls again and\n"
            "  Moss Street is dry.",
            "The school is open.",
        ],
    ),
    "a dash in wrapped prose": (
        "The engineers who had looked at the bridge for most of the long night\n"
        "- and they had looked at all of it - said that it would hold for now.",
        [
            "The engineers who had looked at the bridge for most of the long night\n"
            "- and they had looked at all of it - said that it would hold for now."
        ],
    ),
    "heading": (
        "The bridge\nIt is closed. Stay away.",
        ["The bridge", "It is closed.", "Stay away."],
    ),
    "heading over wrapped prose": (
        "What the Engineers Found\n" + WRAPPED,
        ["What the Engineers Found", *[s.text for s in split(WRAPPED)]],
    ),
    "long heading": (
        "Bridge Closed After Rain, and Moss Street Is Under Water\n" + WRAPPED,
        [
            "Bridge Closed After Rain, and Moss Street Is Under Water",
            *[s.text for s in split(WRAPPED)],
        ],
    ),
    "Markdown headings": (
        "# The bridge #1\n## is closed\ntoday.",
        ["The bridge #1", "is closed", "today."],
    ),
    "rules": ("It rained\n---\nWe left\n* * *\n===\nBye", ["It rained", "We left", "Bye"]),
    "lines of a list without markers": (
        "Ada Cole\nTom Hart\nAl Moss",
        ["Ada Cole", "Tom Hart", "Al Moss"],
    ),
    "unwrapped paragraphs": (
        "The bridge is closed" + " and closed" * 12 + "\nMoss Street is dry",
        ["The bridge is closed" + " and closed" * 12, "Moss Street is dry"],
    ),
    "two lines of one sentence": (
        "It rained and the\nriver rose.",
        ["It rained and the\nriver rose."],
    ),
    "a line that runs on": ("It rained, and\nMoss left.", ["It rained, and\nMoss left."]),
    "a dash after a quote": ("'It is over!'-- Ada Cole", ["'It is over!'", "Ada Cole"]),
    "tweets": (
        "So sad! -- Ada Cole (@adacole) May 1, 2020 The mayor did not answer.",
        ["So sad!", "Ada Cole (@adacole) May 1, 2020", "The mayor did not answer."],
    ),
    "Windows line breaks": ("It rained\r\n\r\nWe left.\r\nBye", ["It rained", "We left.", "Bye"]),
    "old Mac line breaks": ("It rained\r\rWe left", ["It rained", "We left"]),
    "next line": ("It rained\x85\x85We left", ["It rained", "We left"]),
    "line separator": ("It rained\u2028\u2028We left", ["It rained", "We left"]),
    "paragraph separator": ("it rained\u2029we left", ["it rained", "we left"]),
    "form feed": ("It rained.\fWe left.", ["It rained.", "We left."]),
    "tabs and no-break spaces": ("\tIt\xa0rained.\xa0We left.\t", ["It\xa0rained.", "We left."]),
    "byte order mark": ("\ufeffIt rained. We left.", ["It rained.", "We left."]),
    "zero width": ("It rained.\u200b\u200bWe left.\u200b", ["It rained.", "We left."]),
    "right to left marks": (
        "It rained.\u200f We left?\u200e Yes.",
        ["It rained.", "We left?", "Yes."],
    ),
    "null bytes": ("\x00It rained.\x00We left.\x00", ["It rained.", "We left."]),
    "nothing to see": (" \n\t\x00\u200b\ufeff\xa0 ", []),
    "empty": ("", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_layout(text, expected):
    assert [sentence.text for sentence in split(text)] == expected


def test_wrapped_prose_breaks_at_full_stops_only():
    joined = [" ".join(sentence.text.split()) for sentence in split(WRAPPED)]
    assert [sentence[:13] for sentence in joined] == ["The committee", "Nobody spoke "]
    assert " ".join(joined) == WRAPPED.replace("\n", " ")


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_line_breaks_are_alike(line_break):
    text = "Plans\n\n- Go home. Sleep.\n- Rise\n\nThe end\nIt rained."
    offsets = [sentence.text for sentence in split(text.replace("\n", line_break))]
    assert offsets == ["Plans", "Go home.", "Sleep.", "Rise", "The end", "It rained."]
