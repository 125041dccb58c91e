"""chrF, BLEU and METEOR equal the packages that compute them."""

import sys

import pytest
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score

from commonground.errors import InputError, MissingExtraError
from commonground.metrics import Bleu, ChrF, Meteor, bert_score, registry

PAIRS = [
    ("The dam broke at night.", ["The dam broke in the night.", "At night the dam burst."]),
    ("Two villages flooded", ["The flood reached two villages."]),
    ("", ["Nothing is like this."]),
    ("one\ntwo  three", ["one two three"]),
]


class NoSynonyms:
    def synsets(self, word):
        return []


@pytest.mark.parametrize(("prediction", "references"), PAIRS)
def test_sacrebleu(prediction, references):
    sacrebleu = pytest.importorskip("sacrebleu")
    joined = " ".join(prediction.split())
    for metric, theirs in (
        (ChrF(), sacrebleu.metrics.CHRF()),
        (ChrF(word_order=2), sacrebleu.metrics.CHRF(word_order=2)),
        (Bleu(), sacrebleu.metrics.BLEU(effective_order=True)),
        (Bleu(lowercase=True), sacrebleu.metrics.BLEU(lowercase=True, effective_order=True)),
    ):
        expected = theirs.sentence_score(joined, references).score
        score = metric.score(prediction, references)
        assert score["score"] == expected
        assert f"|sacrebleu:{sacrebleu.__version__}|" in str(score.signature)
        assert f"|refs:{len(references)}|" in str(score.signature)


def test_the_signature_has_what_counts():
    pytest.importorskip("sacrebleu")
    signature = str(ChrF().score("Rain.", ["Rain."]).signature)
    assert signature.startswith("CHRF|case:mixed|eff:yes|nc:6|nw:0|space:no|sacrebleu:2.")
    assert "None" not in str(Bleu().score("Rain.", ["Rain."]).signature)


def test_wrong_options_of_sacrebleu():
    pytest.importorskip("sacrebleu")
    with pytest.raises(InputError, match="unknown tokenizer of BLEU 'none-such'"):
        Bleu(tokenize="none-such")


@pytest.mark.parametrize(("prediction", "references"), PAIRS)
def test_meteor(prediction, references):
    tokens = [reference.lower().split() for reference in references]
    words = prediction.lower().split()
    theirs = meteor_score(tokens, words, stemmer=PorterStemmer(), wordnet=NoSynonyms())
    score = Meteor(synonyms=False).score(prediction, references)
    assert score["score"] == theirs
    assert "|syn:no|nltk:3." in str(score.signature)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(bert_score, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"BERTScore needs the extra \[bert-score\]"):
        registry.create("bert-score")
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match=r"BLEU needs the extra \[metrics\]"):
        registry.create("bleu")
