"""What the evidence may contradict is no statement, also where no conflict is sure."""

import pytest

from commonground.narratives import Overlaps

FINDER = Overlaps(max_sentences=6)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "The mayor, Ana Duarte, defeated Luis Prado in Sunday's election.",
            "Luis Prado defeated the mayor, Ana Duarte, in Sunday's election.",
        ),
        (
            "Probationary employees are not eligible for remote work.",
            "Employees on probation can work remotely too.",
        ),
        ("The suspect confessed to the police.", "The suspect denied everything to the police."),
        ("There was a passenger in the van.", "There was nobody else in the van."),
        ("The driver was sober, police said.", "The driver was drunk, police said."),
        ("A local man was arrested on Friday.", "A local woman was arrested on Friday."),
        ("The minister resigned on Friday.", "The minister refused to resign on Friday."),
        ("The tenant failed to pay the rent on time.", "The tenant paid the rent on time."),
        ("The minister at first refused to resign.", "The minister resigned."),
        ("Anna Berg beat Karl Lund.", "Karl Lund beat Anna Berg."),
    ],
    ids=[
        "roles",
        "denial",
        "opposites",
        "short denial",
        "states",
        "man, woman",
        "refused",
        "failed",
        "refused at first",
        "names in each other's place",
    ],
)
def test_no_statement(left, right):
    assert FINDER.find([left, right]).statements == ()


@pytest.mark.parametrize(
    ("left", "right", "shared"),
    [
        (
            "Employees may work from home up to three days a week.",
            "Staff are allowed to work from home for a maximum of two days per week.",
            "Employees may work from home.",
        ),
        (
            "People who drank two cups a day cut their risk of the disease by 25%.",
            "Those who drank two cups a day were 15 percent less at risk of the disease.",
            "People who drank two cups a day cut their risk of the disease.",
        ),
    ],
    ids=["limits", "shares"],
)
def test_what_both_sides_share_is_told_without_the_value(left, right, shared):
    assert FINDER.find([left, right]).summary == shared


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Nobody was killed in the fire.", "There were no deaths in the fire."),
        (
            "Ana Duarte defeated Luis Prado in Sunday's election.",
            "Luis Prado was defeated by Ana Duarte in the election on Sunday.",
        ),
        (
            "The plant stays closed for at least two weeks.",
            "The plant will be closed for a minimum of two weeks.",
        ),
        (
            "A fire broke out at the mill shortly after 2 a.m. on Tuesday.",
            "Fire broke out at the mill early on Tuesday morning.",
        ),
        (
            "The van failed to stop at the crossing.",
            "The van did not stop at the crossing.",
        ),
        ("The minister declined to comment.", "The minister refused to comment."),
        (  # what is refused besides is another matter
            "The minister resigned on Friday and declined to comment.",
            "The minister resigned on Friday.",
        ),
    ],
    ids=[
        "both deny", "passive", "limits", "small hours", "failed, did not", "both refuse",
        "refused besides",
    ],
)  # fmt: skip
def test_a_statement_all_the_same(left, right):
    found = FINDER.find([left, right])
    assert len(found.statements) == 1
    assert found.conflicts == ()
