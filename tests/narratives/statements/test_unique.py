"""What one narrative alone says: whole sentences and clauses, but no headings and no fragments."""

import pytest

from commonground.narratives import Overlaps

FINDER = Overlaps()
FERRY = "The ferry sank on Sunday."
CAPS = "A widow in Dell knitted green caps for the crew."


def own(text, other=FERRY):
    """What the text alone says, against another one; every passage stands where it says."""
    found = FINDER.find([text, other])
    assert all(text[one.start : one.end] == one.text for one in found.unique if not one.narrative)
    return [one.text for one in found.unique if one.narrative == 0]


def test_a_heading_is_nobodys_own():
    text = f"A bad year for sailors\n\n{FERRY}\n\nThe knitting of a widow\n\n{CAPS}"
    assert own(text) == [CAPS]


@pytest.mark.parametrize(
    "lead",
    ["DELL (Wire) - ", "PORT DELL - ", "WHAT THE WIDOW DID ", "However, ", "But "],
)
def test_a_sentence_begins_after_its_dateline_or_heading(lead):
    sentence = CAPS if lead.isupper() or "-" in lead else CAPS[0].lower() + CAPS[1:]
    assert own(f"{FERRY} {lead}{sentence}") == [sentence]


@pytest.mark.parametrize(
    ("sentence", "half"),
    [
        (
            "The ferry sank on Sunday when a storm broke the rudder, and a widow in Dell gave the "
            "sailors her late husband's coats.",
            ["a widow in Dell gave the sailors her late husband's coats."],
        ),
        (
            "The ferry sank on Sunday because a wild storm from the north had broken the rudder in "
            "two.",
            ["a wild storm from the north had broken the rudder in two"],
        ),
        (
            "The ferry sank on Sunday before it reached the pier, although a widow in Dell had "
            "warned the owner twice.",
            ["a widow in Dell had warned the owner twice"],
        ),
    ],
)
def test_of_a_sentence_that_is_half_shared_only_its_own_half_is_listed(sentence, half):
    assert own(sentence) == half


@pytest.mark.parametrize(
    "sentence",
    [
        # What is said is the object of who says it.
        "The mate told the harbour court that a storm had broken the rudder, and the ferry sank on "
        "Sunday.",
        "The ferry sank on Sunday, the mate told the harbour court, but a widow in Dell says that "
        "the rudder was never mended.",
        # "Dell" and "crate" would stand for the subjects of the clauses that describe them.
        "The ferry that sank on Sunday had carried apples for a brewer in Dell, who now wants to "
        "be paid for every crate that he lost.",
    ],
)
def test_no_clause_is_parted_from_its_verb_or_object(sentence):
    assert own(sentence) == []


@pytest.mark.parametrize(
    "piece",
    [
        "Sign up for our weekly letter",
        "Read next: Ten walks along the coast",
        "Photo by Kim Lund",
        "Copyright 2024 Dell Gazette.",
        "All rights reserved.",
        "Advertisement",
    ],
)
def test_boilerplate_is_nobodys_own(piece):
    assert own(f"{FERRY}\n\n{piece}\n\n{CAPS}") == [CAPS]


@pytest.mark.parametrize(
    "piece",
    [
        "Nobody wept.",
        "Green caps for all the singers.",
        "What did the harbour master know of the rudder?",
        "The brewer counted his crates and ...",
        "The brewer sold these apples in town:",
        "“My grandmother baked forty loaves for the fair.",
        "The fair was cold (and the loaves were stale.",
    ],
)
def test_a_fragment_is_nobodys_own(piece):
    assert own(f"{FERRY}\n\n{CAPS}\n\n{piece}") == [CAPS]


def test_a_joining_word_at_either_end_is_left_out():
    widow = "A widow in Dell gave the sailors her late husband's coats"
    shared = "the ferry sank on Sunday because a storm broke the rudder."
    assert widow in own(f"{widow}, and {shared}")


def test_what_holds_under_a_condition_is_not_listed_without_it():
    text = (
        "If the insurer pays, the ferry that sank on Sunday will be raised, and the brewer in Dell "
        "will buy new crates."
    )
    assert not any("brewer" in one and "insurer" not in one for one in own(text))


def test_the_middle_of_a_quotation_is_nobodys_own():
    text = (
        '"My aunt knitted caps. Every singer wore green. She gave one to a sailor," said Ida Moss.'
    )
    assert own(f"{FERRY} {text}") == []


def test_what_readers_are_asked_to_do_is_nobodys_own():
    assert own(f"{FERRY} {CAPS} Click here to read the full story.") == [CAPS]


def test_of_a_long_text_headings_and_questions_are_nobodys_own():
    filler = [
        f"The baker sold {n + 20} brown loaves on day {n + 1} of the fair." for n in range(170)
    ]
    odd = ["Recipes from the kitchens of Dell", "Who stole the green bicycle of the teacher?"]
    found = own("\n\n".join([*filler, *odd, CAPS]))
    assert CAPS in found
    assert not {*odd} & {*found}
