"""Corrections of a class: replayed by hand-worked answers, undone, and what does not fit."""

import json

import pytest

from commonground.errors import InputError
from commonground.pyramid import (
    Change,
    Contributor,
    Corrections,
    Pyramid,
    PyramidScore,
    Unit,
    UnitMatch,
    replay,
    text_hash,
    unit_names,
)
from commonground.score import Signature

TEXT = "Rain fell. Nobody minded. We went home."
SENTENCES = ["Rain fell.", "Nobody minded.", "We went home."]
WHO = {"by": "M. Weber", "at": "2026-03-02T10:15:00"}


def said(reference, text):
    return Contributor(reference, text)


def pyramid():
    """Weights 3, 2 and 1, in this order."""
    return Pyramid(
        (
            Unit("It rained", (said(0, "It rained"), said(1, "Rain fell"), said(2, "It was wet"))),
            Unit("All left", (said(0, "All left"), said(1, "People went")), 0.8),
            Unit("It poured", (said(2, "It poured"),)),
        ),
        ("It rained. All left.", "Rain fell. People went.", "It was wet. It poured."),
        Signature("PYRAMID", (("builder", "edua-g"), ("v", "0.1.0"))),
    )


def score(of, *probabilities):
    matches = [
        UnitMatch(unit.label, unit.weight, probability, 0, SENTENCES[0])
        for unit, probability in zip(of.units, probabilities, strict=True)
    ]
    return PyramidScore.of(matches, 3, 3, Signature("PYRAMID", (("v", "0.1.0"),)))


def change(do, **values):
    return Change.of({"do": do, **values, **WHO})


def marked(*changes, probabilities=(0.9, 0.4, 0.1), texts=None):
    corrected = replay(pyramid(), changes, texts or {"anna": TEXT})
    assert not corrected.unapplied
    return corrected.score("anna", score(corrected.pyramid, *probabilities), SENTENCES)


def shape(of):
    return [(unit.label, unit.weight) for unit in of.units]


def test_without_changes_nothing_changes():
    before = score(pyramid(), 0.9, 0.4, 0.1)
    assert marked() == before
    assert before.raw == pytest.approx(3 * 0.9 + 2 * 0.4)


def test_a_match_is_accepted_or_rejected_and_the_points_follow():
    found = marked(
        change("accept", student="anna", unit="All left"),
        change("reject", student="anna", unit="it  RAINED"),
    )
    assert [match.probability for match in found.matches] == [0, 1, 0.1]
    assert [match.by for match in found.matches] == ["M. Weber", "M. Weber", None]
    # Raw 2. Three segments: at best 3 + 2 + 1. References: 6 / 3 units each, at best 3 + 2.
    assert found.raw == 2
    assert found.quality == pytest.approx(2 / 6)
    assert found.coverage == pytest.approx(2 / 5)
    assert "|corrections:" in str(found.signature)
    assert "[2] 1.00  All left (decided by M. Weber)" in str(found)


def test_an_idea_is_said_in_the_sentence_pointed_at():
    found = marked(change("point", student="anna", unit="It poured", sentence=3))
    last = found.matches[2]
    assert (last.presence, last.sentence, last.text) == ("yes", 2, "We went home.")
    assert found.raw == pytest.approx(3 * 0.9 + 2 * 0.4 + 1)
    assert last.to_dict()["by"] == "M. Weber"


def test_the_last_decision_counts():
    both = [
        change("reject", student="anna", unit="It rained"),
        change("accept", student="anna", unit="It rained"),
    ]
    assert marked(*both).matches[0].probability == 1
    assert marked(both[0]).matches[0].probability == 0


def test_a_decision_follows_its_idea_through_changes_of_the_pyramid():
    found = replay(
        pyramid(),
        [
            change("accept", student="anna", unit="It poured"),
            change("rename", unit="It poured", label="The rain was heavy"),
            change("reweigh", unit="The rain was heavy", weight=9),
            change("delete", unit="All left"),
            change("add", label="Nobody was hurt", weight=2),
        ],
    )
    assert shape(found.pyramid) == [
        ("The rain was heavy", 9),
        ("It rained", 3),
        ("Nobody was hurt", 2),
    ]
    assert list(found.marks["anna"]) == [0]
    assert found.marks["anna"][0].said


def test_merged_ideas_are_said_if_one_is_and_not_if_none_is():
    merge = change("merge", units=["All left", "It poured"])
    yes, no = "accept", "reject"
    for first, second, expected in ((yes, no, True), (no, yes, True), (no, no, False)):
        marks = [
            change(first, student="anna", unit="All left"),
            change(second, student="anna", unit="It poured"),
        ]
        found = replay(pyramid(), [*marks, merge])
        place = [unit.label for unit in found.pyramid.units].index("All left")
        assert {key: mark.said for key, mark in found.marks["anna"].items()} == {place: expected}
    # Nobody decided about the other part.
    found = replay(pyramid(), [change(no, student="anna", unit="All left"), merge])
    assert not found.marks


def test_after_a_split_the_decision_stays_with_the_old_part():
    found = replay(
        pyramid(),
        [
            change("accept", student="anna", unit="It rained"),
            change("split", unit="It rained", contributors=["It was wet"], label="It was damp"),
        ],
    )
    place = [unit.label for unit in found.pyramid.units].index("It rained")
    assert list(found.marks["anna"]) == [place]
    assert "It was damp" in [unit.label for unit in found.pyramid.units]


def test_a_deleted_idea_takes_its_decisions_with_it_and_undo_brings_them_back():
    log = Corrections().plus(
        change("accept", student="anna", unit="It poured"), change("delete", unit="It poured")
    )
    assert not replay(pyramid(), log.changes).marks
    assert replay(pyramid(), log.undone().changes).marks["anna"][2].said
    with pytest.raises(InputError, match="no correction to undo"):
        Corrections().undone()


def test_comments_are_kept_with_their_author():
    found = replay(
        pyramid(),
        [
            change("comment", student="anna", comment="Good."),
            change("comment", student="anna", comment=" Better. "),
        ],
        {"anna": TEXT},
    )
    assert found.comments["anna"].to_dict() == {"text": "Better.", **WHO}


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (change("accept", student="bea", unit="It rained"), "the class has no student 'bea'"),
        (change("accept", student="anna", unit="It snowed"), "the pyramid has no idea “It snowed”"),
        (change("delete", unit=7), "there is no unit 7; the pyramid has 3"),
        (
            change("accept", student="anna", unit="It rained", text=text_hash("Old.")),
            "the text of 'anna' has changed since",
        ),
        (
            change("point", student="anna", unit="It rained", sentence=4),
            "the text of 'anna' has no sentence 4 (it has 3)",
        ),
        (change("split", unit="It rained", contributors=["Hail"]), "has no wording “Hail”"),
        (change("merge", units=["It rained"]), "merging needs two units"),
        (change("reweigh", unit="It rained", weight=0), "a weight is from 1 to 99, not 0"),
    ],
)
def test_a_change_that_does_not_fit_is_told_and_the_others_count(one, why):
    fits = change("reject", student="anna", unit="It rained", text=text_hash(TEXT + "\r\n"))
    found = replay(pyramid(), [one, fits], {"anna": TEXT})
    (problem,) = found.unapplied
    assert problem.index == 0
    assert why in problem.why
    assert not found.marks["anna"][0].said
    assert found.applied == (fits,)


def test_two_students_of_one_name_are_told_apart_by_their_paths():
    texts = {"a/anna.txt": TEXT, "b/anna.txt": TEXT}
    found = replay(pyramid(), [change("accept", student="anna", unit="It rained")], texts)
    assert found.unapplied[0].why == "2 students are named 'anna': write 'a/anna.txt'"
    found = replay(pyramid(), [change("accept", student="b/anna.txt", unit="It rained")], texts)
    assert list(found.marks) == ["b/anna.txt"]


def test_ideas_of_the_same_words_are_numbered():
    twice = Pyramid.from_units(["It rained", "It rained"], [2, 1])
    assert unit_names(twice.units) == ["It rained", "It rained (2)"]
    found = replay(twice, [change("delete", unit="It rained (2)")])
    assert shape(found.pyramid) == [("It rained", 2)]


def test_an_idea_is_also_known_by_the_clause_it_is_judged_by():
    unit = Unit("Rain fell all day.", (), weight_given=1, clause="it rained")
    one = Pyramid((unit,), (), Signature("PYRAMID", ()))
    assert replay(one, [change("accept", student="a", unit="it rained")]).marks["a"][0].said


def test_a_file_is_written_and_read_again(tmp_path):
    log = Corrections().plus(
        change("point", student="anna", unit="It rained", sentence=1, text=text_hash(TEXT)),
        change("reweigh", unit=0, weight=None),
        change("comment", student="anna", comment="“Gut!”"),
    )
    log.save(tmp_path / "c.json")
    assert Corrections.load(tmp_path / "c.json") == log
    first = json.loads((tmp_path / "c.json").read_text("utf-8"))["changes"][0]
    assert (first["by"], first["at"]) == ("M. Weber", "2026-03-02T10:15:00")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "is not a corrections file"),
        ({"format": "commonground-corrections", "version": 2}, "format version 2, not 1"),
        ({"changes": 3}, '"changes" must be a list'),
        ({"changes": [{"do": "explode", **WHO}]}, "changes[0]: unknown correction 'explode'"),
        ({"changes": [{"do": "delete", **WHO}]}, 'changes[0]: "unit" is missing'),
        ({"changes": [{"do": "delete", "unit": True, **WHO}]}, '"unit" must be a string or a'),
        ({"changes": [{"do": "delete", "unit": "a"}]}, 'changes[0]: "by" is missing'),
        (
            {"changes": [{"do": "delete", "unit": "a", "by": "x", "at": "today"}]},
            '"at" must be a time such as',
        ),
        ({"changes": [{"do": "delete", "unti": "a", "unit": "a", **WHO}]}, "unknown field 'unti'"),
    ],
)
def test_a_damaged_file_is_told_in_a_line(tmp_path, data, words):
    head = {"format": "commonground-corrections", "version": 1}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(head | data if isinstance(data, dict) else data))
    with pytest.raises(InputError) as error:
        Corrections.load(path)
    assert words in str(error.value)
    assert str(error.value).startswith(str(path))
