"""The reader in torch, as on a GPU, beside onnxruntime; the student it was exported from."""

import copy

import numpy as np
import pytest
import torch

from commonground import models
from commonground.encoders import onnx_weights, wordpiece_tokenizer
from commonground.reader import PreparedText
from commonground.reader.network import OnnxNetwork
from commonground.reader.reader import raw_answers
from commonground.reader.torch_network import TorchNetwork
from training.batches import collate
from training.eight_bits import in_eight_bits
from training.export import export
from training.items import Claim, Item
from training.packing import Packer, Special
from training.student import Student

# onnxruntime rounds the inputs of most products to 8 bits; torch does not.
ROUNDING = 0.3

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
        assert np.allclose(row, other, atol=ROUNDING)


def test_batches_of_texts_and_sentences_of_many_lengths_answer_like_each_alone(path, monkeypatch):
    texts = [TEXT[:1], TEXT, [f"Barrel {n} was empty." for n in range(120)], TEXT[1:]]
    asked = ["Empty.", *SENTENCES, " ".join(["The barrel was empty and"] * 80)]
    monkeypatch.setattr("commonground.reader.torch_network.TOKENS", 1000)
    network, pasts = TorchNetwork(path, "cpu"), []
    for sentences in texts:
        text, near = PreparedText(sentences), [*range(0, len(sentences), 2)]
        pasts.append(text.past(near, text.encode(network, near, None)))
    alone = [raw_answers(network, [one], [past])[0] for one, past in zip(asked, pasts, strict=True)]
    for row, other in zip(raw_answers(network, asked, pasts), alone, strict=True):
        assert np.allclose(row, other, atol=1e-4)


def test_the_student_in_training_reads_as_the_product_does(path):
    student = Student().eval()
    weights, known = onnx_weights(path), student.state_dict()
    student.load_state_dict({k: torch.from_numpy(np.array(weights[k])) for k in known})
    claims = tuple(Claim(sentence, near=(0, 1)) for sentence in SENTENCES)
    item = Item("e", "own", "news", 0, tuple(TEXT), claims)
    tokenizer = type(wordpiece_tokenizer()).from_str(wordpiece_tokenizer().to_str())
    packed = Packer(tokenizer, Special((101,), (102,), (101,), (102,)), "shared").pack([item], [0])
    with torch.no_grad():
        answers = student(collate(packed, claims, causal=False, pad=0))
    network, text = TorchNetwork(path, "cpu"), PreparedText(TEXT)
    past = text.past([0, 1], text.encode(network, [0, 1], None))
    rows = raw_answers(network, SENTENCES, [past] * 2)
    assert np.allclose(answers.classes.numpy(), [row[:4] for row in rows], atol=1e-4)
    assert np.allclose(answers.words.numpy(), np.concatenate([row[4:] for row in rows]), atol=1e-4)


def test_a_student_is_exported_with_products_of_whole_numbers_or_exactly(tmp_path):
    torch.manual_seed(0)
    student = Student().eval()
    for value in student.parameters():  # the exporter would store equal tensors once
        value.data += 0.01 * torch.randn_like(value)
    peaks = {
        name: 3 + torch.rand(module.in_features)
        for name, module in student.named_modules()
        if isinstance(module, torch.nn.Linear)
    }
    found = {}
    for name, own in (("exact", {}), ("rounded", peaks)):
        path = tmp_path / f"{name}.onnx"
        export(in_eight_bits(copy.deepcopy(student), own), path)
        network, text = OnnxNetwork(path), PreparedText(TEXT)
        past = text.past([0, 1], text.encode(network, [0, 1], None))
        found[name] = raw_answers(network, SENTENCES, [past] * 2)
        weights = onnx_weights(path)
        assert {key.partition(".")[0] for key in weights} >= {"word", "layers", "heads"}
        for key, value in student.state_dict().items():
            # Inner channels are in another order, which changes no sum.
            near = 0.01 * float(value.abs().max()) + 1e-6
            if ".up." in key:
                assert np.allclose(np.sort(weights[key], axis=0), value.sort(dim=0)[0], atol=near)
            elif ".down.weight" in key:
                assert np.allclose(np.sort(weights[key], axis=1), value.sort(dim=1)[0], atol=near)
            else:
                assert np.allclose(weights[key], value, atol=near)
    for exact, rounded in zip(found["exact"], found["rounded"], strict=True):
        assert not np.array_equal(exact, rounded)
        assert np.allclose(exact, rounded, atol=0.1)
