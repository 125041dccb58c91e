"""Loose parts by kind: each sentence, what can go, and what is left without all of it."""

import pytest

from commonground.text import parse
from commonground.text.clauses import bearable, loose_parts, without


def parts(sentence):
    (doc,) = parse([sentence])
    return [part.text(doc) for part in loose_parts(doc)]


def left(sentence, *gone):
    """The sentence without these parts, or without all that can go."""
    (doc,) = parse([sentence])
    chosen = [part for part in loose_parts(doc) if not gone or part.text(doc) in gone]
    return without(doc, chosen, sentence)


@pytest.mark.parametrize(
    ("sentence", "part", "rest"),
    [
        (
            "The mayor, who was elected in May, closed the bridge on Monday.",
            "who was elected in May",
            "The mayor closed the bridge on Monday.",
        ),
        (
            "The mayor said that the bridge, which is old, must be closed.",
            "which is old",
            "The mayor said that the bridge must be closed.",
        ),
        (
            "We ask for your name, a password and a number, which we use to restore access.",
            "which we use to restore access",
            "We ask for your name, a password and a number.",
        ),
        (
            "Mara Finch, the club's chairwoman, called the offer a bad joke.",
            "the club's chairwoman",
            "Mara Finch called the offer a bad joke.",
        ),
        (
            "The driver — a young man from Estling — was not hurt at all.",
            "a young man from Estling",
            "The driver was not hurt at all.",
        ),
        (
            "The bridge was closed because cracks had been found.",
            "because cracks had been found",
            "The bridge was closed.",
        ),
        (
            "After the storm had passed, the crew repaired the roof.",
            "After the storm had passed",
            "The crew repaired the roof.",
        ),
        (
            "He left the party when the police arrived at the door.",
            "when the police arrived at the door",
            "He left the party.",
        ),
        (
            "Rain fell all night, flooding the cellar of the school.",
            "flooding the cellar of the school",
            "Rain fell all night.",
        ),
        (
            "In the early morning, the gate stopped halfway.",
            "In the early morning",
            "The gate stopped halfway.",
        ),
        (
            "The council decided, after a debate of four hours, to close the pool.",
            "after a debate of four hours",
            "The council decided to close the pool.",
        ),
        (
            "The council approved the budget (14 votes to 9) after a long debate.",
            "14 votes to 9",
            "The council approved the budget after a long debate.",
        ),
        (
            "The price rose by 5 percent (from 10 to 12 euros).",
            "from 10 to 12 euros",
            "The price rose by 5 percent.",
        ),
        (
            "The council approved the budget and postponed the vote on the pool.",
            "postponed the vote on the pool",
            "The council approved the budget.",
        ),
        (
            "The council approved the budget, and the mayor thanked its members.",
            "the mayor thanked its members",
            "The council approved the budget.",
        ),
        (
            "The house was sold to Meyer & Sons, Inc., for two million.",
            "for two million",
            "The house was sold to Meyer & Sons, Inc.",
        ),
        (
            "The minister, however, who was late, apologised to the guests.",
            "however",
            "The minister, who was late, apologised to the guests.",
        ),
    ],
)
def test_a_part_goes_with_its_commas(sentence, part, rest):
    assert parts(sentence) == [part]
    assert left(sentence) == rest


def test_parts_go_each_by_itself_or_together():
    sentence = "The town, which has no money, and the club, which has no pool, are talking."
    money, pool = "which has no money", "which has no pool"
    assert parts(sentence) == [money, pool]
    assert left(sentence, money) == "The town and the club, which has no pool, are talking."
    assert left(sentence, pool) == "The town, which has no money, and the club are talking."
    assert left(sentence) == "The town and the club are talking."


@pytest.mark.parametrize(
    "sentence",
    [
        # Conditions: without them the sentence claims more.
        "The bank raises its rates if inflation goes up.",
        "If you close your account, we delete your data within thirty days.",
        "We delete your data within thirty days unless a court forbids it.",
        "We share your data when the law requires it from us.",
        "Customers get their money back where the trip is cancelled.",
        "The doors stay open as long as somebody is inside.",
        "Take an umbrella with you in case it rains in the evening.",
        # What is denied with its reason may have happened for another.
        "The council did not close the school because it was old.",
        "No one may enter the site because the crane is working.",
        # Sources: without them a report reads as a fact.
        "According to the police, two men were arrested on Sunday.",
        "Two men were arrested on Sunday, according to the police.",
        # Limits.
        "The firm will not pay, except for damage to the roof.",
        "She said the plan, not the budget, was the problem.",
        # Items of a list.
        "The farm grows apples, pears, plums and cherries on the slope.",
        "The owner, Anna, her brother and two guests left the house.",
        "The roof, the doors and the walls were damaged by the storm.",
        # What tells which one is meant.
        "The book that she wrote won a prize in autumn.",
        # A name, not an aside.
        "Corvane, Inc., will send two engineers to the gate.",
        # Too little would be left.
        "Paris (the capital) is large.",
        # Quotations: nobody said what would be left.
        '"The gate failed," the mayor said, "because nobody listened."',
        "“The council, which knew it, did nothing,” she said on Monday.",
    ],
)
def test_what_must_stay(sentence):
    assert parts(sentence) == []
    assert left(sentence) == sentence


def test_a_comma_before_a_quotation_stays():
    sentence = '"We trusted it," said the owner, who lost most of her stock, "and it failed."'
    assert parts(sentence) == ["who lost most of her stock"]
    assert left(sentence) == '"We trusted it," said the owner, "and it failed."'


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        (
            "LONDON (Reuters) — The bank raised its rates on Thursday.",
            "The bank raised its rates on Thursday.",
        ),
        (
            "ESTLING, June - Two trains collided near the harbour.",
            "Two trains collided near the harbour.",
        ),
        ("NATO — which met in Brussels — agreed on a plan.", "NATO agreed on a plan."),
        ("THE BRIDGE - CLOSED ON MONDAY - WAS OLD.", "THE BRIDGE - CLOSED ON MONDAY - WAS OLD."),
    ],
)
def test_datelines(sentence, rest):
    assert left(sentence) == rest


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("The ferry ran aground off the cape", "The ferry ran aground off the cape."),
        ("the ferry ran aground off the cape", "The ferry ran aground off the cape."),
        ("Did the ferry run aground?", "Did the ferry run aground?"),
        ("She said: “It ran aground.”", "She said: “It ran aground.”"),
        ("The ferry\n  ran aground .", "The ferry ran aground."),
        ("iPhone sales fell by .5 percent", "iPhone sales fell by .5 percent."),
        ("旧桥周一关闭。", "旧桥周一关闭。"),
    ],
)
def test_a_whole_sentence_begins_and_ends_as_one(sentence, whole):
    assert left(sentence) == whole


def test_letters_that_the_parser_does_not_read_stay():
    address = "https://example.org/" + "a" * 120
    sentence = f"The mayor, who was late, wrote \ud800 about {address} on Monday."
    assert left(sentence) == f"The mayor wrote \ud800 about {address} on Monday."


@pytest.mark.parametrize(
    "sentence",
    [
        "Allegedly, the mayor took a bribe from the builder of the bridge.",
        "The mayor, reportedly, took a bribe from the builder of the bridge.",
        "In theory, the new law bans all weapons of that kind.",
        "At most, twelve people were on board of the boat.",
        "Rarely, the medicine causes a rash on both arms.",
        "In most cases, the wound heals without any treatment.",
    ],
)
def test_what_weighs_a_claim_stays(sentence):
    (doc,) = parse([sentence])
    assert loose_parts(doc) == []


def test_enough_is_left_when_several_parts_go_together():
    sentence = "On Monday, after the storm had passed, Smith (a teacher) resigned, citing health."
    (doc,) = parse([sentence])
    left = without(doc, bearable(doc, loose_parts(doc)), sentence)
    assert len(left.split()) >= 4
    assert "Smith" in left
    assert "resigned" in left


def test_no_sentence_ends_with_and_or_a_preposition():
    idea = "The idea to use pauses is simple and, as the table shows, it brings most of the gain."
    assert not left(idea).endswith("and.")
