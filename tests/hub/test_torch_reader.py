"""The reader in torch, as on a GPU, beside onnxruntime; and the student it was exported from."""

import numpy as np
import pytest
import torch

from commonground import models
from commonground.reader import PreparedText
from commonground.reader.network import OnnxNetwork
from commonground.reader.reader import raw_answers
from commonground.reader.torch_network import TorchNetwork
from training.batches import collate
from training.items import Claim, Item
from training.packing import Packer, Special
from training.student import Student

TEXT = ["The ferry ran aground on Saturday.", "Lifeboats brought all 212 people ashore."]
SENTENCES = [
    "On Saturday the ferry hit rocks.",
    "All 212 people were saved by lifeboats, they say.",
]


@pytest.fixture(scope="module")
def path():
    return models.locate("reader").paths["reader.onnx"]


def test_torch_gives_the_answers_of_onnxruntime(path):
    for network in (first := OnnxNetwork(path), second := TorchNetwork(path, "cpu")):
        text = PreparedText(TEXT)
        past = text.past([0, 1], text.encode(network, [0, 1], None))
        rows = raw_answers(network, SENTENCES, [past] * 2)
        if network is first:
            expected = rows
    assert second.version == "torch"
    for row, other in zip(rows, expected, strict=True):
        assert np.allclose(row, other, atol=1e-4)


def test_batches_of_texts_and_sentences_of_many_lengths_answer_like_each_alone(path, monkeypatch):
    texts = [TEXT[:1], TEXT, [f"Barrel {n} was empty." for n in range(120)], TEXT[1:]]
    asked = ["Empty.", *SENTENCES, " ".join(["The barrel was empty and"] * 80)]
    monkeypatch.setattr("commonground.reader.torch_network.TOKENS", 1000)
    torch_, onnx = TorchNetwork(path, "cpu"), OnnxNetwork(path)
    found = {}
    for network in (torch_, onnx):
        pasts = []
        for sentences in texts:
            text, near = PreparedText(sentences), [*range(0, len(sentences), 2)]
            pasts.append(text.past(near, text.encode(network, near, None)))
        if network is torch_:
            found[network] = raw_answers(network, asked, pasts)
        else:
            pairs = zip(asked, pasts, strict=True)
            found[network] = [raw_answers(network, [one], [past])[0] for one, past in pairs]
    for row, other in zip(found[torch_], found[onnx], strict=True):
        assert np.allclose(row, other, atol=1e-4)


def test_the_student_in_training_reads_as_the_product_does(path):
    from commonground.encoders import onnx_weights, wordpiece_tokenizer

    student = Student().eval()
    weights = {name.replace("__", "."): w for name, w in onnx_weights(path).items()}
    known = student.state_dict()
    student.load_state_dict({k: torch.from_numpy(np.array(weights[k])) for k in known})
    claims = tuple(Claim(sentence, near=(0, 1)) for sentence in SENTENCES)
    item = Item("e", "own", "news", 0, tuple(TEXT), claims)
    tokenizer = type(wordpiece_tokenizer()).from_str(wordpiece_tokenizer().to_str())
    packed = Packer(tokenizer, Special((101,), (102,), (101,), (102,)), "shared").pack([item], [0])
    with torch.no_grad():
        answers = student(collate(packed, claims, causal=False, pad=0))
    network, text = OnnxNetwork(path), PreparedText(TEXT)
    past = text.past([0, 1], text.encode(network, [0, 1], None))
    rows = raw_answers(network, SENTENCES, [past] * 2)
    assert np.allclose(answers.classes.numpy(), [row[:4] for row in rows], atol=1e-4)
    assert np.allclose(answers.words.numpy(), np.concatenate([row[4:] for row in rows]), atol=1e-4)
