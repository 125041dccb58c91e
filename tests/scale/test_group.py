"""Articles of one event put together."""

import itertools
import random
from importlib import metadata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.scale.grouping import Article, Group, group
from commonground.scale.grouping.groups import NEIGHBOURS, Alike

# Three events told two or three times, and two articles that nobody else has.
STORIES = {
    "dam/post": "The dam above Marwell broke on Friday night after a week of rain. Water reached "
    "the mill street within the hour, and the fire brigade brought 140 people to the school.",
    "dam/courier": "Marwell's old dam gave way late on Friday. Firefighters took 140 residents "
    "of the mill street to the school; engineers had warned the council in spring.",
    "dam/radio": "A week of rain was too much for the dam at Marwell, which burst on Friday. The "
    "mill street was under water by midnight and 140 residents slept in the school.",
    "orchestra/post": "The city orchestra will play no concerts before Easter. Its musicians "
    "walked out on Monday over a pay offer of two per cent, said the violinist Ida Brandt.",
    "orchestra/courier": "Musicians of the city orchestra have been on strike since Monday. Ida "
    "Brandt, who speaks for them, called the pay offer of two per cent an insult.",
    "bees/post": "Beekeepers in the Lower Vale lost half of their hives this winter. Scientists of "
    "the institute at Orle blame a mite that came with imported queens.",
    "bees/radio": "A mite brought in with foreign queen bees has killed half the hives of the "
    "Lower Vale, researchers at Orle have found.",
    "chess/post": "Chess clubs have not had so many young members since the seventies.",
    "bridge/courier": "The railway bridge at Toll is to be painted green, by popular vote.",
}
PILE = [Article(key, key.split("/")[1], text) for key, text in STORIES.items()]


def ids(groups):
    return {frozenset(article.id for article in found.articles) for found in groups}


def test_the_articles_of_an_event_are_together():
    assert ids(group(PILE, more=0.45)) == {
        frozenset({"dam/post", "dam/courier", "dam/radio"}),
        frozenset({"orchestra/post", "orchestra/courier"}),
        frozenset({"bees/post", "bees/radio"}),
        frozenset({"chess/post"}),
        frozenset({"bridge/courier"}),
    }


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_pile_changes_nothing(chance: random.Random):
    shuffled = PILE.copy()
    chance.shuffle(shuffled)
    assert group(shuffled) == group(PILE)


def test_a_higher_bar_keeps_articles_apart():
    assert all(len(found.articles) == 1 for found in group(PILE, pair=1.0, more=1.0))


def test_a_third_article_joins_by_the_bar_for_groups():
    sizes = [max(len(found.articles) for found in group(PILE, more=more)) for more in (0.45, 1.0)]
    assert sizes == [3, 2]


def test_copies_are_together_however_many():
    copies = [Article(f"copy {n}", f"paper {n}", PILE[0].text) for n in range(3 * NEIGHBOURS)]
    found = group([*copies, PILE[3]])
    assert sorted(len(one.articles) for one in found) == [1, 3 * NEIGHBOURS]


def test_copies_may_differ_in_blanks():
    spread = Article("spread", "wire", PILE[0].text.replace(" ", "\n\n\t"))
    found = group([spread, *PILE[:1]], pair=1.0, more=1.0)
    assert ids(found) == {frozenset({"spread", "dam/post"})}


def test_a_text_without_words_stands_alone():
    empty = [Article("1", "a", ""), Article("2", "b", "?!"), Article("3", "c", "...")]
    found = group([*empty, *PILE[:2]])
    assert ids(found) >= {frozenset({"1"}), frozenset({"2"}), frozenset({"3"})}
    assert ids(found) >= {frozenset({"dam/post", "dam/courier"})}


@pytest.mark.parametrize("size", [0, 1])
def test_a_pile_of_none_or_one(size):
    assert group(PILE[:size]) == tuple(Group((one,)) for one in PILE[:size])


def test_an_id_is_that_of_the_texts_alone():
    alone, others = group(PILE[:2]), group([*PILE[:2], *PILE[3:]])
    (dam,) = [one for one in others if one.articles[0].id.startswith("dam")]
    assert alone[0].id == dam.id and dam.id.startswith("event-")
    assert len({one.id for one in others}) == len(others)


def test_a_group_is_a_row_of_a_data_set():
    found = Group((PILE[1], PILE[0]))
    assert found.to_dict() == {
        "id": found.id,
        "narratives": [
            {"source": "courier", "text": PILE[1].text, "id": "dam/courier"},
            {"source": "post", "text": PILE[0].text, "id": "dam/post"},
        ],
        "references": [],
    }


@pytest.mark.parametrize("wrong", [{"pair": -0.1}, {"more": 1.5}])
def test_a_bar_outside_0_to_1_is_refused(wrong):
    with pytest.raises(InputError, match="must be from 0 to 1"):
        group(PILE, **wrong)


def test_the_likeness_of_two_texts_by_hand():
    # Meanings at a right angle; of three stems, only "flood" is shared.
    meanings = np.eye(2, dtype=np.float32)
    alike = Alike.of(["quagga floods", "Flooding zyzzyva"], meanings)
    flood, other = (alike.words[[0]].toarray()[0][place] for place in (1, 0))
    assert flood**2 + other**2 == pytest.approx(1)
    assert 0 < flood < other  # the rarer word weighs more
    (found,) = alike.pairs(np.array([0]), np.array([1]))
    shared = float((alike.words[[0]].toarray() @ alike.words[[1]].toarray().T)[0, 0])
    assert found == pytest.approx(2 * shared / 3) and shared > 0
    (same,) = alike.pairs(np.array([0]), np.array([0]))
    assert same == pytest.approx(1)


def test_the_likeness_of_groups_is_the_mean_over_pairs():
    chance = np.random.default_rng(0)
    vectors = chance.standard_normal((5, 8)).astype(np.float32)
    alike = Alike.of(list(STORIES.values())[:5], vectors)
    left, right = [0, 1, 2], [3, 4]
    pairs = np.array(list(itertools.product(left, right))).T
    expected = alike.pairs(*pairs).mean()
    means = alike.means(np.array([0, 0, 0, 1, 1]))
    assert means.pairs(np.array([0]), np.array([1]))[0] == pytest.approx(expected, abs=1e-6)


def test_neighbours_are_the_nearest():
    vectors = np.random.default_rng(1).standard_normal((400, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    nearest = np.argsort(-cosines, axis=1)[:, :NEIGHBOURS]
    expected = {(min(i, j), max(i, j)) for i, row in enumerate(nearest.tolist()) for j in row}
    left, right = Alike.of([""] * 400, vectors).neighbours()
    found = set(zip(left.tolist(), right.tolist(), strict=True))
    assert len(found & expected) >= 0.99 * len(expected)


def test_what_is_being_done_is_told():
    told = []
    group(PILE, progress=lambda *step: told.append(step))
    assert told == [("Encoding articles", 0, len(PILE)), ("Comparing articles", 0, len(PILE))]


def test_the_library_of_the_index_serves_every_interpreter():
    """voyager's wheels promised that too, but held an extension for one interpreter alone."""
    files = metadata.files("faiss-cpu") or ()
    extensions = [path.name for path in files if path.name.startswith("_swigfaiss.")]
    tags = {name.split(".", 1)[1] for name in extensions if name.endswith((".so", ".pyd"))}
    assert tags
    assert tags <= {"abi3.so", "pyd"}
