"""What models write is verified, whatever the model; here it is a stand-in."""

import pytest

from commonground.errors import InputError
from commonground.narratives.generators import Generator, Tokens, Written
from commonground.narratives.generators.writer import shares

LEFT = "The ferry ran aground on Saturday. Its captain resigned a day later."
RIGHT = "On Saturday a ferry ran aground off the harbour. Nobody was hurt."
TEXT = "The ferry ran aground on Saturday. The captain resigned."


class Parrot:
    """Says the same of every event, the last event first."""

    def __init__(self, text=TEXT, warning=None):
        self.settings = {"method": "parrot", "model": "grey@1234"}
        self.seen, self.text, self.warning = [], text, warning

    def write(self, events):
        self.seen = list(events)
        for number in reversed(range(len(self.seen))):
            yield number, Written(self.text, Tokens(10, 3), self.warning)


def test_unsupported_sentences_are_dropped_by_default_and_listed():
    found = Generator(Parrot()).find([LEFT, RIGHT])
    assert found.summary == "The ferry ran aground on Saturday."
    assert found.generated == TEXT
    rows = found.to_dict()
    assert rows["dropped"] == [
        {"text": "The captain resigned.", "reason": "not found in narratives[1]"}
    ]
    (statement,) = rows["statements"]
    assert statement["weight"] == 2 and len(statement["evidence"]) == 2
    assert rows["tokens"] == {"read": 10, "written": 3}
    assert "Dropped:\n- The captain resigned. [not found in narratives[1]]" in str(found)


def test_flagged_sentences_stay_and_are_marked():
    found = Generator(Parrot(), verify="flag").find([LEFT, RIGHT])
    assert found.summary == TEXT
    assert [one["supported"] for one in found.to_dict()["statements"]] == [True, False]
    assert str(found).startswith(
        "The ferry ran aground on Saturday. [unsupported: The captain resigned.]\n"
    )


def test_off_looks_at_nothing():
    found = Generator(Parrot(), verify="off").find([LEFT, RIGHT])
    assert found.summary == TEXT and found.verified is None
    assert "|verify:off|" in str(found.signature) and "enc:" not in str(found.signature)


def test_the_order_of_narratives_changes_nothing_that_the_model_sees():
    one, other = Parrot(), Parrot()
    first = Generator(one).find([LEFT, RIGHT])
    second = Generator(other).find([RIGHT, LEFT])
    assert one.seen == other.seen == [(RIGHT, LEFT)]
    assert (first.summary, first.signature) == (second.summary, second.signature)


def test_results_find_their_events_in_whatever_order_they_come():
    events = [[LEFT, RIGHT], ["It rained.", "Rain fell."]]
    found = dict(Generator(Parrot(), verify="off").each(events))
    assert [one.text for one in found[1].narratives] == ["It rained.", "Rain fell."]
    assert [one.text for one in found[0].narratives] == [LEFT, RIGHT]


def test_the_signature_names_model_and_verification():
    signature = str(Generator(Parrot()).find([LEFT, RIGHT]).signature)
    assert signature.startswith("OVERLAP|method:parrot|model:grey@1234|verify:drop|reader:")
    assert signature.count("|v:") == 1


def test_a_cut_input_is_a_warning_that_can_be_seen():
    with pytest.warns(UserWarning, match="input cut"):
        found = Generator(Parrot(warning="input cut to 5 words")).find([LEFT, RIGHT])
    assert found.to_dict()["warning"] == "input cut to 5 words"


@pytest.mark.parametrize("verify", ["drop", "flag", "off"])
def test_a_model_may_write_nothing(verify):
    found = Generator(Parrot(""), verify=verify).find([LEFT, RIGHT])
    assert found.summary == "" and str(found).startswith("The model gave no summary.\n")


def test_that_nothing_is_supported_is_said_only_where_it_was_looked_for():
    one_sided = Parrot("The captain sang.")
    assert str(Generator(one_sided).find([LEFT, RIGHT])).startswith(
        "Nothing that all narratives support.\n"
    )
    off = Generator(one_sided, verify="off").find([LEFT, RIGHT])
    assert str(off).startswith("The captain sang.\n")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: Generator(Parrot(), verify="flga"), "did you mean 'flag'"),
        (lambda: Generator(Parrot()).find(["one"]), "at least two"),
    ],
)
def test_wrong_calls_are_one_line(call, told):
    with pytest.raises(InputError, match=told):
        call()


@pytest.mark.parametrize(
    ("lengths", "budget", "expected"),
    [
        ([100, 900, 900], 1100, [100, 500, 500]),
        ([900, 100], 400, [300, 100]),
        ([5, 5], 100, [5, 5]),
        ([10, 10, 10], 10, [3, 3, 4]),
        ([10], 0, [0]),
    ],
)
def test_every_narrative_gets_its_share(lengths, budget, expected):
    assert shares(lengths, budget) == expected


def test_a_writer_may_ask_for_the_given_order():
    writer = Parrot()
    Generator(writer, verify="off").find(["b", "a"])
    assert writer.seen == [("a", "b")]
    writer.given_order = True
    Generator(writer, verify="off").find(["b", "a"])
    assert writer.seen == [("b", "a")]
