"""Conflicts of narratives: cases by kind, traps, and the laws that hold for all."""

import json
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.narratives import Conflict, Overlaps, Side
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts import find
from commonground.narratives.reading import Readings
from commonground.reading import token_encoder

PAIRS = Path(__file__).parents[3] / "examples" / "conflicts.jsonl"


@cache
def finder():
    return Overlaps()


def conflicts(*texts):
    return finder().find(texts).conflicts


def told(*texts):
    return [(one.kind, *(side.value for side in one.sides)) for one in conflicts(*texts)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            "The conference will be held in San Francisco.",
            "The conference will be held in Portland.",
            ("place", "San Francisco", "Portland"),
        ),
        (
            "The earthquake killed 40 people in the valley.",
            "At least 70 people died in the valley when the earthquake struck.",
            ("number", "40", "At least 70"),
        ),
        (
            "Unemployment fell to 4.1 percent in June.",
            "Unemployment fell to 4.6 percent in June.",
            ("number", "4.1 percent", "4.6 percent"),
        ),
        ("No arrests were made.", "Three arrests were made.", ("number", "No", "Three")),
        (
            "Judge Alan Park dismissed the case.",
            "The case was dismissed by Judge Susan Cole.",
            ("name", "Alan Park", "Susan Cole"),
        ),
        (
            "The ceasefire began on Monday.",
            "The ceasefire started on Wednesday.",
            ("date", "Monday", "Wednesday"),
        ),
        (
            "The treaty was signed in 1992.",
            "The treaty was signed in 1994.",
            ("date", "1992", "1994"),
        ),
        (  # other sums could be the same one, converted
            "The bridge cost $5 million to build.",
            "The bridge cost €5 million to build.",
            ("number", "$5 million", "€5 million"),
        ),
        (
            "The senator didn't vote for the bill.",
            "The senator voted for the bill.",
            ("negation", "didn't vote", "voted"),
        ),
        (
            "The driver was not wearing a seat belt.",
            "The driver was wearing a seat belt.",
            ("negation", "was not wearing", "was wearing"),
        ),
        (  # the denial stands on the subject, or on the object
            "No residents of Holm Street were evacuated.",
            "The residents of Holm Street were evacuated.",
            ("negation", "No residents of Holm Street were evacuated", "were evacuated"),
        ),
        (
            "The inspectors found no asbestos in the school.",
            "The inspectors found asbestos in the school.",
            ("negation", "found no asbestos", "found"),
        ),
    ],
)
def test_found(one, other, expected):
    assert told(one, other) == [expected]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("About 50 people signed the letter.", "The letter was signed by 48 people."),
        ("Two hours passed.", "120 minutes passed."),
        ("The bus crash killed twelve people.", "The bus crash injured fifteen people."),
        ("Anna Berg scored 12 points.", "Eva Lund scored 15 points."),
        ("Shares fell 3 percent on Monday.", "Shares fell 5 percent on Tuesday."),
        ("Sales rose 4 percent in the first year.", "Sales rose 9 percent in the second year."),
        ("The summit will be held in Paris.", "The summit will be held in France."),
        ("Sen. Hollis opposed the bill.", "Margaret Hollis opposed the bill."),
        ("Mayor Okoye said the water is safe.", "Dr. Brandt said the water is safe."),
        ("The ceasefire began on Monday.", "The ceasefire began on Monday, May 3."),
        ("The ceasefire began on Monday morning.", "The ceasefire began at 9 a.m. on Monday."),
        ("The governor denied that he had taken money.", "The governor had not taken money."),
        ("If the bill does not pass, many will lose.", "The bill passed."),
        # The "I" of one narrative is not the "I" of another.
        ("I did not see anyone else in the van.", "I saw a blue van speeding down the hill."),
        ("I did not see the red van stop.", "The baker saw the red van stop."),
        ("The baker said I did not help the cyclist.", "I helped the cyclist."),
        ("Not all passengers survived.", "The passengers survived."),
        ("We never sell your data.", "We may sell your data."),
        ("The house has three bedrooms.", "The house has two bathrooms."),
        # A state of something else, of one of several, or at another time.
        ("The driver of the van was sober.", "The driver of the bus was drunk."),
        ("The first driver was drunk.", "The second driver was sober."),
        ("One victim was a man.", "One victim was a woman."),
        ("There was a man in the van.", "There was a woman in the van."),
        ("The couple has a son.", "The couple has a daughter."),
        ("The man was at home.", "The woman was at home."),
        ("The clerk was single.", "The clerk is married."),
        ("The bridge was once unsafe.", "The bridge was safe."),
        ("The clerk is no longer employed.", "The clerk is unemployed."),
        ("The clerk is no longer employed here.", "The clerk was employed here."),
        ("The patient was conscious when she was found.", "The patient was unconscious."),
        ("The driver was drunk if the test is right.", "The driver was sober."),
        ("The driver was not sober.", "The driver was drunk."),
        ("The jury found Mr Lund guilty.", "The jury found Mr Berg innocent."),
        ("Karl Lund was found guilty of fraud.", "Karl Lund was found innocent of murder."),
        # Refused at another time or in part, or not told as a fact.
        ("The minister at first refused to resign.", "The minister resigned."),
        ("The minister had refused to resign.", "The minister resigned."),
        ("The minister refused to resign until Friday.", "The minister resigned."),
        ("The minister refused to resign. In the end he resigned.", "The minister resigned."),
        ("If the minister refuses to resign, the party will split.", "The minister resigned."),
        ("The minister may refuse to resign.", "The minister resigned."),
        ("The minister did not refuse to resign.", "The minister resigned."),
        ("The minister refused to resign.", "The minister did not resign."),
        ("The band never fails to please its fans.", "The band pleased its fans."),
        ("The student failed the test.", "The student took the test."),
        ("The tenant failed to pay the rent on time.", "The tenant paid the rent."),
        ("The board failed to agree on a price.", "The board agreed on a date."),
        ("The team failed to win the cup.", "The team won the cup in 1998."),
        ("Sara Holt refused to sign.", "Sara Holt signed a book for a fan."),
    ],
)  # fmt: skip
def test_no_conflict(one, other):
    assert told(one, other) == []


def test_a_value_that_the_other_also_states_is_no_conflict():
    early = "At noon police spoke of 12 dead miners. By evening 15 miners were dead."
    assert told(early, "Police said that 15 miners were dead.") == []
    assert told("Police said that 18 miners were dead.", "Police said that 15 miners were dead.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The town does not need a new bridge.", "The town doesn’t need a new bridge."),
        ("The painter Zoë Varga moved to Lund.", "The painter Zoe Varga moved to Lund."),
    ],
)
def test_other_spellings_are_no_conflict(one, other):
    assert told(one, other) == []


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("Carl Pohl runs an old four-star hotel in Lund.", []),
        ("Carl Pohl runs four old hotels in Lund.", ["four"]),
    ],
)
def test_a_rank_counts_nothing(sentence, numbers):
    (facts,) = facts_of(Readings([sentence], token_encoder("minilm")))
    found = [value.span.text for value in facts.values[0] if value.kind == "number"]
    assert found == numbers


def test_the_same_values_are_reported_once():
    one = "The fire killed 12 people. In all the fire killed 12 people, police said."
    assert told(one, "The fire killed 15 people.") == [("number", "12", "15")]


def test_two_sentences_are_no_claim_beside_the_values_that_differ():
    texts = ("Four houses burned down.", "Seven houses burned down. Nobody came to help.")
    four = Side(0, texts[0], 0, 24, "Four", 0, 4)
    seven = Side(1, texts[1][:25], 0, 25, "Seven", 0, 5)
    nobody = Side(1, texts[1][26:], 26, 46, texts[1][26:], 26, 46)
    number = Conflict("number", (four, seven), 0.6)
    whole = [replace(side, value=side.text, value_end=side.end) for side in (four, seven)]
    claims = [
        Conflict(find.CLAIM, tuple(whole), 0.9),
        Conflict(find.CLAIM, (whole[0], nobody), 0.5),
    ]
    assert find.reported([*claims, number]) == (number, claims[1])


def test_offsets_lead_to_the_words():
    one = "It was late.\n\nThe storm  made\nlandfall near Biloxi on Tuesday."
    other = "  The storm made landfall near Mobile on Tuesday. Trees fell."
    (conflict,) = conflicts(one, other)
    assert [side.narrative for side in conflict.sides] == [0, 1]
    assert [side.value for side in conflict.sides] == ["Biloxi", "Mobile"]
    for text, side in zip((one, other), conflict.sides, strict=True):
        assert text[side.start : side.end] == side.text
        assert text[side.value_start : side.value_end] == side.value


def test_the_order_of_narratives_changes_only_their_numbers():
    texts = (
        "The plant lost power on Sunday. Twelve workers were hurt. The firm did not apologise.",
        "The plant lost power on Saturday. Nine workers were hurt. The firm apologised.",
        "The plant lost power on Sunday. Five workers were hurt.",
    )
    expected = None
    for order in permutations(range(3)):
        found = conflicts(*(texts[number] for number in order))
        plain = sorted(
            (one.kind, sorted((order[s.narrative], s.value_start, s.value) for s in one.sides))
            for one in found
        )
        expected = expected or plain
        assert plain == expected
    assert [(kind, [value for *_, value in sides]) for kind, sides in expected] == [
        ("date", ["Sunday", "Saturday", "Sunday"]),
        ("negation", ["did not apologise", "apologised"]),
        ("number", ["Twelve", "Nine", "Five"]),
    ]


def test_narratives_are_grouped_by_the_value_they_give():
    found = conflicts(
        "The plant lost power on Sunday. The firm did not apologise.",
        "The plant lost power on Saturday. The firm apologised.",
        "The plant lost power on Sunday. The firm apologised.",
    )
    groups = {
        one.kind: [(side.group, side.narrative, side.value) for side in one.sides] for one in found
    }
    assert groups == {
        "date": [(0, 0, "Sunday"), (0, 2, "Sunday"), (1, 1, "Saturday")],
        "negation": [(0, 0, "did not apologise"), (1, 1, "apologised"), (1, 2, "apologised")],
    }


@cache
def written():
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [narrative["text"] for row in rows[:12] for narrative in row["narratives"]]


@settings(max_examples=15)
@given(st.data())
def test_no_narrative_contradicts_itself(data):
    text = data.draw(st.sampled_from(written()))
    assert conflicts(text, text) == ()


def test_nothing_to_compare():
    assert conflicts("", "") == ()
    assert conflicts("", "Three ships sank.") == ()
    assert conflicts("12", "15") == ()
    assert conflicts("THE SHIP SANK", "... !!! ???") == ()


def test_unrelated_narratives_have_none():
    texts = written()
    assert conflicts(texts[0], texts[16]) == ()


def test_sentences_that_are_tables_are_not_compared_number_by_number(monkeypatch):
    compared = []
    monkeypatch.setattr(find, "differences", lambda *found: compared.append(found) or [])
    for count, expected in ((20, 1), (21, 0)):
        compared.clear()
        boats = ", ".join(f"{number} boats" for number in range(100, 100 + count))
        left = f"The crew counted {boats}."
        conflicts(left, left.replace("105", "205"))
        assert len(compared) == expected
