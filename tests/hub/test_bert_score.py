"""BERTScore with a tiny model made on the spot; the authors' package is the oracle."""

import json
from importlib.metadata import version

import bert_score
import pytest
import torch
import transformers

from commonground.cli import run
from commonground.encoders import wordpiece_tokenizer
from commonground.errors import InputError, ModelError
from commonground.metrics import BertScore, registry

SUMMARY = "The river rose by two metres and schools stayed shut."
REFERENCES = ["Schools were closed because the river had risen.", "The river rose."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of three layers with random weights, saved as safetensors."""
    path = tmp_path_factory.mktemp("model") / "tiny"
    torch.manual_seed(0)
    config = transformers.BertConfig(
        hidden_size=48, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64
    )
    transformers.BertModel(config).eval().save_pretrained(path)
    vocabulary = wordpiece_tokenizer().get_vocab()
    words = sorted(vocabulary, key=vocabulary.get)
    (path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(
        vocab_file=str(path / "vocab.txt"), model_max_length=512
    )
    tokenizer.save_pretrained(path)
    return path


def vectors(folder, text, layer):
    """Unit vectors of all tokens; the first and the last are special."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
    found = states.hidden_states[layer][0]
    return found / found.norm(dim=-1, keepdim=True)


def test_the_definition(folder):
    """The mean of each token's best cosine; special tokens can be the best, but do not count."""
    score = BertScore(str(folder), layer=2).score(SUMMARY, REFERENCES[:1])
    cosines = vectors(folder, SUMMARY, 2) @ vectors(folder, REFERENCES[0], 2).T
    precision = cosines[1:-1].max(1).values.mean().item()
    recall = cosines[:, 1:-1].max(0).values.mean().item()
    assert score["precision"] == pytest.approx(precision, abs=1e-5)
    assert score["recall"] == pytest.approx(recall, abs=1e-5)
    assert score["f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-5)


@pytest.mark.parametrize("references", [REFERENCES, REFERENCES[1:]])
def test_the_authors_function(folder, references):
    theirs = bert_score.score([SUMMARY], [references], model_type=str(folder), num_layers=2)
    score = BertScore(str(folder), layer=2).score(SUMMARY, references)
    for column, value in zip(("precision", "recall", "f1"), theirs, strict=True):
        assert score[column] == pytest.approx(value.item(), abs=1e-6)


def test_a_score_does_not_depend_on_the_others(folder):
    metric = BertScore(str(folder), layer=2)
    texts = [SUMMARY, "Rain.", "", SUMMARY]
    corpus = metric.corpus(texts, [REFERENCES, ["It rained all night."], ["Rain."], REFERENCES])
    assert corpus.items[0].values == metric.score(SUMMARY, REFERENCES).values
    assert corpus.items[0].values == corpus.items[3].values
    assert corpus.items[2].values == {"f1": 0.0, "precision": 0.0, "recall": 0.0}
    assert metric.score(SUMMARY, [SUMMARY])["f1"] == pytest.approx(1, abs=1e-5)


def test_long_texts_are_cut_at_the_models_length(folder):
    metric = BertScore(str(folder), layer=1)
    long = "The river rose again. " * 400
    assert 0 < metric.score(long, [SUMMARY])["f1"] < 1


def test_the_signature_names_model_layer_and_versions(folder):
    metric = BertScore(str(folder), layer=3)
    signature = str(metric.score(SUMMARY, REFERENCES).signature)
    assert signature.startswith("BERT-SCORE|model:tiny@")
    assert f"|layer:3|idf:no|rescale:no|bert_score:{version('bert-score')}|" in signature
    assert f"|transformers:{transformers.__version__}|refs:2|" in signature
    assert metric.study_columns() == {
        "bert-score": "f1",
        "bert-score.precision": "precision",
        "bert-score.recall": "recall",
    }


def test_the_command(folder, tmp_path, capsys):
    rows = tmp_path / "p.jsonl"
    rows.write_text(json.dumps({"id": "1", "summary": SUMMARY, "references": REFERENCES}) + "\n")
    options = ["--option", f"bert-score.model={folder}", "--option", "bert-score.layer=2"]
    command = ["score", "--metric", "bert-score", "--predictions", str(rows), *options, "--json"]
    assert run(command) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    expected = BertScore(str(folder), layer=2).score(SUMMARY, REFERENCES)
    assert system["bert-score"]["mean"] == expected.values


def test_wrong_models_and_layers_are_one_line(folder, tmp_path):
    with pytest.raises(InputError, match="no default layer for 'tiny'"):
        BertScore(str(folder))
    with pytest.raises(InputError, match="the model 'tiny' has no layer 4"):
        BertScore(str(folder), layer=4)
    with pytest.raises(ModelError, match="neither a folder nor in the hub's local cache"):
        registry.create("bert-score")
    with pytest.raises(ModelError, match=r"no config\.json there"):
        BertScore(str(tmp_path), layer=1)
