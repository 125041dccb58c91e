"""The encoders of a GPU, on torch's CPU: the weights and the sums are the same."""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground import models
from commonground.encoders import check_device, load, onnx_weights, registry
from commonground.encoders.weighted_bert import TorchBert
from commonground.errors import InputError, ModelError

TEXTS = [
    "The river rose by two metres.",
    "Schools stayed shut.",
    "Schools were closed on Monday because the river had risen by two metres overnight.",
    "",
    "Überschwemmung — 洪水!",
    "water " * 400,
]


@pytest.fixture(scope="module")
def minilm():
    found = models.locate("minilm")
    return TorchBert("minilm", found.fingerprint, found.paths["model.onnx"], device="cpu")


def test_vectors_are_those_of_the_cpu(minilm):
    expected = load("minilm", cache=False).encode(TEXTS)
    found = minilm.encode(TEXTS)
    assert found == pytest.approx(expected, abs=1e-5)
    assert not found[3].any()


@settings(max_examples=20)
@given(texts=st.lists(st.text(max_size=60), max_size=8))
def test_any_text_is_as_near(minilm, texts):
    expected = load("minilm", cache=False).encode(texts)
    assert minilm.encode(texts) == pytest.approx(expected, abs=1e-5)


def test_token_vectors_are_those_of_the_cpu(minilm):
    expected = load("minilm", cache=False).tokens(TEXTS)
    for one, other in zip(minilm.tokens(TEXTS), expected, strict=True):
        assert one.tokens == other.tokens
        assert np.array_equal(one.offsets, other.offsets)
        assert one.vectors == pytest.approx(other.vectors, abs=1e-4)
        assert one.whole == pytest.approx(other.whole, abs=1e-5)


def test_every_weight_has_its_name_and_shape():
    weights = onnx_weights(models.locate("minilm").paths["model.onnx"])
    assert weights["embeddings.word_embeddings.weight"].shape == (30522, 384)
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        assert weights[f"{name}.attention.self.query.weight"].shape == (384, 384)
        assert weights[f"{name}.intermediate.dense.weight"].shape == (1536, 384)
        assert weights[f"{name}.output.dense.weight"].shape == (384, 1536)
    assert len([name for name in weights if "." in name]) == 5 + 6 * 16


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x3a\xff\xff\xff\xff\x0fx", b"\x0f"])
def test_a_file_that_is_no_model_is_one_line(content, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="is not a readable ONNX file"):
        onnx_weights(path)


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cuda:", "CUDA", "mps"])
def test_a_device_that_is_none_is_refused(device):
    with pytest.raises(InputError, match="unknown device"):
        check_device(device)


def test_a_device_that_is_not_here_is_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    assert check_device("cuda") == "cuda"
    with pytest.raises(ModelError, match="'cuda:1' is not available: torch finds 1 GPU"):
        check_device("cuda:1")


def test_what_has_no_form_for_a_gpu_says_so(monkeypatch):
    monkeypatch.setattr(registry, "check_device", lambda device: device)
    with pytest.raises(InputError, match="sif runs only on the CPU; a GPU supports minilm"):
        load("sif", device="cuda")


def test_the_device_travels_with_an_encoder(minilm):
    reload, _ = minilm.__reduce__()
    assert reload.keywords["device"] == "cpu"
    copy = pickle.loads(pickle.dumps(load("minilm")))
    assert np.array_equal(copy.encode(TEXTS), load("minilm").encode(TEXTS))


def test_the_setting_names_the_device(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    monkeypatch.setenv("COMMONGROUND_DEVICE", "cuda")
    with pytest.raises(ModelError, match="torch finds no GPU"):
        load("minilm")
    assert load("minilm", device="cpu").device == "cpu"
