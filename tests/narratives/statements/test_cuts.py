"""Cuts of sentences: what may go, what must stay, and how what is left is written."""

import numpy as np
import pytest

from commonground.narratives.statements.constraints import complete
from commonground.narratives.statements.cutting import cuts
from commonground.text import parse
from commonground.wording import (
    Root,
    Tree,
    are_statements,
    balanced,
    by_token,
    has_speaker,
    lead,
    named,
    open_quotes,
    points_away,
    sentence_of,
    worded,
)


def tree(sentence):
    (doc,) = parse([sentence])
    return Tree.of(doc, sentence)


def cut(sentence, stated):
    """All cuts where only the words of `stated` are stated elsewhere."""
    made = tree(sentence)
    words = sentence.split()
    kept = set(stated.split())
    logits = np.array([3.0 if word.strip(".,") in kept else -3.0 for word in words])
    return [worded(made, one.kept) for one in cuts(made, by_token(made, logits))]


@pytest.mark.parametrize(
    ("sentence", "stated", "left"),
    [
        (
            "The bridge was closed on Monday after cracks were found in two pillars.",
            "The bridge was closed on Monday",
            "The bridge was closed on Monday.",
        ),
        (
            "The mayor resigned and moved to Spain.",
            "The mayor moved to Spain",
            "The mayor moved to Spain.",
        ),
        (
            "The van, which belonged to a baker, hit the gate.",
            "The van hit the gate",
            "The van hit the gate.",
        ),
        (
            "Tom Berg, who quarrelled with the bishop in May, received a medal.",
            "Tom Berg quarrelled with the bishop in May",
            "Tom Berg quarrelled with the bishop in May.",
        ),
        (
            "The choir has rented the chapel, but it has not yet found a teacher for Ada Brand, "
            "who plays the organ, the village paper wrote on Friday.",
            "The choir has rented the chapel the village paper wrote on Friday",
            "The choir has rented the chapel, the village paper wrote on Friday.",
        ),
    ],
)
def test_what_only_one_text_states_goes(sentence, stated, left):
    assert left in cut(sentence, stated)


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("The minister said that she will not resign immediately.", {"not", "immediately"}),
        ("You may return the goods if the seal is unbroken.", {"may", "if", "seal"}),
        ("According to the police, the driver was drunk.", {"According", "police"}),
        ("The town will pay for the buses.", {"for", "buses"}),
        ("Ada Brand confessed on Friday to breaking the vase.", {"to", "breaking", "vase"}),
        ("The suspect was described as a danger to others.", {"as", "danger"}),
        ("The survey found 12 percent of the trees diseased.", {"12"}),
    ],
)
def test_what_would_change_the_claim_never_goes(sentence, stays):
    for left in cut(sentence, ""):
        assert stays <= set(left.replace(".", " ").replace(",", " ").split())


def test_a_limit_goes_only_with_what_it_limits():
    for left in cut("At least twelve people were hurt in the alleged attack.", "people hurt"):
        assert ("least" in left) == ("twelve" in left)
        assert ("alleged" in left) == ("attack" in left)


def test_a_part_of_a_quotation_never_goes_alone():
    sentence = 'The owner said "nobody was hurt in the old mill" on Monday.'
    for left in cut(sentence, "The owner said"):
        assert '"nobody was hurt in the old mill"' in left


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("  and then , he left ", "And then , he left."),
        ("he left!", "He left!"),
        ('he said "no', "He said no."),
        ("“we left,” he said", "“We left,” he said."),
        ("旧桥周一关闭。", "旧桥周一关闭。"),
        ("", ""),
    ],
)
def test_what_is_left_is_written_as_a_sentence(text, written):
    assert sentence_of(text) == written


def test_the_article_fits_the_next_word():
    made = tree("She owns a large orchard.")
    kept = [text != "large" for text in made.texts]
    assert worded(made, kept) == "She owns an orchard."


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("But the mill burned.", 1),
        ("However, the mill burned.", 2),
        ("LONDON (Wire) - The mill burned.", 5),
        ("INFORMATION WE COLLECT We keep your name.", 3),
        ("The mill burned.", 0),
    ],
)
def test_what_joins_a_sentence_to_others_is_no_part_of_it(sentence, count):
    assert lead(tree(sentence)) == count


def test_a_name_takes_the_place_of_he_where_it_is_sure():
    before, after = tree("Ana Duarte won."), tree("She thanked the voters.")
    assert named(after, [True] * len(after), [before]) == {0: "Ana Duarte"}
    unsure = tree("Ana Duarte said that Luis Prado lost.")
    assert named(after, [True] * len(after), [unsure]) is None
    assert named(after, [True] * len(after), []) is None
    it = tree("It was closed.")
    assert named(it, [True] * len(it), [before]) is None


def test_headings_questions_and_what_breaks_off_tell_nothing():
    sentences = ["The news", "Who did it?", "The mill burned.", "The owner said ..."]
    assert are_statements([tree(one) for one in sentences]) == [False, False, True, False]
    assert are_statements([tree("Fire"), tree("Flood")]) == [True, True]


def test_a_quotation_that_begins_elsewhere_is_known():
    told = ['"We left.', "It burned.", 'We ran," he said.', "Rain fell."]
    assert open_quotes(told) == [True, True, True, False]
    assert has_speaker(tree('"The mill burned down," the owner said.'))
    assert not has_speaker(tree('"The mill burned down in one night."'))
    assert balanced("(yes) “no”")
    assert not balanced('"no')


@pytest.mark.parametrize(
    ("sentence", "gone"),
    [
        ("They repair and sell old clocks whenever it rains.", "and sell old clocks"),
        ("Many of the gardeners say the soil has dried out.", "Many of the gardeners"),
    ],
)
def test_a_cut_keeps_its_subject_and_the_object_that_its_verb_shares(sentence, gone):
    made = tree(sentence)
    root = made.roots[0]
    assert complete(made, root, [True] * len(made))
    assert not complete(made, root, [text not in gone.split() for text in made.texts])


@pytest.mark.parametrize(
    ("sentence", "away"),
    [
        ("The school keeps such a garden.", True),
        ("This orchard belongs to the parish.", True),
        ("The baker sold it.", True),
        ("The mayor showed the plan to the council before it was printed.", False),
        ("The council said that the bridge was closed.", False),
        ("You can ask us to change your data.", False),
    ],
)
def test_what_points_to_another_sentence(sentence, away):
    made = tree(sentence)
    assert points_away(made, [True] * len(made)) == away


@pytest.mark.parametrize(
    ("sentence", "stated", "lost"),
    [
        ("Large parts of the old town were flooded.", "parts were flooded", "parts were"),
        ("Members of the crew slept on deck.", "Members slept", "Members slept"),
        (
            "The lane between the river and the mill was closed.",
            "The lane between the river was closed",
            "river was closed",
        ),
        ("The letter was badly written.", "The letter was written", "was written"),
    ],
)
def test_a_word_keeps_what_says_which_or_how(sentence, stated, lost):
    assert not any(lost in one for one in cut(sentence, stated))


def test_a_passive_verb_that_tells_more_can_lose_its_adverb():
    found = cut("The barn was badly damaged in the storm.", "The barn was damaged in the storm")
    assert "The barn was damaged in the storm." in found


def test_an_infinitive_is_no_sentence():
    made = tree("Helpers who work for us to carry chairs.")
    carry = made.texts.index("carry")
    children = tuple(() if n != carry else (0, carry - 1, carry + 1) for n in range(len(made)))
    assert not complete(made, Root(carry, children, 0), [True] * len(made))


def test_a_predicate_must_tell_something():
    found = cut("The driver is a young man who sells eggs here.", "The driver is a man")
    assert "The driver is a man." not in found


def test_a_day_is_not_who_is_meant():
    cries = tree("On Tuesday they left.")
    assert named(cries, [True] * len(cries), []) is None
    said = tree("The guests said they left.")
    assert named(said, [True] * len(said), []) == {}
