"""`Wtmf` against a slow, direct reading of its objective, and the promises of every encoder."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from commonground.encoders import Encoder, Wtmf, load, wtmf
from commonground.encoders.wtmf import Ridge
from commonground.errors import InputError, ModelError

CORPUS = [
    "A ferry is a boat that carries people across a river.",
    "A barge is a flat boat that carries goods on a river.",
    "A baker is a person who bakes bread and cakes.",
    "A miller is a person who grinds grain into flour for bread.",
    "A loaf is bread that a baker bakes in one piece.",
    "A harbour is a place where a boat lies safe.",
    "Flour and grain went up the river by barge.",
]
TEXTS = ["A boat carries bread.", "The baker bakes a loaf of bread.", "River, boat: ferry!"]
FEW = {"dimension": 5, "regularisation": 0.5, "iterations": 8}


@pytest.fixture(scope="module")
def encoder():
    return Wtmf.fit(CORPUS, **FEW)


def random_rows(seed, shape=(30, 12), share=0.3):
    random = np.random.default_rng(seed)
    return random.random(shape) * 4 * (random.random(shape) < share)


def slow_solution(dense, factors, missing_weight, regularisation):
    """Each row's weighted ridge regression, from its normal equations."""
    solved = []
    for row in dense:
        weights = np.diag(np.where(row != 0, 1.0, missing_weight))
        normal = factors.T @ weights @ factors + regularisation * np.eye(factors.shape[1])
        solved.append(np.linalg.solve(normal, factors.T @ weights @ row))
    return np.array(solved)


def objective(dense, words, sentences, missing_weight, regularisation):
    weights = np.where(dense != 0, 1.0, missing_weight)
    misfit = np.sum(weights * (sentences @ words.T - dense) ** 2)
    return misfit + regularisation * (np.sum(words**2) + np.sum(sentences**2))


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(1, 15), st.floats(0.001, 1), st.floats(0.01, 30))
def test_a_step_is_the_closed_form_of_the_ridge_regression(seed, dimension, missing, regular):
    dense = random_rows(seed)
    factors = np.random.default_rng(seed + 1).standard_normal((12, dimension))
    expected = slow_solution(dense, factors, missing, regular)
    found = Ridge(factors, missing, regular).solve(csr_array(dense))
    assert found == pytest.approx(expected, abs=1e-8)


def test_rows_longer_and_shorter_than_the_dimension_and_empty_ones():
    dense = random_rows(5, (6, 9), 1.0)
    dense[1, 2:] = 0
    dense[4] = 0
    factors = np.random.default_rng(6).standard_normal((9, 4))
    found = Ridge(factors, 0.01, 20.0).solve(csr_array(dense))
    assert found == pytest.approx(slow_solution(dense, factors, 0.01, 20.0), abs=1e-12)
    assert not found[4].any()


def test_the_solution_is_the_least_of_the_objective():
    dense = random_rows(8, (1, 12), 0.4)
    factors = np.random.default_rng(9).standard_normal((12, 3))
    best = Ridge(factors, 0.1, 2.0).solve(csr_array(dense))
    least = objective(dense, factors, best, 0.1, 2.0)
    for nudge in np.vstack([np.eye(3), -np.eye(3)]) * 1e-3:
        assert objective(dense, factors, best + nudge, 0.1, 2.0) > least


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_never_rises(seed):
    dense = random_rows(seed, (40, 25), 0.2)
    rows = csr_array(dense)
    values = []
    for iterations in range(1, 9):
        options = wtmf.Settings(4, 0.05, 0.3, iterations, 1, seed)
        words = wtmf.factorise(rows, options)
        sentences = Ridge(words, 0.05, 0.3).solve(rows)
        values.append(objective(dense, words, sentences, 0.05, 0.3))
    assert all(later <= before * (1 + 1e-12) for before, later in pairwise(values))
    assert values[-1] < values[0]


def test_factorising_equals_the_slow_alternation():
    dense = random_rows(3, (20, 10))
    found = wtmf.factorise(csr_array(dense), wtmf.Settings(3, 0.01, 1.5, 4, 1, 7))
    words = np.random.default_rng(7).standard_normal((10, 3))
    for _ in range(4):
        sentences = slow_solution(dense, words, 0.01, 1.5)
        words = slow_solution(dense.T, sentences, 0.01, 1.5)
    assert found == pytest.approx(words, abs=1e-9)


def test_tf_idf_by_hand():
    corpus = ["Red fox, red hen.", "A fox ran.", "A hen ran; a hen sat.", "Rain."]
    bags = wtmf._bags(corpus)
    vocabulary, idf = wtmf._vocabulary(bags, 2, None)
    assert vocabulary == {"a": 0, "fox": 1, "hen": 2, "ran": 3}
    assert idf == pytest.approx(np.full(4, np.log(2)))
    (row,) = wtmf._rows([wtmf._bag("A hen saw a hen; the HEN ran.")], vocabulary, idf).toarray()
    assert row == pytest.approx(np.log(2) * np.array([2, 0, 3, 1]))


def test_a_word_of_every_sentence_counts_for_nothing():
    vocabulary, _ = wtmf._vocabulary(wtmf._bags(["the cat", "the dog"]), 1, None)
    assert sorted(vocabulary) == ["cat", "dog"]


def test_forms_of_one_stem_share_a_column():
    bags = wtmf._bags(["boats sail", "a boat", "the boat, the boats"])
    vocabulary, idf = wtmf._vocabulary(bags, 2, lambda word: word.removesuffix("s"))
    assert vocabulary == {}  # boat and boats are in all three
    bags = wtmf._bags(["boats sail", "a boat", "rain"])
    vocabulary, idf = wtmf._vocabulary(bags, 2, lambda word: word.removesuffix("s"))
    assert vocabulary == {"boat": 0, "boats": 0}
    (row,) = wtmf._rows([wtmf._bag("boat, boats, boats")], vocabulary, idf).toarray()
    assert row == pytest.approx(3 * np.log([3 / 2]))


def test_meaning_counts(encoder):
    boat, ferry, bread = encoder.encode(["boat", "ferry river", "bread"])
    assert boat @ ferry > 0.5 > boat @ bread


def test_unit_rows_and_zeros_for_no_known_word(encoder):
    vectors = encoder.encode([*TEXTS, "", "Zebras gallop!", "\0\ud800", "boat " * 100_000])
    assert vectors.dtype == np.float32
    assert vectors.shape == (7, 5)
    lengths = np.linalg.norm(vectors, axis=1)
    assert lengths == pytest.approx([1, 1, 1, 0, 0, 0, 1], abs=1e-5)


def test_a_vector_does_not_depend_on_its_company(encoder):
    together = encoder.encode([*TEXTS, *CORPUS, " ".join(CORPUS)])
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.array_equal(together[:3], alone)


def test_the_same_seed_gives_the_same_encoder_in_any_order_of_sentences(encoder):
    again = Wtmf.fit(iter(CORPUS[::-1]), **FEW)
    other = Wtmf.fit(CORPUS, **FEW, seed=1)
    assert again.fingerprint == encoder.fingerprint != other.fingerprint
    assert np.array_equal(again.encode(TEXTS), encoder.encode(TEXTS))
    assert not np.array_equal(other.encode(TEXTS), encoder.encode(TEXTS))


def test_a_small_corpus_leaves_it_untrained_and_its_name_says_so(encoder, monkeypatch):
    assert isinstance(encoder, Encoder)
    assert encoder.name == "wtmf-untrained"
    assert encoder.sentences == 7
    monkeypatch.setattr(wtmf, "ENOUGH_SENTENCES", 7)
    assert Wtmf.fit([*CORPUS, "", " ?! "], **FEW).name == "wtmf"


def test_saved_and_loaded_it_is_the_same(encoder, tmp_path):
    encoder.save(tmp_path / "new" / "folder")
    found = Wtmf.load(tmp_path / "new" / "folder")
    assert (found.name, found.fingerprint) == (encoder.name, encoder.fingerprint)
    assert found.sentences == 7
    assert np.array_equal(found.encode(TEXTS), encoder.encode(TEXTS))
    same = load(str(tmp_path / "new" / "folder"))
    assert np.array_equal(same.encode(TEXTS), encoder.encode(TEXTS))


def test_a_process_gets_it_whole(encoder):
    found = pickle.loads(pickle.dumps(encoder))
    assert found.fingerprint == encoder.fingerprint
    assert np.array_equal(found.encode(TEXTS), encoder.encode(TEXTS))


@pytest.mark.parametrize("name", ["wtmf.json", "wtmf.safetensors"])
def test_a_missing_file_is_named(encoder, tmp_path, name):
    encoder.save(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ModelError, match=f"no {name} there"):
        Wtmf.load(tmp_path)


def flipped(content):
    return content[:-20] + bytes([content[-20] ^ 1]) + content[-19:]


@pytest.mark.parametrize("damage", [flipped, lambda content: content[:-9], lambda content: b"{}"])
@pytest.mark.parametrize("name", ["wtmf.json", "wtmf.safetensors"])
def test_a_damaged_file_is_refused(encoder, tmp_path, name, damage):
    encoder.save(tmp_path)
    path = tmp_path / name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ModelError, match=r"damaged or were changed|not a saved Wtmf") as caught:
        Wtmf.load(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"sentences": 200_000},
        {"settings": {"dimension": 5}},
        {"vocabulary": {"boat": 99}},
        {"vocabulary": ["boat"]},
        {"fingerprint": None},
    ],
)
def test_an_edited_description_is_refused(encoder, tmp_path, change):
    encoder.save(tmp_path)
    path = tmp_path / "wtmf.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(ModelError, match=r"damaged or were changed|not a saved Wtmf"):
        Wtmf.load(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dimension": 0}, "dimension must be a whole number from 1, not 0"),
        ({"dimension": 2.5}, "dimension must be a whole number from 1, not 2.5"),
        ({"iterations": 0}, "iterations must be a whole number from 1"),
        ({"min_count": 0}, "min_count must be a whole number from 1"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"missing_weight": 1.5}, "missing_weight must be above 0, at most 1, not 1.5"),
        ({"regularisation": float("nan")}, "regularisation must be above 0"),
        ({"regularisation": "20"}, "regularisation must be above 0"),
    ],
)
def test_a_wrong_setting_is_one_line(options, message):
    with pytest.raises(InputError, match=message):
        Wtmf.fit(CORPUS, **options)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ("one string", "a corpus is a list of sentences, got one string"),
        (3, "a corpus is a list of sentences, not int"),
        (["fine", None], "text 1 is not a string but NoneType"),
        ([], "no word is in 2 or more, but not all, of the 0 sentences"),
        (
            ["One sentence.", "Another text!"],
            "no word is in 2 or more, but not all, of the 2 sentences",
        ),
    ],
)
def test_a_wrong_corpus_is_one_line(corpus, message):
    with pytest.raises(InputError, match=message):
        Wtmf.fit(corpus)


def test_the_name_alone_is_not_enough():
    with pytest.raises(InputError, match="wtmf is not shipped: fit one"):
        load("wtmf")
