"""The page of a pyramid, from a plain dict."""

import re

from commonground.report import pyramid_page
from commonground.report.ideas import idea_parts
from html_reader import Reader

DATA = {
    "signature": {"measure": "PYRAMID", "builder": "edua-g", "v": "1"},
    "references": ["It rained.\nWe left.", "Rain <fell>."],
    "units": [
        {
            "label": "It rained & poured",
            "weight": 2,
            "contributors": [
                {"reference": 0, "text": "It rained"},
                {"reference": 1, "text": "Rain <fell>"},
            ],
        },
        {"label": "We left", "weight": 1, "contributors": [{"reference": 0, "text": "We left"}]},
        {"label": "Bo came", "weight": 1, "contributors": [{"reference": 1, "text": "Bo came"}]},
    ],
}


def test_the_context_of_an_idea_is_grey_and_explained():
    label = "[The town was first.] Since March [the town] dims lamps. (here: “dims lamps”)"
    unit = {"label": label, "weight": 1, "contributors": [{"reference": 0, "text": "dims lamps"}]}
    found = Reader(pyramid_page(DATA | {"units": [unit]}))
    assert [one for one in found.named("span") if one.get("class") == "context"] == [
        {"class": "context", "title": "the sentence before, for context"},
        {"class": "context", "title": "the part of the sentence that is meant"},
    ]
    spans = ["[The town was first.]", "(here: “dims lamps”)"]
    assert [words for words in found.inside("span") if words in spans] == spans
    assert "Since March [the town] dims lamps." in found.inside("summary")
    assert "Grey words are context" in " ".join(found.inside("p"))
    assert "Grey words" not in pyramid_page(DATA)


def test_names_in_brackets_are_no_context():
    for label in ("[The town] dims lamps.", "[Lamps.", "He said (here: nothing)"):
        assert idea_parts(label) == [(label, "")]


def test_tiers_from_the_heaviest_each_wider_than_the_one_above():
    page = Reader(pyramid_page(DATA))
    tiers = [one for one in page.named("section") if one["class"] == "tier"]
    assert [tier["id"] for tier in tiers] == ["weight-2", "weight-1"]
    assert [tier["style"].split(";")[0] for tier in tiers] == ["--width: 45%", "--width: 100%"]


def test_people_read_of_ideas_and_points():
    page = Reader(pyramid_page(DATA))
    assert "3 ideas from 2 references. Open an idea to see its sources." in page.inside("p")
    headings = [" ".join(words.split()) for words in page.inside("h2")]
    assert headings == ["2 points", "1 point", "References"]
    assert not re.search(r"\b(unit|weight)", " ".join(words for _, words in page.words), re.I)


def test_every_unit_is_a_block_with_its_contributors_inside():
    page = Reader(pyramid_page(DATA))
    assert page.inside("summary") == [
        "It rained & poured",
        "We left",
        "Bo came",
        "Reference 1",
        "Reference 2",
        "How this was computed",
    ]
    said = ["1", "It rained", "2", "Rain <fell>", "1", "We left", "2", "Bo came"]
    assert page.inside("span")[1:5] == said[:4]
    assert [words for words in page.inside("span") if not words.startswith("(")] == said


def test_the_drawing_leads_to_the_tiers():
    page = Reader(pyramid_page(DATA))
    assert [link["href"] for link in page.named("a")] == ["#weight-2", "#weight-1"]
    assert page.inside("text") == ["2: 1 idea", "1: 2 ideas"]
    widths = []
    for shape in page.named("polygon"):
        across = [float(point.split(",")[0]) for point in shape["points"].split()]
        widths.append(max(across) - min(across))
    assert widths == sorted(widths)


def test_what_is_said_is_never_taken_for_markup():
    nasty = '<script>alert("1")</script>\'"&'
    data = {
        "signature": {"measure": nasty},
        "references": [nasty],
        "units": [{"label": nasty, "weight": 1, "contributors": [{"reference": 0, "text": nasty}]}],
    }
    page = Reader(pyramid_page(data, title=nasty))
    assert not page.named("script")
    assert [words for _, words in page.words].count(nasty) == 6


def test_the_page_needs_nothing_else():
    page = Reader(pyramid_page(DATA))
    assert not page.named("script")
    assert page.loaded() == []
    assert all("src" not in attrs for _, attrs in page.found)
    assert "url(" not in pyramid_page(DATA)


def test_no_units():
    page = Reader(pyramid_page(DATA | {"units": []}))
    assert not page.named("svg")
    assert "0 ideas from 2 references. Open an idea to see its sources." in page.inside("p")
