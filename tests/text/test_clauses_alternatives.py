"""The alternatives of a sentence: which clauses are split off, and how many ways are kept."""

import pytest

from commonground.text import segment
from commonground.text.clauses.find import Clause
from commonground.text.clauses.segments import MOST_ALTERNATIVES, alternatives


def clauses(*depths):
    """A main clause followed by clauses of these depths."""
    made = [Clause(verb=0, host=0, depth=0, words=[0])]
    made += [Clause(number, 0, depth, [number]) for number, depth in enumerate(depths, 1)]
    return made


def test_one_clause_has_no_alternative():
    assert alternatives(clauses()) == []


def test_two_clauses_have_one():
    assert alternatives(clauses(1)) == [{1}]


def test_up_to_four_clauses_have_all_the_ways_there_are():
    assert alternatives(clauses(1, 2)) == [{1, 2}, {2}, {1}]
    ways = [{1, 2, 3}, {2, 3}, {1, 3}, {1, 2}, {3}, {2}, {1}]
    assert alternatives(clauses(1, 1, 1)) == ways
    assert alternatives(clauses(3, 0, 1)) == ways


def test_of_more_the_nearest_to_the_finest_are_kept_and_the_main_clauses_alone():
    assert alternatives(clauses(0, 1, 2, 1, 0)) == [
        {1, 2, 3, 4, 5},
        {2, 3, 4, 5},
        {1, 3, 4, 5},
        {1, 2, 4, 5},
        {1, 2, 3, 5},
        {1, 2, 3, 4},
        {1, 5},
        {1},
    ]


@pytest.mark.parametrize("count", [4, 5, 20, 1000])
def test_there_are_never_more_than_the_limit(count):
    found = alternatives(clauses(*(number % 5 for number in range(count))))
    assert len(found) == len(set(found)) == MOST_ALTERNATIVES
    assert found[0] == set(range(1, count + 1))


def test_a_clause_that_is_not_split_off_is_in_its_host():
    (found,) = segment("She believes the lake, which froze in January, is safe.")
    assert [[part.text for part in cut] for cut in found.segmentations[1:]] == [
        ["She believes.", "the lake is safe", "the lake, which froze in January,"],
        ["She believes the lake is safe.", "the lake, which froze in January,"],
        ["She believes.", "the lake, which froze in January, is safe"],
    ]


def test_a_verb_without_subject_goes_back_to_the_verb_it_shares_it_with():
    (found,) = segment("The council debated the plan, rejected it and adjourned.")
    assert [[part.text for part in cut] for cut in found.segmentations[1:]] == [
        ["The council debated the plan,", "The council rejected it and", "The council adjourned."],
        ["The council debated the plan, rejected it and", "The council adjourned."],
        ["The council debated the plan,", "The council rejected it and adjourned."],
    ]
