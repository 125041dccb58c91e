"""The page of an overlap, from a plain dict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.io import Narrative
from commonground.narratives import Overlap, Passage, Statement
from commonground.report import joined, narrative_letter, overlap_body, overlap_page
from commonground.report.marks import Mark, marked
from commonground.score import Signature
from html_reader import Reader
from overlap_results import LEFT, MILL, RIGHT, passage, result


class Columns(Reader):
    """Also the text of each narrative, letter by letter with the marks it lies in."""

    def __init__(self, page):
        self.columns, self.inside_marks, self.in_text = [], [], False
        super().__init__(page)

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        values = dict(attrs)
        if tag == "div" and values.get("class") == "text":
            self.columns.append([])
            self.in_text = True
        elif tag == "mark":
            self.inside_marks.append((values["class"].split()[0], values.get("data-key")))

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        if tag == "mark":
            self.inside_marks.pop()
        elif tag == "div":
            self.in_text = False

    def handle_data(self, data):
        super().handle_data(data)
        if self.in_text:
            self.columns[-1] += [(one, tuple(self.inside_marks)) for one in data]

    def texts(self):
        return ["".join(one for one, _ in column) for column in self.columns]

    def marked(self, column, kind, key=None):
        """The letters in marks of a kind, each run of them as one text."""
        runs, before = [], False
        for one, marks in self.columns[column]:
            now = (kind, key) in marks
            if now:
                runs += [] if before else [""]
                runs[-1] += one
            before = now
        return runs


def test_each_narrative_stands_there_with_its_marks_at_their_places():
    page = Columns(overlap_page(MILL))
    assert page.texts() == [LEFT, RIGHT]
    assert page.marked(0, "shared", "s1") == ["The mill burned on Monday."]
    assert page.marked(1, "shared", "s1") == ["A fire destroyed the mill."]
    assert page.marked(0, "shared", "s2") == ["Nobody was hurt."]
    assert page.marked(1, "shared", "s2") == ["There were no injuries, and 15 men came."]
    assert page.marked(0, "conflict", "c1") == ["Twelve men fought the fire."]
    assert page.marked(1, "conflict", "c1") == ["There were no injuries, and 15 men came."]
    assert page.marked(0, "value", "c1") == ["Twelve"]
    assert page.marked(1, "value", "c1") == ["15"]
    assert page.marked(0, "own") == ["It was old."]
    assert page.marked(1, "own") == ["The owner wept."]


def test_the_summary_is_on_top_and_its_statements_carry_their_evidence():
    page = Reader(overlap_page(MILL, "Two papers"))
    assert page.inside("h1") == ["Two papers"]
    assert page.inside("h2") == ["What both say", "Where they differ"]
    said = [words for _, words in page.words]
    assert said.index("The mill burned.") < said.index("paper 1")
    assert page.inside("q") == [
        "The mill burned on Monday.",
        "A fire destroyed the mill.",
        "Nobody was hurt.",
        "There were no injuries, and 15 men came.",
        "men fought the fire.",
        "There were no injuries, and",
        "men came.",
    ]
    assert page.inside("strong") == ["Twelve", "15", "Twelve", "15"]
    assert page.inside("small") == ["90% likely"] * 4 + ["(number, 72% likely)"]


def test_a_conflict_of_an_earlier_version_has_no_probability():
    (conflict,) = MILL["conflicts"]
    earlier = {"kind": conflict["kind"], "sides": conflict["sides"]}
    page = Reader(overlap_page({**MILL, "conflicts": [earlier]}))
    assert page.inside("small")[-1] == "(number)"


def test_badges_lead_there_and_back_and_every_name_is_given_once():
    page = Reader(overlap_page(MILL))
    names = [attrs["id"] for _, attrs in page.found if "id" in attrs]
    assert len(set(names)) == len(names)
    links = [attrs["href"] for attrs in page.named("a")]
    assert {link.removeprefix("#") for link in links} <= set(names)
    # Two statements and a conflict, each with two sides, each side linked there and back.
    assert len(links) == 3 * 2 * 2
    assert all(attrs["aria-label"] for attrs in page.named("a"))


def test_signs_differ_in_shape_and_not_by_colour_alone():
    page = Columns(overlap_page(MILL))
    shapes = {
        (attrs["class"].split()[1], attrs["data-sign"])
        for _, attrs in page.found
        if attrs.get("class", "").startswith("badge")
    }
    assert shapes == {
        ("round", "1"),
        ("round", "2"),
        ("square", "A"),
        ("square", "B"),
        ("sharp", "≠1"),
    }


def test_weight_and_heading_where_not_all_agree():
    texts = ["It rained.", "Rain fell.", "The sun shone."]
    data = result(texts, [("It rained.", {0: texts[0], 1: texts[1]})], at_least=2)
    page = Reader(overlap_page(data))
    assert page.inside("h2") == ["What at least 2 of 3 say"]
    assert "2 of 3" in page.inside("small")
    states = [words for words in page.inside("p") if words.startswith("Has")]
    assert states == [f"Has {number} of 1 shared point" for number in (1, 1, 0)]
    everyone = result(texts, [("Weather.", dict(enumerate(texts)))])
    page = Reader(overlap_page(everyone))
    assert page.inside("h2") == ["What all 3 say"]
    assert "3 of 3" not in page.inside("small")


def test_background_knowledge_is_shown():
    data = result([LEFT, RIGHT], [("The mill burned.", {0: "The mill burned on Monday."})])
    bridged = passage([LEFT, RIGHT], 1, "A fire destroyed the mill.", "Burned is <destroyed>.")
    data["statements"][0]["evidence"].append(bridged)
    page = Reader(overlap_page(data))
    assert "90% likely, through “Burned is <destroyed>.”" in page.inside("small")
    assert any("through" in attrs["class"].split() for attrs in page.named("mark"))
    titles = [attrs["title"] for attrs in page.named("a") if "title" in attrs]
    assert titles[1] == "The mill burned. (through: Burned is <destroyed>.)"


def test_nothing_in_common_is_said_plainly():
    page = Columns(overlap_page(result(["It rained.", "Bees hum."], unique=[(0, "It rained.")])))
    assert "The narratives have nothing in common." in page.inside("p")
    assert page.texts() == ["It rained.", "Bees hum."]
    assert page.inside("h2") == ["What both say"]
    assert "1 point only here" in page.inside("p")
    assert not any("States" in words for words in page.inside("p"))
    assert "2 narratives: 0 statements in common, no conflict found." in page.inside("p")
    assert "We may have missed some." in page.inside("span")


def test_a_narrative_without_words_and_without_a_source():
    page = Columns(overlap_page(result(["It rained.", " \n"], sources=["", ""])))
    assert page.inside("em") == ["This text is empty."]
    assert [words for words in page.inside("span") if "arrative" in words] == [
        "Narrative A",
        "Narrative B",
    ]


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
    assert len(page.named("script")) == 1
    assert page.texts() == [nasty, nasty]
    assert nasty in page.inside("h1")


def test_the_page_needs_nothing_else_and_fits_a_strict_policy():
    page = Reader(overlap_page(MILL))
    assert len(page.named("script")) == len(page.named("style")) == 1
    assert page.loaded() == []
    for _, attrs in page.found:
        assert not {"src", "style"} & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
    assert not any(word in overlap_page(MILL) for word in ("url(", "http", "fetch(", "@import"))
    assert "<script" not in overlap_body(MILL)


def test_neighbouring_passages_of_its_own_are_one():
    data = result(["One. Two.\n Three.", "x"], unique=[(0, "One."), (0, "Two."), (0, "Three.")])
    page = Columns(overlap_page(data))
    assert page.marked(0, "own") == ["One. Two.\n Three."]
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
    for place, (_, inside) in enumerate(page.columns[0]):
        wanted = {str(n) for n, (start, end) in enumerate(spans) if start <= place < end}
        assert sorted(key for _, key in inside) == sorted(wanted)
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
    assert page == overlap_page(found.to_dict(), "Rain")
    assert Columns(page).marked(1, "shared", "s1") == ["Rain fell."]


def test_a_notebook_shows_the_page_in_a_frame(found):
    frame = Reader(found._repr_html_()).named("iframe")
    assert [one["srcdoc"] for one in frame] == [overlap_page(found.to_dict())]
