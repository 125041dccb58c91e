"""`sif`: weights and the component by hand on a tiny table, and the promises of every encoder."""

import json
import pickle
from importlib import resources

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from commonground.encoders import load
from commonground.encoders.static import (
    Component,
    SifEncoder,
    frequencies,
    leave_out,
    read_component,
    weigh,
)
from commonground.errors import InputError, ModelError
from commonground.models import locate

SENTENCES = [
    "The lighthouse keeper rowed out at dawn to look for the missing trawler.",
    "At first light the keeper took his boat to search for the lost fishing vessel.",
    "Three judges shared the prize for the best plum jam.",
]
TOKENS = ["<unk>", "<s>", "<0x0A>", "the", "cat", "sat", "purrs", ".", ","]
TABLE = np.array(
    [[9, 9], [9, 9], [1, 2], [1, 0], [0, 2], [3, 1], [4, 4], [0, 1], [1, 1]], dtype=np.float16
)
# The series the, cat, sat, purrs and ., have the shares 1, 1/2, 1/3, 1/4 and 1, 1/2: 43/12 in all.
SHARES = np.array([0, 0, 0, 12, 6, 4, 3, 12, 6]) / 43


@pytest.fixture
def tokenizer():
    tokenizer = Tokenizer(
        models.WordLevel({token: number for number, token in enumerate(TOKENS)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


@pytest.fixture
def tiny(tokenizer, tmp_path):
    save_file({"embedding": TABLE}, tmp_path / "table.safetensors")
    tokenizer.save(str(tmp_path / "tokenizer.json"))

    def encoder(*direction):
        component = Component(np.array(direction, dtype=np.float32), "0" * 64)
        return SifEncoder(
            "sif", component, tmp_path / "table.safetensors", tmp_path / "tokenizer.json"
        )

    return encoder


def test_frequencies_follow_zipf_in_two_series(tokenizer):
    assert frequencies(tokenizer) == pytest.approx(SHARES)


def test_a_token_weighs_less_the_more_frequent_it_is():
    table = np.array([[1, 2], [1, 2], [4, 0]], dtype=np.float32)
    weighted = weigh(table, np.array([0.0, 0.001, 0.003]))
    assert weighted == pytest.approx(np.array([[1, 2], [0.5, 1], [1, 0]]))
    assert weighted.dtype == np.float32


def test_what_lies_along_the_direction_is_left_out():
    direction = np.array([0.6, 0.8], dtype=np.float32)
    # (1, 2) goes 0.6 + 1.6 = 2.2 along it, (-4, 3) not at all, (3, 4) altogether.
    left = leave_out(np.array([[1, 2], [-4, 3], [3, 4]], dtype=np.float32), direction)
    assert left == pytest.approx(np.array([[1 - 1.32, 2 - 1.76], [-4, 3], [0, 0]]), abs=1e-6)


def test_the_weighted_mean_by_hand(tiny):
    weights = 0.001 / (0.001 + SHARES)
    mean = (weights[3] * TABLE[3] + weights[4] * TABLE[4] + weights[6] * TABLE[6]) / 3
    (vector,) = tiny(0, 0).encode(["the cat purrs"])
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_the_component_is_left_out_of_the_mean(tiny):
    first, second = tiny(1, 0).encode(["the cat purrs", "sat ."])
    assert first == pytest.approx([0, 1], abs=1e-6)
    assert second == pytest.approx([0, 1], abs=1e-6)


def test_a_text_all_along_the_component_has_no_vector(tiny):
    assert not tiny(1, 0).encode(["the the"]).any()


def test_a_token_not_learnt_keeps_its_full_weight(tiny):
    (vector,) = tiny(0, 0).encode(["<0x0A>"])
    assert vector == pytest.approx(np.array([1, 2]) / np.sqrt(5))


def test_sif_is_static_with_the_frequent_damped_and_the_component_gone():
    sif, static = load("sif", cache=False), load("static", cache=False)
    assert sif.name == "sif"
    assert sif.fingerprint != static.fingerprint
    direction = read_component(static.fingerprint).direction
    vectors = sif.encode(SENTENCES)
    assert np.linalg.norm(direction) == pytest.approx(1, abs=1e-5)
    assert vectors @ direction == pytest.approx(np.zeros(3), abs=1e-5)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.4 > 0.2 > vectors[0] @ vectors[2]


def test_the_most_frequent_word_matters_less_than_to_static():
    with_the, without = "the keeper", "keeper"
    sif = np.dot(*load("sif", cache=False).encode([with_the, without]))
    static = np.dot(*load("static", cache=False).encode([with_the, without]))
    assert 1 > sif > static


def test_a_vector_does_not_depend_on_its_company():
    encoder = load("sif", cache=False)
    together = encoder.encode([*SENTENCES, SENTENCES[0] * 20, "", *SENTENCES[::-1]])
    alone = np.concatenate([encoder.encode([sentence]) for sentence in SENTENCES])
    assert np.array_equal(together[:3], alone)
    assert np.array_equal(together[-3:], alone[::-1])


def test_odd_texts_have_a_defined_vector():
    vectors = load("sif", cache=False).encode(["", " \n", "\0", "\ud800 word", "😀", "x " * 50_000])
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.isfinite(vectors).all()
    assert lengths == pytest.approx([0, 0, 1, 1, 1, 1], abs=1e-5)
    with pytest.raises(InputError, match="got one string"):
        load("sif", cache=False).encode("one string")


def test_a_pickled_encoder_is_loaded_anew():
    encoder = load("sif", cache=False)
    packed = pickle.dumps(encoder)
    assert len(packed) < 1000
    assert np.array_equal(pickle.loads(packed).encode(SENTENCES), encoder.encode(SENTENCES))


def test_the_component_says_where_it_comes_from_and_fits_one_table_only():
    path = resources.files("commonground.encoders").joinpath("data/sif-component.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["table"] == locate("static").fingerprint
    assert "Princeton" in found["corpus_licence"]
    assert found["sentences"] >= 100_000
    with pytest.raises(ModelError, match="sif was fitted on the table 64b47a2d"):
        read_component("another")
