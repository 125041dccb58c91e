import json
import math
import pickle
import sys

import pytest

from commonground.errors import MissingExtraError
from commonground.metrics.rouge import Rouge
from commonground.score import PRF

PREDICTIONS = ["a b c", "a x", "y"]
REFERENCES = [["a b"], ["a b", "x"], ["z"]]
# F1 of rouge1 by item: 2 of 3 and 2 of 2, 4/5; 1 of 2 and 1 of 1, 2/3; nothing.


@pytest.fixture
def corpus():
    return Rouge(types=["rouge1", "rougeL"]).corpus(PREDICTIONS, REFERENCES)


def test_signatures():
    assert str(Rouge().score("a", ["a"] * 4).signature) == (
        "ROUGE|types:rouge1+rouge2+rougeL+rougeLsum|stem:no|tok:ascii|refs:4|multi:best|split:lines|v:0.1.0"
    )
    rouge = Rouge(types=["rouge7"], stemmer=True, tokenizer="unicode", multi="mean")
    assert str(rouge.corpus(["a", "b"], [["a"], ["b", "c"]]).signature) == (
        "ROUGE|types:rouge7|stem:porter|tok:unicode|refs:1-2|multi:mean|boot:1000|seed:0|v:0.1.0"
    )


def test_score_to_dict():
    assert Rouge(types=["rouge1"]).score("a b c", ["a b"]).to_dict() == {
        "rouge1": {"precision": 2 / 3, "recall": 1.0, "f1": pytest.approx(0.8)},
        "signature": "ROUGE|types:rouge1|stem:no|tok:ascii|refs:1|multi:best|v:0.1.0",
    }


def test_repr(corpus):
    assert repr(Rouge(types=["rouge1", "rougeL"]).score("a b c", ["a b"])) == (
        "RougeScore(rouge1=0.8000, rougeL=0.8000, "
        "signature='ROUGE|types:rouge1+rougeL|stem:no|tok:ascii|refs:1|multi:best|v:0.1.0')"
    )
    assert repr(corpus).startswith("RougeCorpus(3 items, rouge1=0.4889 [0.0000, 0.8000]@0.95, ")


def test_means(corpus):
    mean = corpus.mean["rouge1"]
    assert tuple(mean) == pytest.approx(((2 / 3 + 1 / 2) / 3, 2 / 3, (4 / 5 + 2 / 3) / 3))
    # Not the F1 of the mean precision and recall.
    assert mean.f1 != pytest.approx(PRF.of(mean.precision, mean.recall).f1)


def test_means_are_the_same_in_any_order(corpus):
    turned = Rouge(types=["rouge1", "rougeL"]).corpus(PREDICTIONS[::-1], REFERENCES[::-1])
    assert (turned.mean, turned.interval) == (corpus.mean, corpus.interval)


def test_interval_of_one_item_is_its_score():
    corpus = Rouge().corpus(["a b c"], [["a b"]])
    for name, interval in corpus.interval.items():
        assert interval.low == interval.high == corpus.items[0][name].f1
        assert interval.level == 0.95


def test_corpus_to_dict(corpus):
    found = corpus.to_dict()
    assert list(found) == ["mean", "interval", "items", "signature"]
    assert found["mean"]["rouge1"]["f1"] == corpus.mean["rouge1"].f1
    assert found["interval"]["rougeL"] == corpus.interval["rougeL"].to_dict()
    assert found["signature"] == str(corpus.signature)
    assert found["items"] == 3
    assert json.loads(json.dumps(found)) == found


def test_dataframe(corpus):
    frame = corpus.to_dataframe()
    assert list(frame.columns) == [
        "rouge1.precision",
        "rouge1.recall",
        "rouge1.f1",
        "rougeL.precision",
        "rougeL.recall",
        "rougeL.f1",
    ]
    assert frame["rouge1.f1"].tolist() == [item["rouge1"].f1 for item in corpus.items]
    assert corpus.to_dataframe(ids=["x", "y", "z"]).loc["y", "rouge1.recall"] == 1.0
    assert math.isclose(frame["rougeL.recall"].mean(), corpus.mean["rougeL"].recall)


def test_dataframe_without_pandas(corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"^to_dataframe\(\) needs the extra \[pandas\]"):
        corpus.to_dataframe()


def test_results_survive_pickling(corpus):
    assert pickle.loads(pickle.dumps(corpus)) == corpus
