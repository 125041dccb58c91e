"""Narratives and summaries that come as lists of sentences."""

import pytest

import commonground as cg
from commonground.errors import InputError
from commonground.text import SPLITTERS

LEFT = ["The ferry ran aground on Saturday.", "Nobody was hurt.", "It sails since 1994."]
LAYOUT = SPLITTERS["layout"]
RIGHT = ["On Saturday the ferry ran aground.", "Nobody was hurt."]


def test_an_overlap_of_given_sentences_is_that_of_their_lines():
    given = cg.overlap([LEFT, RIGHT])
    split = cg.overlap(["\n\n".join(LEFT), "\n\n".join(RIGHT)])
    assert given.summary == split.summary
    assert [narrative.text for narrative in given.narratives] == ["\n".join(LEFT), "\n".join(RIGHT)]
    for statement in given.statements:
        for passage in statement.evidence:
            text = given.narratives[passage.narrative].text
            assert text[passage.start : passage.end] == passage.text
            assert passage.text in (LEFT, RIGHT)[passage.narrative]


def test_given_sentences_are_not_split_further():
    both = ["The ferry ran aground. Nobody was hurt."]
    (claim,) = cg.verify(both, [both]).sentences
    assert (claim.text, claim.start, claim.end) == (both[0], 0, len(both[0]))
    assert len(cg.verify(both[0], [both]).sentences) == 2
    (evidence,) = claim.evidence
    assert evidence.text == both[0]


def test_blank_entries_count_for_nothing_and_markup_is_not_read():
    marked = ["", "The <b>ferry</b> ran aground.", "  ", "Nobody was hurt."]
    found = cg.verify(marked, [["The ferry ran aground.", "Nobody was hurt."]])
    assert [claim.text for claim in found.sentences] == [marked[1], marked[3]]
    assert found.summary == "The ferry ran aground. Nobody was hurt."


@pytest.mark.parametrize(
    ("narratives", "split"),
    [
        ([LEFT, RIGHT], "given"),
        ([LEFT, " ".join(RIGHT)], f"{LAYOUT}/given"),
        ([" ".join(RIGHT), LEFT], f"{LAYOUT}/given"),
        ([" ".join(LEFT), " ".join(RIGHT)], LAYOUT),
    ],
)
def test_the_signature_names_who_split_the_texts(narratives, split):
    assert f"|split:{split}|" in str(cg.overlap(narratives).signature)
    checked = cg.verify(narratives[0], narratives[1:])
    assert f"|split:{split}|" in str(checked.signature)


def test_an_entry_that_is_no_sentence_is_one_line():
    with pytest.raises(InputError, match=r"^sentence 1 of a text is int, not a str$"):
        cg.overlap([["It rained.", 5], RIGHT])
