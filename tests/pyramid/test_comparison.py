"""Pyramids side by side, made by hand."""

import pytest

from commonground.pyramid import Contributor, Pyramid, Unit, compare
from commonground.score import Signature

SIGNATURE = Signature.of("PYRAMID")
REFERENCES = (
    "Most crashes come from human error. Insurance may get cheaper. Cars park alone.",
    "People cause accidents. Premiums will fall. Traffic moves faster.",
    "Robots never drink. Lower insurance is likely. Old drivers stay mobile.",
)


def unit(label, **said):
    """A unit; contributors are named r0, r1, ..."""
    return Unit(label, tuple(Contributor(int(name[1:]), text) for name, text in said.items()))


def pyramid(*units, references=REFERENCES):
    return Pyramid(units, references, SIGNATURE)


INSURANCE = unit(
    "Insurance gets cheaper",
    r0="Insurance may get cheaper",
    r1="Premiums will fall",
    r2="Lower insurance is likely",
)
ERROR = unit("Humans err", r0="Most crashes come from human error", r1="People cause accidents")
PARKING = unit("Cars park alone", r0="Cars park alone")


def labels(pairs):
    return [(pair.auto.label, pair.manual.label) for pair in pairs]


def test_a_pyramid_and_itself():
    found = compare(pyramid(INSURANCE, ERROR, PARKING), pyramid(PARKING, ERROR, INSURANCE))
    assert [(pair.auto, pair.manual) for pair in found.pairs] == [
        (INSURANCE, INSURANCE),
        (ERROR, ERROR),
        (PARKING, PARKING),
    ]
    assert [pair.similarity for pair in found.pairs] == pytest.approx([1, 1, 1])
    assert found.only_auto + found.only_manual + found.near == ()
    assert found.mean_difference == 0


def test_weights_that_differ_by_one_as_in_figure_1():
    fewer = unit("Premiums fall", r0="Insurance may get cheaper", r1="Premiums will fall")
    found = compare(pyramid(INSURANCE, PARKING), pyramid(fewer, ERROR))
    assert labels(found.pairs) == [("Insurance gets cheaper", "Premiums fall")]
    assert found.pairs[0].difference == 1
    assert found.mean_difference == 1
    # Two of three references agree in full; the labels have no word in common.
    assert found.pairs[0].similarity == pytest.approx(0.75 * 2 / 3)
    assert (found.only_auto, found.only_manual) == ((PARKING,), (ERROR,))


def test_a_unit_that_people_split_in_two_as_in_figure_7():
    joined = unit(
        "Human error makes insurance dear",
        r0="Most crashes come from human error. Insurance may get cheaper",
        r1="People cause accidents. Premiums will fall",
    )
    insurance = unit("Cheaper", r0="Insurance may get cheaper", r1="Premiums will fall")
    found = compare(pyramid(joined), pyramid(insurance, ERROR))
    assert labels(found.pairs) == [(joined.label, ERROR.label)]
    assert found.only_manual == (insurance,)
    assert labels(found.near) == [(joined.label, insurance.label)]
    assert "[2] Cheaper\n    auto [2] Human error makes insurance dear (" in str(found)


def test_the_best_pairs_together_not_one_after_the_other():
    # The first is most like the second of the others, but the second has no one else.
    first = unit("alpha beta gamma")
    second = unit("alpha beta")
    one, two = unit("alpha beta delta"), unit("gamma epsilon")
    found = compare(pyramid(first, second), pyramid(one, two), least=0.01)
    assert labels(found.pairs) == [
        ("alpha beta", "alpha beta delta"),
        ("alpha beta gamma", "gamma epsilon"),
    ]


def test_references_are_known_by_their_words_not_their_numbers():
    order = (2, 0, 1)
    moved = Unit(
        INSURANCE.label,
        tuple(Contributor(order.index(one.reference), one.text) for one in INSURANCE.contributors),
    )
    found = compare(pyramid(INSURANCE), pyramid(moved, references=[REFERENCES[i] for i in order]))
    assert found.references == order
    assert found.pairs[0].similarity == pytest.approx(1)
    assert "    2 auto:   Premiums will fall\n    2 manual: Premiums will fall" in str(found)


def test_where_references_are_not_known_contributors_are_taken_together():
    moved = unit(
        INSURANCE.label,
        r0="Lower insurance is likely",
        r1="Insurance may get cheaper",
        r2="Premiums will fall",
    )
    found = compare(pyramid(INSURANCE), pyramid(moved, references=("", "", "")))
    assert found.references is None
    assert found.pairs[0].similarity == pytest.approx(1)
    assert "    manual:   Lower insurance is likely" in str(found)


def test_other_references_have_no_say():
    other = ("Bees dance.", "Bees hum all day long.")
    found = compare(pyramid(PARKING), pyramid(PARKING, references=other))
    assert found.references == (3, 4)
    assert found.pairs[0].similarity == pytest.approx(0.25)  # the labels alone


def test_nothing_in_common_and_nothing_at_all():
    found = compare(pyramid(PARKING), pyramid(unit("Bees hum", r1="Bees hum")), least=0)
    assert (found.pairs, found.near) == ((), ())
    assert compare(pyramid(), pyramid(PARKING)).only_manual == (PARKING,)
    empty = compare(pyramid(references=()), pyramid(references=()))
    assert str(empty) == "0 pairs, 0 only automatic, 0 only manual"


def test_the_text():
    fewer = unit("Premiums fall", r1="Premiums will fall")
    assert str(compare(pyramid(INSURANCE, PARKING), pyramid(fewer))).splitlines() == [
        "1 pair, 1 only automatic, 0 only manual; weights are 2.00 apart on average",
        "",
        "auto   [3] Insurance gets cheaper (0.25)",
        "manual [1] Premiums fall",
        "    1 auto:   Insurance may get cheaper",
        "    2 auto:   Premiums will fall",
        "    2 manual: Premiums will fall",
        "    3 auto:   Lower insurance is likely",
        "",
        "Only automatic:",
        "[1] Cars park alone",
    ]


def test_as_a_dict():
    found = compare(pyramid(INSURANCE, PARKING), pyramid(INSURANCE)).to_dict()
    assert found["pairs"][0]["auto"] == {"label": INSURANCE.label, "weight": 3}
    assert found["only_auto"] == [{"label": PARKING.label, "weight": 1}]
    assert found["mean_difference"] == 0
