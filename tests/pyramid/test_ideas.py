"""Ideas: units as sentences that people can read."""

from dataclasses import replace

import pytest

from commonground.pyramid import Contributor, Pyramid, Unit
from commonground.pyramid.ideas import with_ideas


def idea(reference, words):
    """The idea of a unit with one contributor, given by the clause's pieces."""
    spans, start = [], 0
    for piece in words.split(" ... "):
        start = reference.index(piece, start)
        spans.append((start, start + len(piece)))
        start += len(piece)
    unit = Unit(words, (Contributor(0, words, "1.1.1.1", tuple(spans)),))
    (worded,) = with_ideas([unit], [reference])
    assert worded.judged == words
    return worded.label


@pytest.mark.parametrize(
    ("reference", "clause", "expected"),
    [
        (
            "Police say that the old bridge has closed.",
            "that the old bridge has closed.",
            "The old bridge has closed.",
        ),
        (
            "The council paid the builders, and the mayor thanked the guests.",
            "The council paid the builders, and",
            "The council paid the builders.",
        ),
        (  # a frame says nothing without what it frames
            "The author explains that the river rose overnight.",
            "The author explains",
            "The author explains that the river rose overnight.",
        ),
        (  # the clause alone would say the contrary
            "Engineers do not believe the dam will hold.",
            "the dam will hold.",
            "Engineers do not believe the dam will hold.",
        ),
        (  # a condition is not told as a fact
            "The ferry will sail if the storm passes the island.",
            "if the storm passes the island.",
            "The ferry will sail if the storm passes the island.",
        ),
        (
            "Clara Moss runs the bakery. She sells bread to the whole village.",
            "She sells bread to the whole village.",
            "[Clara Moss] sells bread to the whole village.",
        ),
        (  # nobody knows which of them, so the sentence before is shown
            "The farmers met the dealers. They sold forty sheep in an hour.",
            "They sold forty sheep in an hour.",
            "[The farmers met the dealers.] They sold forty sheep in an hour.",
        ),
    ],
)
def test_a_clause_is_shown_as_a_sentence(reference, clause, expected):
    assert idea(reference, clause) == expected


def test_the_idea_is_what_the_other_contributors_state():
    references = [
        "Everybody cheered, for the ship reached the harbour at noon.",
        "The ship arrived in the harbour.",
    ]
    first = Contributor(0, references[0], "1.1.0.0", ((0, len(references[0])),))
    second = Contributor(1, references[1], "2.1.0.0", ((0, len(references[1])),))
    (worded,) = with_ideas([Unit(references[0], (first, second))], references)
    assert worded.label == "The ship arrived in the harbour."
    assert worded.clause == references[0]


def test_a_unit_without_offsets_keeps_its_label():
    unit = Unit("The dam broke", (Contributor(0, "The dam broke"),))
    assert with_ideas([unit], ["The dam broke."]) == (unit,)


def test_ideas_change_no_score_and_come_back_from_a_file(tmp_path):
    references = ["He said that it rained and the match was off.", "Rain fell, so nobody played."]
    with_them = Pyramid.build(references)
    without = Pyramid.build(references, ideas=False)
    assert [unit.judged for unit in with_them.units] == [unit.label for unit in without.units]
    summary = "It rained, and there was no match."
    ours, theirs = with_them.score(summary), without.score(summary)
    assert (ours.raw, ours.quality, ours.coverage) == (theirs.raw, theirs.quality, theirs.coverage)
    with_them.save(tmp_path / "p.json")
    assert Pyramid.load(tmp_path / "p.json") == with_them


def test_a_reworded_idea_is_judged_by_its_new_words():
    references = ["He said that it rained.", "They say that rain fell."]
    built = Pyramid.build(references)
    renamed = replace(built.units[0], label="It snowed.", clause="")
    assert renamed.judged == "It snowed."


def test_clauses_of_one_sentence_have_different_ideas():
    reference = "She said that this was so and that it mattered, as they knew."
    clauses = ("that it mattered,", "as they knew.")
    units = []
    for clause in clauses:
        start = reference.index(clause)
        span = ((start, start + len(clause)),)
        units.append(Unit(clause, (Contributor(0, clause, "1.1.1.1", span),)))
    first, second = with_ideas(units, [reference])
    assert first.label == reference
    assert second.label == f"{reference} (here: “as they knew”)"
