"""The page of an overlap, from a plain dict."""

from random import Random

import pytest

from commonground.io import Narrative
from commonground.narratives import Overlap, Passage, Statement
from commonground.report import (
    OVERLAP_SCRIPTS,
    narrative_letter,
    overlap_body,
    overlap_page,
)
from commonground.report.overlap_words import _meets, apart
from commonground.score import Signature
from html_reader import Reader
from overlap_results import LEFT, MILL, RIGHT, passage, result, sentence_reading
from text_columns import Columns


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


def test_the_evidence_of_a_statement_is_not_marked_as_only_here():
    shown = result(RAIN, [("It rained.", {0: "It rained on Monday in Tarn.", 1: RAIN[1][:20]})])
    readings = rain([0.1] * 6)["readings"]
    page = Columns(overlap_page({**shown, "readings": readings}))
    assert page.marked(0, "own") == []
    # A word that is shared by itself tells the others apart.
    readings = rain([0.9, 0.9, 0.1, 0.1, 0.1, 0.1])["readings"]
    page = Columns(overlap_page({**shown, "readings": readings}))
    assert (page.marked(0, "all"), page.marked(0, "own")) == (["It rained"], ["on Monday in Tarn."])
    # A statement that is not shown is no reason.
    hidden = {**shown, "statements": [], "less_likely": [{**shown["statements"][0]}]}
    for passage_ in hidden["less_likely"][0]["evidence"]:
        passage_["probability"] = 0.4
    page = Columns(overlap_page({**hidden, "readings": rain([0.1] * 6)["readings"]}))
    assert page.marked(0, "own") == ["It rained on Monday in Tarn."]


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


def test_less_likely_statements_are_folded():
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
    assert item["data-likely"] == "40"
    assert page.inside("summary")[0] == "1 less likely than 50%"
    assert page.inside("dd")[0] == "0"
    assert "1 is below 50%." in page.inside("p")
    badges = [attrs for attrs in page.named("a") if "badge" in attrs.get("class", "")]
    assert len(badges) == 2
    assert all("hidden" in badge for badge in badges)


def test_a_page_that_opens_stricter_folds_what_is_less_likely_in_every_list():
    page = Reader(overlap_page(MILL, shown_at=0.95))
    assert page.inside("dd") == ["0", "0", "1"]
    assert page.inside("summary")[:2] == ["2 less likely than 95%", "1 less likely than 95%"]
    # A conflict is never hidden.
    values = [attrs for attrs in page.named("mark") if attrs.get("data-key") == "c1"]
    assert {one["class"] for one in values} == {"value"}
    badges = [one for one in page.named("a") if "badge differ" in one.get("class", "")]
    assert badges
    assert not any("hidden" in one for one in badges)
    usual = Reader(overlap_page(MILL))
    assert usual.inside("dd") == ["2", "2", "1"]
    assert usual.inside("summary") == ["How this was computed"]


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


def test_the_overview_names_three_conflicts_and_links_to_the_others():
    texts = ["5 men came.", "6 men came."]
    sides = {n: (text, text[0]) for n, text in enumerate(texts)}
    page = Reader(overlap_page(result(texts, conflicts=[("number", sides)] * 5)))
    more = [words for words in page.inside("a") if words.endswith("more")]
    assert more == ["2 more"]
    assert len(page.inside("q")) == 10


@pytest.mark.parametrize(
    ("sources", "title"),
    [
        (["Gazette", "Radio"], "Common ground: Gazette and Radio"),
        (["a", "b", "c"], "Common ground: a, b and c"),
        (["Gazette", None], "Common ground"),
        (["Gazette", "R" * 80], "Common ground"),
    ],
)
def test_the_heading_names_the_texts(sources, title):
    texts = ["It rained.", "It rained.", "It rained."][: len(sources)]
    assert Reader(overlap_page(result(texts, sources=sources))).inside("h1") == [title]


@pytest.mark.parametrize(
    ("at_least", "words"),
    [
        (
            3,
            "No statement is in all 3 texts. "
            "Fewer may share some: ask for statements of at least 2.",
        ),
        (2, "No statement is in at least 2 of the 3 texts."),
    ],
)
def test_three_texts_without_a_statement_of_all(at_least, words):
    page = Reader(overlap_page(result(["It rained.", "Bees hum.", "Cows low."], at_least=at_least)))
    assert words in page.inside("p")


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
    assert "The texts share no statement." in page.inside("p")
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
