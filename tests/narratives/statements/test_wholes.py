"""A cut keeps a date, a number with its unit or a name as a whole, or drops it as a whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.narratives.statements.cutting import cuts
from commonground.narratives.statements.wholes import splits_whole, wholes
from commonground.text import parse
from commonground.wording import Tree, by_token, worded


def tree(sentence):
    (doc,) = parse([sentence])
    return Tree.of(doc, sentence)


def cut(sentence, unstated):
    """All cuts if the other text states everything but these words."""
    made = tree(sentence)
    missing = set(unstated.split())
    words = [word.strip(".,") for word in sentence.split()]
    logits = np.array([-3.0 if word in missing else 3.0 for word in words])
    return [worded(made, one.kept) for one in cuts(made, by_token(made, logits))]


@pytest.mark.parametrize(
    ("sentence", "unstated", "left"),
    [
        (
            "The library will reopen on March 3 after repairs.",
            "3",
            "The library will reopen after repairs.",
        ),
        (
            "The library will reopen on 3 March after the repairs.",
            "3 after the repairs",
            "The library will reopen.",
        ),
        (
            "The treaty was signed on May 3, 2021 in the old palace.",
            "2021",
            "The treaty was signed in the old palace.",
        ),
        (
            "The road is closed between 4 and 6 p.m. on Friday.",
            "4 and 6 p.m. on Friday",
            "The road is closed.",
        ),
        ("The trail is 14 kilometres long and very steep.", "14 steep", "The trail is long."),
        (
            "Almost 300 people signed the letter on Monday, May 3.",
            "May 3",
            "Almost 300 people signed the letter.",
        ),
    ],
)
def test_a_value_that_is_partly_stated_goes_with_its_phrase(sentence, unstated, left):
    assert left in cut(sentence, unstated)


@pytest.mark.parametrize(
    ("sentence", "unstated", "value"),
    [
        ("The library will reopen on March 3 after repairs.", "3", "March 3"),
        ("The council paid $4 million for the old mill.", "million", "$4 million"),
        ("Two climbers were found near Mount Hood on Sunday.", "Mount", "Mount Hood"),
        ("The hearing begins at 10 a.m. in the town hall.", "a.m.", "10 a.m."),
        ("The road is closed between 4 and 6 p.m. on Friday.", "and 6 p.m.", "4 and 6 p.m."),
        ("A lorry overturned on Highway 12 near the bridge.", "12", "Highway 12"),
        ("It fell by 4 to 6 percent in June.", "4 to", "4 to 6 percent"),
    ],
)
def test_no_part_of_a_value_is_left(sentence, unstated, value):
    for left in cut(sentence, unstated):
        kept = set(left.rstrip(".").split()) | set(left.split())
        assert value in left or kept.isdisjoint(value.split())


def test_a_title_is_not_part_of_the_name():
    made = tree("Senator Ada Brand opened the new bridge on Monday.")
    groups = wholes(made)
    assert groups[made.texts.index("Senator")] == 0
    assert groups[made.texts.index("Ada")] == groups[made.texts.index("Brand")] > 0


VALUES = st.tuples(
    st.sampled_from(["March 3", "12 June 2021", "Monday", "May 4, 2019"]),
    st.sampled_from(["10 a.m.", "17:30", "8 p.m."]),
    st.sampled_from(["$4 million", "380,000 euros", "7.2 billion dollars"]),
    st.sampled_from(["14 kilometres", "25 miles", "600 metres"]),
    st.sampled_from(["Mount Hood", "New York", "Port Ellen"]),
)
SENTENCES = (
    "The library by the mill, which cost {2}, will reopen on {0} at {1}, {3} north of {4}.",
    "On {0} the council of {4} said that it had paid {2} for a road of {3} before {1}.",
    "A storm hit {4} on {0} and drove water {3} inland, and by {1} the damage was {2}.",
)


@settings(max_examples=60, deadline=None)
@given(st.data(), VALUES, st.sampled_from(SENTENCES))
def test_no_cut_splits_a_value(data, values, sentence):
    text = sentence.format(*values)
    made = tree(text)
    count = len(text.split())
    logits = data.draw(st.lists(st.floats(-6, 6), min_size=count, max_size=count))
    for one in cuts(made, by_token(made, np.array(logits))):
        assert not splits_whole(made, wholes(made), one.kept)
        left = worded(made, one.kept)
        for value in values:
            if value not in left:
                # As words, since "7" is in "17:30".
                assert {*value.split()}.isdisjoint(part.strip(",.") for part in left.split()), left
