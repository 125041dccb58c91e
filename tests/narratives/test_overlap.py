import itertools

import pytest

import commonground as cg
from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives import Overlaps, overlap
from overlap_stories import FACTS, ORCHARD, VIOLIN, told

FINDER = Overlaps()
NAMES = ("bridge", "cost", "mayor")
LEFT = f"{told(NAMES, 0)} {ORCHARD[0]}"
RIGHT = f"{told(NAMES, 1)} {VIOLIN[0]}"


def texts(found):
    return [statement.text for statement in found.statements]


def facts(found):
    """The names of the facts that the statements tell."""
    return [name for text in texts(found) for name, ways in FACTS.items() if text in ways]


def test_shared_facts_with_evidence_on_both_sides_and_the_rest_by_narrative():
    found = FINDER.find([Narrative("Post", LEFT), Narrative("Courier", RIGHT)])
    assert "bridge" in facts(found)
    assert set(facts(found)) <= set(NAMES)
    for name, statement in zip(facts(found), found.statements, strict=True):
        assert [passage.text for passage in statement.evidence] == list(FACTS[name])
        assert [passage.narrative for passage in statement.evidence] == [0, 1]
        assert max(passage.probability for passage in statement.evidence) == 1
    assert [(one.narrative, one.text) for one in found.unique] == [
        (0, ORCHARD[0]),
        (1, VIOLIN[0]),
    ]
    assert [narrative.source for narrative in found.narratives] == ["Post", "Courier"]
    assert found.summary == " ".join(texts(found)) == str(found)


def test_statements_follow_the_narratives():
    names = ["cost", "bridge", "mayor"]
    found = FINDER.find([told(names, 0), told(names, 0)])
    assert facts(found) == sorted(facts(found), key=names.index)


def test_what_only_one_says_is_cut_where_the_sentence_stands_without_it():
    left = "The ferry Anna Maris, which was built in Gdansk, ran aground on Saturday."
    right = "On Saturday the ferry Anna Maris ran aground."
    assert "Gdansk" not in FINDER.find([left, right]).summary
    assert FINDER.find([left, left]).summary == left


def test_nothing_in_common_is_an_answer():
    found = FINDER.find([" ".join(ORCHARD), " ".join(VIOLIN)])
    assert found.summary == ""
    assert str(found) == "The texts share no statement."
    assert found.at_least == 2


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        (
            "Fifteen miners died at Alder Creek.",
            "Twelve miners died at Alder Creek.",
            ("Fifteen", "Twelve"),
        ),
        (
            "The meeting of the two ministers was held in San\nFrancisco after a week of talks.",
            "The meeting of the two ministers was held in Portland after a week of talks.",
            ("San\nFrancisco", "Portland"),
        ),
        (
            "The strike of the pilots began on Monday.",
            "The strike of the pilots began on Thursday.",
            ("Monday", "Thursday"),
        ),
    ],
    ids=["number", "place", "date"],
)
def test_conflicting_values_never_enter_the_summary(left, right, values):
    shared = FACTS["school"]
    found = FINDER.find([f"{left}\n{shared[0]}", f"{right}\n{shared[1]}"])
    (conflict,) = found.conflicts
    assert tuple(side.value for side in conflict.sides) == values
    assert not any(" ".join(value.split()) in found.summary for value in values)


def test_a_disputed_value_stays_out_wherever_it_is_repeated():
    story = (
        "{} miners died at Alder Creek. {} Rescue teams said that {} miners died in the lower "
        "shaft of the mine at Alder Creek."
    )
    left = story.format("Fifteen", "The explosion shook the valley at dawn.", "fifteen")
    right = story.format("Twelve", "At dawn an explosion shook the valley.", "twelve")
    found = FINDER.find([left, right])
    assert len(found.conflicts) == 1
    assert not {"fifteen", "twelve"} & set(found.summary.lower().split())


def test_a_disputed_aside_is_cut_and_the_rest_may_stay():
    left = "The ferry Anna Maris, with 212 people on board, ran aground on Saturday."
    right = "The ferry Anna Maris, with 150 people on board, ran aground on Saturday."
    found = FINDER.find([left, right])
    assert found.conflicts
    assert not {"212", "150"} & set(found.summary.split())


def test_at_least_so_many_of_the_narratives():
    three = [LEFT, RIGHT, " ".join(VIOLIN[1:])]
    assert FINDER.find(three).statements == ()
    found = Overlaps(at_least=2).find(three)
    assert "bridge" in facts(found)
    assert {(one.weight, len(one.evidence)) for one in found.statements} == {(2, 2)}
    assert found.at_least == 2
    assert "|of:2/3|" in str(found.signature)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_sentences_than_asked_for(most):
    names = list(FACTS)
    found = Overlaps(max_sentences=most).find([told(names, 0), told(names, 1)])
    assert 1 <= len(found.statements) <= most
    assert f"|max:{most}|" in str(found.signature)


def test_twenty_narratives():
    narratives = [f"{told(NAMES, number % 2)} {VIOLIN[number % 5]}" for number in range(20)]
    found = FINDER.find(narratives)
    assert "bridge" in facts(found)
    assert {statement.weight for statement in found.statements} == {20}
    assert [one.narrative for one in found.statements[0].evidence] == list(range(20))


def test_long_narratives_are_read_in_part_and_their_places_hold():
    filler = [f"Tree number {number} bore {number} pears in autumn." for number in range(170)]
    left = " ".join([*filler[:100], FACTS["bridge"][0], *filler[100:]])
    found = FINDER.find([left, f"{ORCHARD[1]} {FACTS['bridge'][1]}"])
    assert facts(found) == ["bridge"]
    (statement,) = found.statements
    assert [passage.text for passage in statement.evidence] == list(FACTS["bridge"])
    assert statement.evidence[0].start == left.index(FACTS["bridge"][0])


def test_how_far_it_is_is_told_in_words_and_changes_nothing():
    """One of the narratives is long enough to be read closely in part only."""
    many = [f"Stall {number} at the fair sold {number + 3} cakes." for number in range(400)]
    narratives = [told(NAMES, 0), told(NAMES, 1), " ".join([*many, *FACTS["bridge"]])]
    heard = []
    finder = Overlaps(at_least=2)
    found = finder.find(narratives, progress=lambda share, words: heard.append((share, words)))
    assert found.to_dict() == finder.find(narratives).to_dict()
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert max(after - before for before, after in itertools.pairwise(shares)) < 0.5
    several = len(narratives)
    words = list(dict.fromkeys(words for _, words in heard))
    assert words == [
        "Finding the sentences",
        *(f"Reading narrative {one + 1} of {several}" for one in range(several)),
        *(one for one in words if one.startswith("Reading closely in narrative")),
        *(f"Extracting facts from narrative {one + 1} of {several}" for one in range(several)),
        "Looking for contradictions",
        *(f"Comparing narrative {one + 1} of {several}" for one in range(several)),
        "Choosing shared statements",
        "Finding what only one narrative says",
        "Done",
    ]
    assert sum(one.startswith("Reading closely") for one in words) == several


def test_narratives_that_share_nothing_are_told_to_the_end():
    heard = []
    found = Overlaps().find(
        ["The choir sang on Sunday.", "Zinc is a metal."],
        progress=lambda *told: heard.append(told),
    )
    assert found.statements == ()
    assert heard[-1] == (1.0, "Done")


def test_the_short_way_is_the_same_function():
    found = cg.overlap([LEFT, RIGHT], max_sentences=1)
    assert found == overlap([LEFT, RIGHT], max_sentences=1)
    assert cg.narratives.Overlap is type(found)
    assert repr(found).startswith("Overlap(statements=1, unique=2, conflicts=0, signature='OVERLAP")


def test_any_iterable_of_narratives_will_do():
    assert FINDER.find(iter([LEFT, RIGHT])) == FINDER.find([LEFT, RIGHT])


def test_pages_stand_alone_and_notebooks_show_them(tmp_path):
    found = FINDER.find([LEFT, RIGHT])
    page = tmp_path / "page.html"
    found.to_html(page, title="The bridge")
    written = page.read_text("utf-8")
    assert "<h1>The bridge</h1>" in written
    assert FACTS["bridge"][1] in written
    assert "http" not in written.replace("http://www.w3.org", "")
    assert found._repr_html_().startswith("<iframe srcdoc=")


@pytest.mark.parametrize(
    ("narratives", "line"),
    [
        ([LEFT], "an overlap needs at least two narratives, got 1"),
        ([], "an overlap needs at least two narratives, got 0"),
        (LEFT, "narratives must be a list of texts, got one string; write [left, right]"),
        ([LEFT, 5], "narratives[1] must be a text, got int"),
        (None, "narratives must be a list of texts, got NoneType"),
    ],
)
def test_what_is_no_list_of_narratives_is_one_line(narratives, line):
    with pytest.raises(InputError) as error:
        FINDER.find(narratives)
    assert str(error.value) == line


def test_options_out_of_range_are_one_line():
    with pytest.raises(InputError, match=r"^max_sentences must be a whole number"):
        Overlaps(max_sentences=0)
    for wrong in (0, 1, 3):
        with pytest.raises(InputError, match=rf"^at_least must be from 2 to 2 .*, not {wrong}$"):
            overlap([LEFT, RIGHT], at_least=wrong)


def test_nothing_of_a_long_narrative_is_its_own_beside_itself():
    long = " ".join(
        f"House number {place} on Mill Lane was sold to a baker." for place in range(170)
    )
    assert FINDER.find([long, long]).unique == ()


@pytest.mark.parametrize("options", [{"at_least": "2"}, {"max_sentences": 1.5}])
def test_numbers_must_be_whole(options):
    with pytest.raises(InputError, match=next(iter(options))):
        overlap([LEFT, RIGHT], **options)
