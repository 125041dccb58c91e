"""Encoders that need torch, with tiny models built on the spot (`make test-hub`)."""

import numpy as np
import pytest
import sentence_transformers
import torch
import transformers

from commonground.encoders import load, wordpiece_tokenizer
from commonground.encoders.weighted_bert import NumpyBert
from commonground.errors import ModelError
from commonground.metrics import SemF1

SENTENCES = [
    "The river rose by two metres.",
    "Schools stayed shut.",
    "Schools were closed on Monday because the river had risen by two metres overnight.",
]


def tiny_bert(hidden=48):
    torch.manual_seed(0)
    config = transformers.BertConfig(
        hidden_size=hidden, num_hidden_layers=2, num_attention_heads=12, intermediate_size=64
    )
    return transformers.BertModel(config, add_pooling_layer=False).eval()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A sentence-transformers model with random weights, saved as safetensors."""
    base = tmp_path_factory.mktemp("base")
    tiny_bert().save_pretrained(base)
    vocabulary = wordpiece_tokenizer().get_vocab()
    words = sorted(vocabulary, key=vocabulary.get)
    (base / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(vocab_file=str(base / "vocab.txt")).save_pretrained(base)
    # A plain folder of transformers becomes a model with mean pooling.
    model = sentence_transformers.SentenceTransformer(str(base), device="cpu")
    path = tmp_path_factory.mktemp("model") / "tiny"
    model.save(str(path))
    return path


def test_a_folder_is_an_encoder(folder):
    encoder = load(str(folder), cache=False)
    expected = sentence_transformers.SentenceTransformer(str(folder), device="cpu").encode(
        SENTENCES, batch_size=1, normalize_embeddings=True
    )
    assert encoder.encode(SENTENCES) == pytest.approx(expected, abs=1e-6)
    assert encoder.dimension == 48


def test_its_vectors_do_not_depend_on_their_company(folder):
    encoder = load(str(folder), cache=False)
    alone = np.concatenate([encoder.encode([sentence]) for sentence in SENTENCES])
    assert np.array_equal(encoder.encode(SENTENCES), alone)
    assert not encoder.encode([""]).any()


def test_its_name_and_weights_stand_in_the_signature(folder):
    measure = SemF1(str(folder))
    score = measure.score(SENTENCES[0], [SENTENCES[0]])
    assert score.f1 == pytest.approx(1, abs=1e-5)
    assert f"|enc:tiny@{measure.encoder.fingerprint[:8]}|" in str(score.signature)


def test_pickled_weights_are_refused_by_name(folder, tmp_path):
    for source in folder.rglob("*"):
        if source.is_file():
            target = tmp_path / source.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    (tmp_path / "model.safetensors").unlink()
    torch.save({}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"pytorch_model\.bin"):
        load(str(tmp_path), cache=False)


def test_a_folder_that_does_not_load_is_one_line(folder, tmp_path):
    (tmp_path / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    (tmp_path / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "x.Y"}]')
    with pytest.raises(ModelError) as caught:
        load(str(tmp_path), cache=False)
    assert "\n" not in str(caught.value)


def test_bert_in_numpy_equals_bert_in_torch(tmp_path):
    model = tiny_bert(hidden=384)
    model.save_pretrained(tmp_path)
    encoder = NumpyBert("tiny", "0" * 64, tmp_path / "model.safetensors", cache=False)
    for sentence, found in zip(SENTENCES, encoder.tokens(SENTENCES), strict=True):
        ids = torch.tensor([wordpiece_tokenizer().encode(sentence).ids])
        with torch.no_grad():
            hidden = model(ids).last_hidden_state[0].numpy()
        expected = hidden[1:-1] / np.linalg.norm(hidden[1:-1], axis=1, keepdims=True)
        assert found.vectors == pytest.approx(expected, abs=1e-5)
        mean = hidden.mean(axis=0)
        assert encoder.encode([sentence])[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
