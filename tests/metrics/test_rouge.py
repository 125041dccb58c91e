"""ROUGE by hand: each expected number is worked out beside it."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.metrics.rouge import Rouge, measure
from commonground.score import PRF

ALL = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")

WORDS = st.sampled_from(["the", "a", "cat", "cats", "sitting", "on", "7", "東京", "año"])
LINES = st.lists(WORDS, max_size=8).map(" ".join)
TEXTS = st.one_of(
    st.lists(LINES, max_size=4).map("\n".join), st.lists(LINES, max_size=4), st.text(max_size=30)
)
REFERENCES = st.lists(TEXTS, min_size=1, max_size=4)
MEASURES = st.builds(
    Rouge,
    types=st.just(ALL),
    stemmer=st.booleans(),
    tokenizer=st.sampled_from(["ascii", "unicode"]),
    multi=st.sampled_from(["best", "mean"]),
)


def exactly(precision: str, recall: str) -> PRF:
    """The score of two fractions, with the harmonic mean worked out exactly."""
    p, r = Fraction(precision), Fraction(recall)
    return PRF(float(p), float(r), float(2 * p * r / (p + r)))


def close(found: PRF, expected: PRF) -> bool:
    return tuple(found) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Shared words: the (twice), cat, on, mat. 5 of 6 predicted, 5 of 7 in the reference.
        ("rouge1", exactly("5/6", "5/7")),
        # Shared pairs: the cat, on the, the mat. 3 of 5 and 3 of 6.
        ("rouge2", exactly("3/5", "3/6")),
        # Shared triples: on the mat. 1 of 4 and 1 of 5.
        ("rouge3", exactly("1/4", "1/5")),
        # the cat .. on the mat
        ("rougeL", exactly("5/6", "5/7")),
        ("rougeLsum", exactly("5/6", "5/7")),
    ],
)
def test_one_sentence(name, expected):
    score = Rouge(types=ALL).score("The cat sat on the mat.", ["the cat was on the mat, today"])
    assert close(score[name], expected)


def test_lsum_unites_the_sentences_of_the_prediction():
    # The example of Lin (2004), 3.2: w1 w2 and w1 w3 w5 unite to 4 of the reference's 5.
    score = Rouge().score(["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"], ["w1 w2 w3 w4 w5"])
    assert close(score["rougeLsum"], exactly("4/10", "4/5"))
    # The other way round "w1 w2 w3 w4 w5" has w1 w2 of one sentence and w1 w3 w5 of the other.
    turned = Rouge().score("w1 w2 w3 w4 w5", [["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"]])
    # w1 is matched in both, but predicted once.
    assert close(turned["rougeLsum"], exactly("4/5", "4/10"))


def test_lsum_takes_rouge_scores_choice_among_equal_subsequences():
    # "b a" has either word of "a b" in common; the walk from the end drops b first and takes
    # a, which the other sentence has too. By the other choice the union would be a and b.
    score = Rouge().score("b a\na", ["a b"])
    assert close(score["rougeLsum"], exactly("1/3", "1/2"))


def test_lsum_counts_a_word_no_more_often_than_the_prediction_has_it():
    # Both reference sentences match the one "a".
    score = Rouge().score("a", ["a b\na c"])
    assert close(score["rougeLsum"], exactly("1/1", "1/4"))


def test_sentences_count_for_lsum_alone():
    lines, row = "d e f\na b c", "d e f a b c"
    reference = "a b c\nd e f"
    over_lines, in_row = (Rouge().score(text, [reference]) for text in (lines, row))
    # Against each line of the reference the row offers the whole line.
    assert close(over_lines["rougeLsum"], exactly("6/6", "6/6"))
    assert close(in_row["rougeLsum"], exactly("6/6", "6/6"))
    # As one row the reference shares either half.
    assert close(in_row["rougeL"], exactly("3/6", "3/6"))
    # All pairs but "f a" and "c d".
    assert close(in_row["rouge2"], exactly("4/5", "4/5"))
    for name in ("rouge1", "rouge2", "rougeL"):
        assert over_lines[name] == in_row[name]


def test_a_sentence_of_a_list_keeps_its_newline():
    # Two lines match half of the reference each; as one sentence only one half is in order.
    reference = ["a b c d"]
    assert close(Rouge().score("c d\na b", reference)["rougeLsum"], exactly("4/4", "4/4"))
    assert close(Rouge().score(["c d\na b"], reference)["rougeLsum"], exactly("2/4", "2/4"))


def test_the_best_reference_is_chosen_for_each_type():
    # By words the first wins, 3 of 3 against 2 of 3; by pairs the second, 1 of 2 against none.
    score = Rouge(types=["rouge1", "rouge2"]).score("a b c", ["c b a", "a b x"])
    assert close(score["rouge1"], exactly("3/3", "3/3"))
    assert close(score["rouge2"], exactly("1/2", "1/2"))


@pytest.mark.parametrize("references", [["a", "a b c d"], ["a b c d", "a"]])
def test_a_tie_in_f1_goes_to_the_higher_recall(references):
    # 1 of 2 and 1 of 1 against 2 of 2 and 2 of 4: F1 is 2/3 in both.
    assert close(Rouge().score("a b", references)["rouge1"], exactly("1/2", "1/1"))


def test_mean_over_references():
    score = Rouge(types=["rouge1"], multi="mean").score("a b", ["a", "a b c d", "x"])
    # Precision 1/2, 1, 0; recall 1, 1/2, 0; F1 2/3, 2/3, 0: each number has its own mean.
    assert close(score["rouge1"], PRF(1 / 2, 1 / 2, 4 / 9))


def test_stems_match_where_words_do_not():
    prediction, references = "The senators were voting", ["A senator voted"]
    assert Rouge(types=["rouge1"]).score(prediction, references)["rouge1"].f1 == 0.0
    stemmed = Rouge(types=["rouge1"], stemmer=True).score(prediction, references)
    assert close(stemmed["rouge1"], exactly("2/4", "2/3"))


def test_unicode_text_scores_only_with_the_unicode_tokenizer():
    prediction, references = "東京は雨です", ["東京は晴れです"]
    assert Rouge().score(prediction, references)["rouge1"] == PRF(0.0, 0.0, 0.0)
    # 東 京 は で す of 東 京 は 雨 で す and of 東 京 は 晴 れ で す
    score = Rouge(tokenizer="unicode").score(prediction, references)
    assert close(score["rouge1"], exactly("5/6", "5/7"))


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("", "a b"), ("a b", ""), ("", ""), ([], ["a"]), ("...", "a"), ("a", ["", "\n"])],
)
def test_nothing_scores_zero(prediction, reference):
    score = Rouge(types=ALL).score(prediction, [reference])
    assert all(score[name] == PRF(0.0, 0.0, 0.0) for name in ALL)


def test_longer_ngrams_than_the_text_score_zero():
    score = Rouge(types=["rouge4", "rouge123456789"]).score("a b c", ["a b c"])
    assert score["rouge4"] == score["rouge123456789"] == PRF(0.0, 0.0, 0.0)


def test_long_ngrams():
    # 7-grams: 2 of 2 predicted, of 3 in the reference.
    score = Rouge(types=["rouge7"]).score("a b c d e f g h", ["a b c d e f g h i"])
    assert close(score["rouge7"], exactly("2/2", "2/3"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"types": ["rouge1", "rogue2"]}, "unknown ROUGE type 'rogue2'; did you mean 'rouge2'?"),
        ({"types": ["rouge0"]}, "unknown ROUGE type 'rouge0'"),
        ({"types": [1]}, "unknown ROUGE type '1'"),
        ({"types": "rouge1"}, "types must be a list, got one string; write ['rouge1']"),
        ({"types": []}, "types is empty; name at least one, such as 'rouge1'"),
        ({"tokenizer": "unicod"}, "unknown tokenizer 'unicod'; did you mean 'unicode'?"),
        ({"multi": "bets"}, "unknown multi 'bets'; did you mean 'best'?"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(InputError) as caught:
        Rouge(**options)
    assert str(caught.value).startswith(message)


def test_wrong_texts():
    with pytest.raises(InputError, match=r"^references must be a list of texts, got one string"):
        Rouge().score("a", "a")
    with pytest.raises(InputError, match=r"^references\[1\] is empty"):
        Rouge().corpus(["a", "b"], [["a"], []])
    with pytest.raises(InputError, match="the corpus is empty"):
        Rouge().corpus([], [])


def test_a_measure_is_a_value():
    rouge = Rouge(types=["rougeL", "rouge1", "rougeL"], stemmer=True)
    assert rouge.types == ("rougeL", "rouge1")
    assert rouge == Rouge(types=("rougeL", "rouge1"), stemmer=True)
    assert len({rouge, pickle.loads(pickle.dumps(rouge))}) == 1


@settings(deadline=None)
@given(MEASURES, TEXTS, REFERENCES)
def test_scores_lie_between_0_and_1(rouge, prediction, references):
    score = rouge.score(prediction, references)
    assert tuple(score) == ALL
    assert all(0 <= number <= 1 for name in ALL for number in score[name])


@settings(deadline=None)
@given(MEASURES, LINES.filter(lambda line: len(line.encode("ascii", "ignore").split()) >= 3))
def test_identity_scores_1(rouge, text):
    score = rouge.score(text, [text, text])
    assert all(score[name] == PRF(1.0, 1.0, 1.0) for name in ALL)


@settings(deadline=None)
@given(MEASURES, TEXTS, TEXTS)
def test_swapping_the_texts_swaps_precision_and_recall(rouge, one, other):
    there, back = rouge.score(one, [other]), rouge.score(other, [one])
    # Not ROUGE-Lsum: which tokens are matched depends on which text is the reference.
    for name in ("rouge1", "rouge2", "rouge3", "rougeL"):
        assert there[name] == PRF(back[name].recall, back[name].precision, back[name].f1)


@settings(deadline=None)
@given(MEASURES, TEXTS, REFERENCES, st.randoms())
def test_references_in_any_order_give_the_identical_score(rouge, prediction, references, random):
    shuffled = random.sample(references, len(references))
    assert rouge.score(prediction, shuffled) == rouge.score(prediction, references)


@settings(deadline=None)
@given(TEXTS, REFERENCES, st.booleans())
def test_the_best_reference_is_one_of_them(prediction, references, stemmer):
    rouge = Rouge(types=ALL, stemmer=stemmer)
    found = rouge.score(prediction, references)
    each = [rouge.score(prediction, [reference]) for reference in references]
    for name in ALL:
        assert found[name] in [score[name] for score in each]
        assert found[name].f1 == max(score[name].f1 for score in each)


@settings(max_examples=30, deadline=None)
@given(MEASURES, st.lists(st.tuples(TEXTS, REFERENCES), min_size=1, max_size=4))
def test_a_corpus_holds_the_scores_of_its_items(rouge, pairs):
    pairs = [*pairs, pairs[0]]
    predictions, references = zip(*pairs, strict=True)
    corpus = rouge.corpus(predictions, references)
    assert corpus.items == tuple(rouge.score(*pair) for pair in pairs)


def test_a_vocabulary_that_grew_too_large_is_dropped(monkeypatch):
    predictions = ["one two three", "two three four", "three five one"]
    references = [["one two"], ["two four three"], ["five one"]]
    expected = Rouge(stemmer=True).corpus(predictions, references)
    monkeypatch.setattr(measure, "_MOST_TOKENS", 2)
    assert Rouge(stemmer=True).corpus(predictions, references) == expected
