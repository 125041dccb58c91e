"""What may stand as a statement: wording, narrator, headings, and how many there are."""

from pathlib import Path

import pytest

from commonground.errors import InputError
from commonground.narratives import Overlaps
from commonground.narratives.texts import speaks_as_group, speaks_of_self
from overlap_stories import FACTS, told

EXAMPLES = Path(__file__).parents[3] / "examples" / "overlap"
FINDER = Overlaps()
ALL = Overlaps()

COUNTER = (
    "I was behind the counter of my shop on Mill Lane. The van hit the pushchair on the crossing. "
    "The driver said that the light had been green."
)
BICYCLE = (
    "I was riding my bicycle along Mill Lane. On the crossing the van hit the pushchair. "
    "The light had been green, the driver said."
)
CLUB = "On Monday the council voted to close our pool. We shall collect signatures."
TOWN = "The council voted on Monday to close the pool. The town regrets it."
FIRM = "We delete your data after ninety days. We never sell our customers' addresses."
OTHER_FIRM = "After ninety days we delete your data. Our staff is trained once a year."


def statements(finder, *texts):
    return [one.text for one in finder.find(texts).statements]


@pytest.mark.parametrize(
    ("text", "one", "group"),
    [
        ("I saw it.", True, False),
        ("My shop is on the corner.", True, False),
        ("It told us, and we left.", False, True),
        ("The US sent us nothing.", False, True),
        ("Troops of the US left.", False, False),
        ("Table i shows the army.", False, False),
        ('"I saw it," said the man who called us.', False, True),
        ("“We trusted it,” he said.", False, False),
        ('He said: "I saw it. My shop shook.', False, False),
        ("The mine was closed by myself.", True, False),
    ],
)
def test_who_speaks(text, one, group):
    assert (speaks_of_self(text), speaks_as_group(text)) == (one, group)


def test_what_a_narrator_says_of_himself_is_nobody_elses():
    found = statements(ALL, COUNTER, BICYCLE)
    assert found
    assert not any(speaks_of_self(text) for text in found)


def test_but_it_is_where_the_narrator_is_the_same():
    assert any(speaks_of_self(text) for text in statements(ALL, COUNTER, COUNTER))


def test_our_pool_is_the_pool_to_others():
    assert statements(FINDER, CLUB, TOWN) == ["The council voted on Monday to close the pool."]


def test_firms_that_all_say_we_may_say_it():
    found = statements(FINDER, FIRM, OTHER_FIRM)
    assert [text for text in found if "delete" in text and speaks_as_group(text)]


def test_a_heading_is_no_statement():
    left = "Statement of the town of Aldwick\n\nThe pool on Weir Road will close in September."
    right = "News of the town of Aldwick\n\nIn September the pool on Weir Road will close."
    found = statements(ALL, left, right)
    assert len(found) == 1
    assert "close" in found[0]


def test_all_that_is_shared_is_told_unless_fewer_sentences_are_asked_for():
    names = list(FACTS)
    left, right = told(names, 0), told(names[::-1], 1)
    many = statements(ALL, left, right)
    assert len(many) > 3
    few = statements(Overlaps(max_sentences=3), left, right)
    assert len(few) == 3
    assert set(few) < set(many)


def test_the_stricter_the_fewer_and_the_surer():
    names = list(FACTS)
    left, right = told(names, 0), told(names[::-1], 1)
    found = [Overlaps(strictness=bar).find([left, right]) for bar in (0.3, 0.6, 0.9)]
    counts = [len(one.statements) for one in found]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    for bar, one in zip((0.3, 0.6, 0.9), found, strict=True):
        assert all(statement.probability >= bar for statement in one.statements)


@pytest.mark.parametrize("bar", [-0.1, 1.1, "high"])
def test_strictness_is_a_probability(bar):
    with pytest.raises(InputError, match="strictness must be from 0 to 1"):
        Overlaps(strictness=bar)


def test_a_statement_and_its_evidence_are_not_both_told():
    left = "By 14 votes to 9 the council resolved on Monday to close the swimming pool."
    right = "On Monday night the council voted to shut the pool. It was built in 1968."
    assert len(statements(ALL, left, right)) == 1


def test_a_paraphrase_is_nobodys_own():
    left = "The child was crying but had no more than a scratch on her chin. A dog barked twice."
    right = "The girl cried a good deal, but apart from a graze on her chin she was not hurt."
    own = [one.text for one in FINDER.find([left, right]).unique]
    assert own == ["A dog barked twice."]


def test_of_a_sentence_that_is_shared_in_part_the_rest_is_own():
    paths = sorted((EXAMPLES / "news").glob("*.txt"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    found = FINDER.find(texts)
    own = [one.text for one in found.unique]
    assert "eleven people were treated for hypothermia." in own
    assert not any("no deaths" in text for text in own)
    assert all(texts[one.narrative][one.start : one.end] == one.text for one in found.unique)


def test_what_is_in_conflict_is_nobodys_own():
    left = "All eleven employees are offered other posts with the town. A dog barked twice."
    right = "The town will offer other posts to all twelve employees."
    found = FINDER.find([left, right])
    assert len(found.conflicts) == 1
    assert [one.text for one in found.unique] == ["A dog barked twice."]


def test_two_agents_who_name_two_places_agree_that_the_target_was_located():
    one = (
        "The target was located this morning. Our agent saw the leader of the gang in San "
        "Sebastian. He may be wearing a vest with explosives."
    )
    other = (
        "Our second agent has located the leader of the gang. "
        "The target is hiding in a tunnel in Porto."
    )
    found = FINDER.find([one, other])
    assert any("located" in statement.text for statement in found.statements)
    assert not any(word in found.summary for word in ("Porto", "Sebastian", "vest", "tunnel"))
    assert "He may be wearing a vest with explosives." in [own.text for own in found.unique]
