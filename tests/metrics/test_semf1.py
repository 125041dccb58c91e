"""SEM-F1 by hand: an encoder whose similarities are written down, so every score is too."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.metrics.semf1 import PRESETS, SemF1, Thresholds
from commonground.text import SPLITTERS
from planar import PlanarEncoder


def cos(degrees):
    return math.cos(math.radians(degrees))


@pytest.fixture
def measure():
    return SemF1(PlanarEncoder())


def near(value):
    return pytest.approx(value, abs=1e-6)


def test_one_reference_is_algorithm_1(measure):
    score = measure.score(["0", "90"], [["30", "60", "80"]])
    # 0 is nearest to 30, 90 to 80; 30 is nearest to 0, 60 and 80 to 90.
    precision = (cos(30) + cos(10)) / 2
    recall = (cos(30) + cos(30) + cos(10)) / 3
    assert score.precision == near(precision)
    assert score.recall == near(recall)
    assert score.f1 == near(2 * precision * recall / (precision + recall))


def test_several_references_pool_for_precision_and_average_for_recall(measure):
    score = measure.score(["0", "90"], [["0"], ["60", "40"]])
    assert score.precision == near((1 + cos(30)) / 2)
    # The first reference is recalled wholly; of the second, 60 by 90 and 40 by 0.
    assert score.recall == near((1 + (cos(30) + cos(40)) / 2) / 2)


def test_sentences_come_back_with_match_similarity_and_label(measure):
    score = measure.score(["0", "90"], [["20"], ["90"]])
    assert [(m.text, m.match, m.label) for m in score.sentences] == [
        ("0", "20", "P"),
        ("90", "90", "P"),
    ]
    assert score.sentences[0].similarity == near(cos(20))
    assert [[m.match for m in matches] for matches in score.references] == [["0"], ["90"]]


def test_labels_follow_algorithm_2_at_the_boundaries():
    pair = Thresholds(0.35, 0.65)
    values = (0.65, math.nextafter(0.65, 0), 0.35, math.nextafter(0.35, 0), -1.0)
    assert [pair.label(value) for value in values] == ["P", "PP", "PP", "A", "A"]


def test_labelled_scores_by_hand():
    measure = SemF1(PlanarEncoder(), thresholds=(0.3, 0.9))
    score = measure.score(["0", "60", "180"], [["0", "70"], ["10"]])
    # 0: P; 60 is 10 degrees from 70: P; 180 is 110 degrees from 70: A.
    assert [match.label for match in score.sentences] == ["P", "P", "A"]
    assert score.labelled.precision == near(2 / 3)
    assert score.labelled.recall == near(1)
    assert score.labelled.f1 == near(0.8)
    partial = measure.score(["0"], [["60"]])
    assert partial.labelled.to_dict() == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_the_papers_seven_threshold_pairs():
    assert sorted(PRESETS) == ["25-75", "35-65", "45-75", "55-65", "55-75", "55-80", "60-80"]
    assert PRESETS["55-80"] == Thresholds(0.55, 0.80)
    assert "|labels:60-80|" in str(
        SemF1(PlanarEncoder(), thresholds="60-80").score(["1"], [["1"]]).signature
    )


def test_cosines_are_not_clipped_and_f1_is_zero_where_the_sum_is_not_positive(measure):
    score = measure.score(["0"], [["180"]])
    assert (score.precision, score.recall) == (near(-1), near(-1))
    assert score.f1 == 0.0


def test_f1_is_zero_where_one_side_is_negative(measure):
    # 0 is 71 degrees from one and 167 from the other: precision .33, recall -.32.
    score = measure.score(["0"], [["71", "167"]])
    assert score.precision > 0 > score.recall
    assert score.f1 == 0.0


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("", [""], 1.0),
        ([], [[], " \n"], 1.0),
        ("", ["0."], 0.0),
        ("0.", ["", ""], 0.0),
        ([" "], [["0"]], 0.0),
    ],
)
def test_nothing_against_nothing_and_something(measure, prediction, references, expected):
    score = measure.score(prediction, references)
    assert (score.f1, score.precision, score.recall) == (expected,) * 3
    assert tuple(score.labelled) == (expected,) * 3


def test_a_sentence_against_nothing_is_absent_and_has_no_match(measure):
    score = measure.score(["0"], [""])
    assert [(m.match, m.label) for m in score.sentences] == [(None, "A")]


def test_empty_references_among_others_are_left_out(measure):
    whole = measure.score(["0", "50"], [["30"], ["80"]])
    mixed = measure.score(["0", "50"], ["", ["30"], [], ["80"], "  "])
    assert (mixed.f1, mixed.precision, mixed.recall) == (whole.f1, whole.precision, whole.recall)


def test_references_are_split_before_they_are_pooled():
    encoder = PlanarEncoder()
    SemF1(encoder).score(["1"], ["10\n\n20", "30"])
    assert set(encoder.encoded) == {"1", "10", "20", "30"}


def test_corpus_reports_both_aggregates_and_equals_single_scores(measure):
    predictions = [["0"], ["0", "90"], ["45"]]
    references = [[["60"]], [["0"], ["20"]], [["45"], ["0"]]]
    corpus = measure.corpus(predictions, references)
    singles = [measure.score(p, r) for p, r in zip(predictions, references, strict=True)]
    assert list(corpus.items) == singles
    assert corpus.mean.f1 == near(sum(s.f1 for s in singles) / 3)
    precision = sum(s.precision for s in singles) / 3
    recall = sum(s.recall for s in singles) / 3
    assert corpus.f1_of_means == near(2 * precision * recall / (precision + recall))
    assert corpus.interval.low <= corpus.mean.f1 <= corpus.interval.high
    assert min(s.f1 for s in singles) <= corpus.interval.low


def test_corpus_encodes_each_sentence_once():
    encoder = PlanarEncoder()
    SemF1(encoder).corpus([["1", "2"], ["2", "3"]], [[["3"]], [["1"], ["2"]]])
    assert sorted(encoder.encoded) == ["1", "2", "3"]


def test_progress_counts_sentences(measure):
    seen = []
    measure.corpus([["1", "2"]], [[["3"]]], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 3)]


def test_signatures_name_all_that_the_numbers_depend_on(measure):
    single = measure.score("1.", ["2.", "3."]).signature
    assert (
        str(single)
        == f"SEM-F1|enc:planar@01234567|split:{SPLITTERS['layout']}|labels:35-65|refs:2|v:0.1.0"
    )
    corpus = measure.corpus([["1"], ["1"]], [[["2"]], [["2"], ["3"]]]).signature
    assert str(corpus) == (
        "SEM-F1|enc:planar@01234567|split:given|labels:35-65|refs:1-2"
        "|agg:mean-f1|boot:1000|seed:0|v:0.1.0"
    )
    assert f"|split:{SPLITTERS['layout']}/given|" in str(measure.score("1.", [["2"]]).signature)


def test_the_splitter_is_a_choice_in_the_signature():
    text = "Found so far:\n- Two boots\n- One oar"
    layout, punkt = (SemF1("static", splitter=name).score(text, [text]) for name in SPLITTERS)
    assert [match.text for match in layout.sentences] == ["Found so far:", "Two boots", "One oar"]
    assert [match.text for match in punkt.sentences] == [text]
    assert f"|split:{SPLITTERS['punkt']}|" in str(punkt.signature)
    with pytest.raises(InputError, match="unknown splitter 'nltk'"):
        SemF1(PlanarEncoder(), splitter="nltk")


def test_results_read_well_and_turn_into_plain_values(measure):
    score = measure.score(["0"], [["0"]])
    assert repr(score).startswith("SemF1Score(f1=1.0000, precision=1.0000, recall=1.0000, ")
    values = score.to_dict()
    assert values["sentences"][0]["label"] == "P"
    assert values["signature"] == str(score.signature)
    corpus = measure.corpus([["0"], ["0"]], [[["0"]], [["60"]]])
    assert corpus.to_dict()["mean"]["f1"] == near(0.75)
    frame = corpus.to_dataframe(ids=["a", "b"])
    assert frame.loc["b", "f1"] == near(0.5)
    assert frame.loc["b", "labelled.f1"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0", "0"), "references must be a list of texts, got one string"),
        (("0", []), "references is empty"),
        ((3, ["0"]), "prediction must be a string or a list of sentences, got int"),
    ],
)
def test_wrong_arguments_are_named(measure, arguments, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        measure.score(*arguments)


@pytest.mark.parametrize("thresholds", ["55_75", "80-20", (0.8, 0.2), (0.1, 7.0), (0.5,), None])
def test_wrong_thresholds_are_refused(thresholds):
    with pytest.raises(InputError, match="thresholds"):
        SemF1(PlanarEncoder(), thresholds=thresholds)


angles = st.integers(0, 359).map(str)
texts = st.lists(angles, max_size=5)


@given(texts, st.lists(texts, min_size=1, max_size=4), st.randoms())
def test_order_of_references_changes_nothing(prediction, references, shuffle: random.Random):
    measure = SemF1(PlanarEncoder())
    shuffled = list(references)
    shuffle.shuffle(shuffled)
    first, second = measure.score(prediction, references), measure.score(prediction, shuffled)
    assert (first.f1, first.precision, first.recall) == (second.f1, second.precision, second.recall)
    assert first.sentences == second.sentences
    assert first.labelled == second.labelled
    assert sorted(map(repr, first.references)) == sorted(map(repr, second.references))


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_scores_are_bounded(prediction, references):
    score = SemF1(PlanarEncoder()).score(prediction, references)
    assert 0 <= score.f1 <= 1 + 1e-6
    assert min(score.precision, score.recall) >= -1 - 1e-6


def test_what_is_no_encoder_is_refused():
    with pytest.raises(InputError, match="must be a name or an encoder, not 3"):
        SemF1(3)


def test_close_thresholds_have_signatures_of_their_own():
    pairs = [(0.35, 0.65), (0.35000049, 0.64999951)]
    measures = [SemF1(PlanarEncoder(), thresholds=pair) for pair in pairs]
    first, second = (str(measure.score(["0"], [["0"]]).signature) for measure in measures)
    assert "|labels:35-65|" in first
    assert first != second


@given(st.lists(angles, min_size=1, max_size=5))
def test_a_summary_equal_to_its_only_reference_scores_one(prediction):
    assert SemF1(PlanarEncoder()).score(prediction, [prediction]).f1 == near(1)


@given(texts, texts)
def test_with_one_reference_swapping_sides_swaps_precision_and_recall(left, right):
    measure = SemF1(PlanarEncoder())
    there, back = measure.score(left, [right]), measure.score(right, [left])
    assert (there.precision, there.recall) == (near(back.recall), near(back.precision))
    assert there.f1 == near(back.f1)


@pytest.mark.parametrize(
    ("device", "end"), [("cpu", ""), ("cuda", "+cuda"), ("cuda:1", "+cuda"), (None, "")]
)
def test_the_signature_says_that_a_gpu_made_the_vectors(device, end):
    encoder = PlanarEncoder()
    if device:
        encoder.device = device
    fields = dict(SemF1(encoder).score("10", ["20"]).signature.fields)
    assert fields["enc"] == f"{encoder.name}@{encoder.fingerprint[:8]}{end}"
