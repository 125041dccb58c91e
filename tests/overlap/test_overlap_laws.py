"""Laws of the overlap that hold for all narratives."""

import json
import re
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.overlap import Overlaps
from commonground.text import split
from overlap_stories import FACTS, ORCHARD, VIOLIN

FINDER = Overlaps()

STORIES = st.lists(
    st.sampled_from([*(way for ways in FACTS.values() for way in ways), *ORCHARD, *VIOLIN]),
    max_size=5,
    unique=True,
)
GAPS = st.sampled_from([" ", "\n", "\n\n", "\n\n- "])
NARRATIVES = st.builds(lambda gap, sentences: gap.join(sentences), GAPS, STORIES)
FEW = settings(max_examples=12)


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def check_places(found):
    """Everything that is quoted stands where the result says."""
    texts = [narrative.text for narrative in found.narratives]
    passages = [passage for one in found.statements for passage in one.evidence]
    for passage in (*passages, *found.unique):
        assert texts[passage.narrative][passage.start : passage.end] == passage.text
        assert 0 <= passage.probability <= 1
    for side in (side for conflict in found.conflicts for side in conflict.sides):
        assert texts[side.narrative][side.start : side.end] == side.text
        assert texts[side.narrative][side.value_start : side.value_end] == side.value


@FEW
@given(st.lists(NARRATIVES, min_size=2, max_size=4))
def test_evidence_is_where_it_says_and_no_word_is_invented(texts):
    found = FINDER.find(texts)
    check_places(found)
    for statement in found.statements:
        numbers = [passage.narrative for passage in statement.evidence]
        assert numbers == list(range(len(texts)))
        assert statement.weight == len(texts)
        assert statement.probability == min(one.probability for one in statement.evidence)
        assert any(words(statement.text) <= words(one.text) for one in statement.evidence)
    assert len({statement.text for statement in found.statements}) == len(found.statements) <= 3


@FEW
@given(st.lists(NARRATIVES, min_size=3, max_size=3), st.permutations(range(3)))
def test_the_order_of_narratives_changes_nothing_but_their_numbers(texts, order):
    one = FINDER.find(texts)
    other = FINDER.find([texts[place] for place in order])
    assert other.summary == one.summary
    assert [(s.text, s.probability, s.weight) for s in other.statements] == [
        (s.text, s.probability, s.weight) for s in one.statements
    ]
    for ours, theirs in zip(one.statements, other.statements, strict=True):
        assert quoted(theirs.evidence, order) == quoted(ours.evidence, range(3))
    assert quoted(other.unique, order) == quoted(one.unique, range(3))
    assert len(other.conflicts) == len(one.conflicts)


def quoted(passages, order):
    return {(order[one.narrative], one.start, one.end, one.probability) for one in passages}


@FEW
@given(STORIES.filter(bool), GAPS)
def test_a_narrative_with_itself_gives_back_its_main_points(sentences, gap):
    text = gap.join(sentences)
    found = FINDER.find([text, text])
    assert found.statements
    assert {one.text for one in found.statements} <= {one.text for one in split(text)}
    assert found.unique == ()
    assert found.conflicts == ()


@FEW
@given(NARRATIVES, st.sampled_from(["", " \n\n", "...", "\ufeff"]))
def test_with_an_empty_narrative_nothing_is_shared(text, empty):
    found = FINDER.find([text, empty])
    assert (found.summary, found.statements, found.conflicts) == ("", (), ())
    assert [one.text for one in found.unique] == [one.text for one in split(text)]


@FEW
@given(
    st.lists(st.sampled_from(ORCHARD), min_size=1, unique=True),
    st.lists(st.sampled_from(VIOLIN), min_size=1, unique=True),
)
def test_with_an_unrelated_narrative_nothing_is_shared(left, right):
    found = FINDER.find([" ".join(left), " ".join(right)])
    assert found.summary == ""
    assert [one.text for one in found.unique] == [*left, *right]


@FEW
@given(st.lists(st.sampled_from(sorted(FACTS)), min_size=1, max_size=3, unique=True), st.data())
def test_a_repeated_fact_appears_once(names, data):
    texts = []
    for _ in range(2):
        ways = [FACTS[name][data.draw(st.integers(0, 1))] for name in names]
        texts.append(" ".join(data.draw(st.permutations([*ways, *ways]))))
    found = FINDER.find(texts)
    assert found.statements
    kept = [name for one in found.statements for name, ways in FACTS.items() if one.text in ways]
    assert len(kept) == len(found.statements)
    assert len(set(kept)) == len(kept)


@FEW
@given(st.lists(NARRATIVES, min_size=2, max_size=3))
def test_results_are_the_same_on_every_run_and_survive_json(texts):
    found = FINDER.find(texts)
    assert found == Overlaps().find(texts)
    values = found.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["summary"] == " ".join(one["text"] for one in values["statements"])


@pytest.mark.parametrize("texts", sorted(set(permutations([" ".join(ORCHARD)] * 2 + [VIOLIN[0]]))))
def test_equal_narratives_keep_their_own_numbers(texts):
    found = Overlaps(at_least=2).find(texts)
    for statement in found.statements:
        assert [texts[one.narrative] for one in statement.evidence] == [" ".join(ORCHARD)] * 2
    check_places(found)
