"""The page of an overlap, from a plain dict."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.io import Narrative
from commonground.narratives import Overlap, Passage, Statement
from commonground.report import (
    OVERLAP_SCRIPTS,
    joined,
    narrative_letter,
    overlap_body,
    overlap_page,
)
from commonground.report.marks import Mark, marked
from commonground.report.overlap_words import _meets, apart
from commonground.score import Signature
from html_reader import Reader
from overlap_results import LEFT, MILL, RIGHT, passage, result, sentence_reading


class Columns(Reader):
    """Also the text of each narrative, letter by letter with the classes and ids it lies in."""

    def __init__(self, page):
        self.columns, self.inside_marks, self.in_text = [], [], False
        super().__init__(page)

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        values = dict(attrs)
        if tag == "div" and values.get("class") == "text":
            self.columns.append([])
            self.in_text = True
        elif tag in ("span", "mark"):
            names = {*values.get("class", "").split(), values.get("id"), values.get("data-key")}
            self.inside_marks.append(names)

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        if tag in ("span", "mark"):
            self.inside_marks.pop()
        elif tag == "div":
            self.in_text = False

    def handle_data(self, data):
        super().handle_data(data)
        if self.in_text:
            names = set().union(*self.inside_marks) if self.inside_marks else set()
            keys = [key for marks in self.inside_marks for key in marks]
            self.columns[-1] += [(one, names, keys) for one in data]

    def texts(self):
        return ["".join(one for one, *_ in column) for column in self.columns]

    def marked(self, column, *wanted):
        """The letters in marks with all these classes, ids or keys, each run as one text."""
        runs, before = [], False
        for one, names, _ in self.columns[column]:
            now = set(wanted) <= names
            if now:
                runs += [] if before else [""]
                runs[-1] += one
            before = now
        return runs

    def linked(self, item):
        """The letters that the evidence of an item leads to, by narrative."""
        at = self.found.index(next(one for one in self.found if one[1].get("id") == item))
        later = self.found[at + 1 :]
        ends = [n for n, (_, attrs) in enumerate(later) if "item" in attrs.get("class", "").split()]
        part = later[: ends[0] if ends else None]
        places = [attrs["href"][1:] for _, attrs in part if attrs.get("href", "").startswith("#t")]
        return {int(name[1 : name.index("-")]): self.marked(int(name[1]), name) for name in places}


def test_each_narrative_stands_there_and_its_evidence_is_linked():
    page = Columns(overlap_page(MILL))
    assert page.texts() == [LEFT, RIGHT]
    assert page.linked("s1") == {
        0: ["The mill burned on Monday."],
        1: ["A fire destroyed the mill."],
    }
    assert page.linked("s2")[1] == ["There were no injuries, and 15 men came."]
    assert page.linked("c1") == {
        0: ["Twelve men fought the fire."],
        1: ["There were no injuries, and 15 men came."],
    }
    assert page.linked("u1") == {0: ["It was old."]}
    assert page.linked("u2") == {1: ["The owner wept."]}
    assert page.marked(0, "value", "c1") == ["Twelve"]
    assert page.marked(1, "value", "c1") == ["15"]


def test_without_word_readings_whole_sentences_are_marked():
    page = Columns(overlap_page(MILL))
    assert page.marked(0, "all") == ["The mill burned on Monday.", "Nobody was hurt."]
    assert page.marked(0, "alone") == ["It was old."]
    assert "no mark: neither" in page.inside("li")
    assert not page.named("svg")


RAIN = ["It rained on Monday in Tarn. Bees hum.", "On Monday it rained. Cows low."]


def rain(support, **more):
    """Two narratives; the first sentence of the first is read word by word."""
    reading = sentence_reading(
        RAIN, 0, "It rained on Monday in Tarn.", {1: (support, "On Monday it rained.")}
    )
    return {**result(RAIN), "readings": [[reading], []], **more}


def test_words_are_marked_by_what_the_other_states():
    page = Columns(overlap_page(rain([0.9, 0.95, 0.7, 0.71, 0.1, 0.02])))
    assert page.marked(0, "all") == ["It rained on Monday"]
    assert page.marked(0, "own") == ["in Tarn."]
    runs = [attrs for _, attrs in page.found if "data-p" in attrs]
    # A run ends where a position of the slider would cut it: 90 and more, 70 to 79, 10, below 10.
    assert [(run["data-p"], run["data-n"]) for run in runs] == [
        ("92", "2"),
        ("70", "2"),
        ("10", "1"),
        ("2", "1"),
    ]
    near = [attrs["data-near"] for _, attrs in page.found if "data-near" in attrs]
    assert near == ["t1-0-20"]
    assert page.marked(1, "t1-0-20") == ["On Monday it rained."]


def test_a_strict_result_marks_only_what_is_sure():
    page = Columns(overlap_page(rain([0.9, 0.95, 0.7, 0.71, 0.3, 0.02], strictness=0.8)))
    assert page.marked(0, "all") == ["It rained"]
    assert page.marked(0, "own") == ["Tarn."]


def test_the_share_of_words_is_shown_for_each_text():
    page = Reader(overlap_page(rain([0.9, 0.95, 0.7, 0.71, 0.1, 0.02])))
    # Four of eight words are shared, two are only here, and the last sentence was not read.
    bars = [(attrs["class"], attrs["width"]) for attrs in page.named("rect")]
    assert bars[:3] == [("all", "50.00"), ("some", "0.00"), ("own", "25.00")]
    assert [words for words in page.inside("b") if "%" in words] == ["50%", "0%"]
    assert "no mark: unsure, or not compared word by word" in page.inside("li")


def test_disputed_words_have_one_mark():
    both = (
        "date",
        {
            0: ("It rained on Monday in Tarn.", "on Monday"),
            1: ("On Monday it rained.", "On Monday"),
        },
    )
    data = rain([0.9, 0.9, 0.9, 0.9, 0.9, 0.9])
    page = Columns(overlap_page({**data, "conflicts": result(RAIN, conflicts=[both])["conflicts"]}))
    assert page.marked(0, "value") == ["on Monday"]
    assert page.marked(0, "all") == ["It rained", "in Tarn."]


def test_less_likely_statements_wait_for_the_slider():
    more = {
        "text": "It poured.",
        "weight": 2,
        "probability": 0.4,
        "evidence": [
            {**passage(RAIN, n, text.split(". ")[0] + "."), "probability": 0.4}
            for n, text in enumerate(RAIN)
        ],
    }
    page = Reader(overlap_page(rain([0.9] * 6, less_likely=[more])))
    (item,) = [attrs for _, attrs in page.found if attrs.get("id") == "s1"]
    assert item["class"].split() == ["item", "less"]
    assert "hidden" in item
    assert item["data-likely"] == "40"
    assert "The texts have nothing in common." in page.inside("p")
    badges = [attrs for attrs in page.named("a") if "badge" in attrs.get("class", "")]
    assert len(badges) == 2
    assert all("hidden" in badge for badge in badges)


def test_three_lists_with_their_counts_and_evidence():
    page = Reader(overlap_page(MILL, "Two papers"))
    assert page.inside("h1") == ["Two papers"]
    assert page.inside("h2")[:4] == [
        "They differ on",
        "What both say",
        "What only one says",
        "Where they differ",
    ]
    assert page.inside("dd") == ["2", "2", "1"]
    assert page.inside("button")[:3] == ["Shared", "Only in one", "Differ"]
    assert page.inside("q") == [
        "The mill burned on Monday.",
        "A fire destroyed the mill.",
        "Nobody was hurt.",
        "There were no injuries, and 15 men came.",
        "men fought the fire.",
        "There were no injuries, and",
        "men came.",
    ]
    assert "number, 72% likely" in page.inside("small")


def test_the_overview_merges_a_conflict_by_value():
    texts = ["It opens on 19 June.", "It opens on 12 June.", "On 12 June it opens."]
    sides = {0: (texts[0], "19 June"), 1: (texts[1], "12 June"), 2: (texts[2], "12 June")}
    data = result(texts, conflicts=[("date", sides)])
    for side, group in zip(data["conflicts"][0]["sides"], (0, 1, 1), strict=True):
        side["group"] = group
    page = Reader(overlap_page(data))
    assert [words for words in page.inside("span") if words.endswith(":")][:2] == ["A:", "B, C:"]
    assert page.inside("strong")[:2] == ["19 June", "12 June"]


def test_a_conflict_of_an_earlier_version_has_no_probability():
    (conflict,) = MILL["conflicts"]
    earlier = {"kind": conflict["kind"], "sides": conflict["sides"]}
    page = Reader(overlap_page({**MILL, "conflicts": [earlier]}))
    assert "number" in page.inside("small")


def test_links_lead_there_and_back_and_every_name_is_given_once():
    page = Reader(overlap_page(MILL))
    names = [attrs["id"] for _, attrs in page.found if "id" in attrs]
    assert len(set(names)) == len(names)
    links = [attrs["href"] for attrs in page.named("a")]
    assert {link.removeprefix("#") for link in links} <= set(names)
    badges = [attrs["href"] for attrs in page.named("a") if "badge" in attrs.get("class", "")]
    assert sorted(badges) == ["#c1", "#c1", "#s1", "#s1", "#s2", "#s2"]


def test_weight_and_heading_where_not_all_agree():
    texts = ["It rained.", "Rain fell.", "The sun shone."]
    data = result(texts, [("It rained.", {0: texts[0], 1: texts[1]})], at_least=2)
    page = Reader(overlap_page(data))
    assert "What at least 2 of 3 say" in page.inside("h2")
    assert "2 of 3" in page.inside("span")
    everyone = result(texts, [("Weather.", dict(enumerate(texts)))])
    page = Reader(overlap_page(everyone))
    assert "What all 3 say" in page.inside("h2")
    assert "3 of 3" not in page.inside("span")


def test_background_knowledge_is_shown():
    data = result([LEFT, RIGHT], [("The mill burned.", {0: "The mill burned on Monday."})])
    bridged = passage([LEFT, RIGHT], 1, "A fire destroyed the mill.", "Burned is <destroyed>.")
    data["statements"][0]["evidence"].append(bridged)
    page = Reader(overlap_page(data))
    assert "90%, through “Burned is <destroyed>.”" in page.inside("small")


def test_nothing_in_common_is_said_plainly():
    page = Columns(overlap_page(result(["It rained.", "Bees hum."], unique=[(0, "It rained.")])))
    assert "The texts have nothing in common." in page.inside("p")
    assert page.texts() == ["It rained.", "Bees hum."]
    assert "No conflict found" in page.inside("h2")
    assert "We may have missed some." in page.inside("p")


def test_a_narrative_without_words_and_without_a_source():
    page = Columns(overlap_page(result(["It rained.", " \n"], sources=["", ""])))
    assert page.inside("em") == ["This text is empty."]
    assert {words for words in page.inside("span") if words.startswith("Text ")} == {
        "Text A",
        "Text B",
    }


def test_what_is_said_is_never_taken_for_markup():
    nasty = '</script><script>alert("1")</script>\'"&amp;<mark>'
    data = result(
        [nasty, nasty],
        [(nasty, {0: nasty, 1: nasty})],
        [(0, nasty)],
        [(nasty, {0: (nasty, "<script>"), 1: (nasty, "alert")})],
        sources=[nasty, nasty],
    )
    data["statements"][0]["evidence"][0]["through"] = nasty
    page = Columns(overlap_page(data | {"signature": nasty}, title=nasty))
    assert len(page.named("script")) == len(OVERLAP_SCRIPTS)
    assert page.texts() == [nasty, nasty]
    assert nasty in page.inside("h1")


def test_the_page_needs_nothing_else_and_fits_a_strict_policy():
    page = Reader(overlap_page(MILL))
    assert len(page.named("script")) == len(OVERLAP_SCRIPTS)
    assert len(page.named("style")) == 1
    assert page.loaded() == []
    for _, attrs in page.found:
        assert not {"src", "style"} & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
    assert not any(word in overlap_page(MILL) for word in ("url(", "http", "fetch(", "@import"))
    assert "<script" not in overlap_body(MILL)


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


def test_letters_of_narratives():
    assert [narrative_letter(place) for place in (0, 25, 26, 27, 51, 52)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "AZ",
        "BA",
    ]


@pytest.fixture
def found():
    said = ("It rained.", "Rain fell.")
    evidence = tuple(Passage(n, text, 0, len(text), 0.9) for n, text in enumerate(said))
    return Overlap(
        narratives=tuple(Narrative(f"{n}.txt", text) for n, text in enumerate(said)),
        statements=(Statement("It rained.", 2, 0.9, evidence),),
        unique=(),
        conflicts=(),
        at_least=2,
        signature=Signature.of("OVERLAP"),
    )


def test_a_result_writes_its_page(found, tmp_path):
    found.to_html(tmp_path / "page.html", "Rain")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page == overlap_page(found.to_dict(readings=True), "Rain")
    assert Columns(page).linked("s1")[1] == ["Rain fell."]


def test_a_notebook_shows_the_page_in_a_frame(found):
    frame = Reader(found._repr_html_()).named("iframe")
    assert [one["srcdoc"] for one in frame] == [overlap_page(found.to_dict(readings=True))]


def test_spans_apart_meet_what_any_of_them_meets():
    random = Random(7)
    for _ in range(300):
        spans = [(a, a + random.randrange(5)) for a in random.choices(range(30), k=6)]
        for start in range(34):
            for end in (start, start + 1, start + 4):
                plain = any(start < b and a < end for a, b in spans)
                assert _meets((start, end), apart(spans)) == plain
