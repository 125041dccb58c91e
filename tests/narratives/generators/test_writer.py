import pytest

from commonground.errors import InputError
from commonground.narratives.generators import LEVELS, messages

TEXTS = ("The dam burst at night.", "At night the dam broke.")


def told(level):
    return "\n".join(one["content"] for one in messages(TEXTS, level))


def test_each_level_says_all_of_the_one_before_and_more():
    for level in LEVELS[1:]:
        before = told(level - 1).split("Narrative 1:")[0]
        assert before.strip() in told(level)
        assert len(told(level)) > len(told(level - 1))


def test_what_each_level_adds():
    assert [one["role"] for one in messages(TEXTS, 1)] == ["user"]
    assert [one["role"] for one in messages(TEXTS, 2)] == ["system", "user"]
    assert "rules" in told(3) and "rules" not in told(2)
    assert "judged by" in told(4) and "judged by" not in told(3)
    assert "in this order" in told(5) and "in this order" not in told(4)


@pytest.mark.parametrize("level", LEVELS)
def test_every_narrative_is_there_once(level):
    for number, text in enumerate(TEXTS, start=1):
        assert told(level).count(f"Narrative {number}:\n<<<\n{text}\n>>>") == 1


def test_a_level_that_there_is_not():
    with pytest.raises(InputError, match="from 1 to 5, not 7"):
        messages(TEXTS, 7)
