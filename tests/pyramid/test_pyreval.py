"""PyrEval to the letter: segments, matching, scores and leftovers, worked out by hand."""

import numpy as np
import pytest

from commonground.errors import InputError
from commonground.pyramid import Pyramid, SegmentGraph, build
from commonground.pyramid.matching import Cut
from commonground.pyramid.pyreval import matching
from commonground.pyramid.pyreval.segments import segment_all
from commonground.pyramid.score import pyreval_scores

SIZES = {5: 1, 4: 2, 3: 3, 2: 7, 1: 13}
WEIGHTS = [weight for weight, size in SIZES.items() for _ in range(size)]


def stated(*indices):
    return [float(index in indices) for index in range(len(WEIGHTS))]


class TestScores:
    def test_the_average_is_not_rounded(self):
        # The weights sum to 49, so a reference has 9.8 units: 5 + 2 x 4 + 3 x 3 + 3.8 x 2 = 29.6.
        found = pyreval_scores(WEIGHTS, stated(0, 6), segments=8, references=5)
        assert found.raw == 7
        assert found.quality == 7 / (5 + 8 + 9 + 2 * 2)
        assert found.coverage == pytest.approx(7 / 29.6, abs=1e-15)
        assert found.comprehensive == (found.quality + found.coverage) / 2
        assert found.unit_count == 8

    def test_coverage_may_be_above_one(self):
        found = pyreval_scores([2, 1, 1], [1.0, 1.0, 1.0], segments=3, references=2)
        assert found.coverage == 4 / 3  # two units a reference: 2 + 1
        assert found.quality == 1
        assert found.comprehensive == pytest.approx(7 / 6)

    def test_a_summary_without_segments_has_none(self):
        assert pyreval_scores(WEIGHTS, stated(), 0, 5) == (0, 0, 0, 0, 0)
        with pytest.raises(InputError, match="at least one reference"):
            pyreval_scores(WEIGHTS, stated(), 1, 0)


def match(sentences, weights):
    return matching.match(sentences, weights, 0.5)


def cut(*rows, deviation=None):
    names = tuple(f"segment {index} of {len(rows)}" for index in range(len(rows)))
    return Cut(names, np.array(rows), None if deviation is None else np.array(deviation))


class TestMatching:
    def test_the_best_single_segment_decides_the_segmentation(self):
        # The mean of two units, .70, is above .65 and .52 of the halves: the sentence stays whole.
        whole, halves = cut([0.8, 0.6]), cut([0.65, 0.1], [0.2, 0.52])
        found = match([[whole, halves]], [1, 1])
        assert found.segmentations == (0,)
        assert [(m.segment, m.unit) for m in found.matches] == [(0, 0)]
        assert (found.raw, found.unit_count) == (1, 1)

    def test_a_unit_goes_to_the_median_segment(self):
        # Three sentences state unit 0 with .9, .6 and .7; PyrEval takes the middle one.
        found = match([[cut([0.9])], [cut([0.6])], [cut([0.7])]], [4])
        assert [(m.sentence, m.similarity) for m in found.matches] == [(2, 0.7)]
        assert (found.raw, found.unit_count) == (4, 3)

    def test_of_two_the_greater_is_the_median(self):
        found = match([[cut([0.6])], [cut([0.8])]], [1])
        assert [m.sentence for m in found.matches] == [1]

    def test_units_rank_by_cosine_weight_and_deviation(self):
        # .6 x 3, .7 x 2 and .9 x 1: units 0 and 1 are considered, and unit 0 comes first.
        assert match([[cut([0.6, 0.7, 0.9])]], [3, 2, 1]).matches[0].unit == 0
        # A deviation of .5 halves 1.8 to .9: units 1 and 2 are left.
        uneven = cut([0.6, 0.7, 0.9], deviation=[[0.5, 0.0, 0.0]])
        assert match([[uneven]], [3, 2, 1]).matches[0].unit == 1

    def test_a_segment_has_one_unit_and_a_unit_one_segment(self):
        found = match([[cut([0.9, 0.8])], [cut([0.7, 0.6])]], [1, 1])
        # Unit 0 has .9 and .7: the greater is the median. Unit 1 is left with .6.
        assert [(m.sentence, m.unit) for m in found.matches] == [(0, 0), (1, 1)]

    def test_the_same_words_in_two_sentences_count_once(self):
        found = match([[cut([0.8])], [cut([0.8])]], [2])
        assert [m.sentence for m in found.matches] == [0]

    def test_below_the_threshold_the_finest_segmentation_counts(self):
        found = match([[cut([0.4]), cut([0.3], [0.49])]], [1])
        assert (found.matches, found.raw, found.unit_count) == ((), 0, 2)
        assert match([], [1]).unit_count == 0


def segments(text):
    (sentence,) = segment_all([text])[0]
    return [[part.text for part in way] for way in sentence.segmentations]


class TestSegments:
    def test_a_simple_sentence_stays_whole(self):
        assert segments("The mayor opened the old bridge.") == [
            ["The mayor opened the old bridge."]
        ]

    def test_clauses_with_a_subject_each(self):
        text = "It rained all night, but the mayor opened the old bridge."
        assert segments(text)[1] == [
            "It rained all night, but",
            "the mayor opened the old bridge.",
        ]

    def test_a_relative_clause_leaves_the_rest(self):
        found = segments("The mayor thanked the workers who had built the bridge.")
        assert found[1] == ["who had built the bridge", "The mayor thanked the workers."]

    def test_a_reported_clause_stays_with_its_verb(self):
        assert len(segments("The mayor said that the bridge would open soon.")) == 1

    def test_two_reported_clauses_are_cut(self):
        # As in figure 3 of the paper.
        text = "The mayor says that the bridge is safe and that many people use it daily."
        found = segments(text)
        assert "that the bridge is safe and" in found[1]
        assert "that many people use it daily" in found[1]
        assert len(found) == 4  # three segments, two joins of neighbours, and the sentence

    def test_verb_phrases_share_the_subject(self):
        found = segments("The old mayor opened the bridge and thanked the workers.")
        assert found[1] == [
            "The old mayor thanked the workers",
            "The old mayor opened the bridge and.",
        ]

    def test_spans_are_offsets_in_the_text(self):
        text = "It rained. The mayor thanked the workers who had built the bridge."
        _, second = segment_all([text])[0]
        for way in second.segmentations:
            for part in way:
                pieces = [text[start:end] for start, end in part.spans]
                assert "".join(pieces).replace(" ", "") == part.text.replace(" ", "")

    def test_sentences_as_given(self):
        (row,) = segment_all([["  It rained.  ", "It snowed."]])
        assert [s.sentence.text for s in row] == ["It rained.", "It snowed."]
        assert row[0].segmentations[0][0].spans == ((2, 12),)


def graph(similar):
    """Two texts with a sentence each, whole (0) or in two segments (1), and a third sentence."""
    rows = [
        # text, sentence, segmentation, segment
        *((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1)),
        *((1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)),
        *((1, 2, 0, 0), (1, 2, 1, 0), (1, 2, 1, 1)),
    ]
    words = [f"words {index}" for index in range(len(rows))]
    vectors = np.eye(len(rows))
    for first, second in similar:
        vectors[second] = vectors[first]
    text, sentence, segmentation, segment = zip(*rows, strict=True)
    return SegmentGraph.from_vectors(
        text, sentence, segmentation, segment, words, vectors, threshold=0.5
    )


class TestLeftovers:
    @pytest.mark.parametrize("builder", ["edua-g", "edua-c"])
    def test_an_unused_sentence_stays_whole(self, builder):
        # The first halves (1 and 4) are joined; their sentences are cut, the third is not.
        found = build(graph([(1, 4)]), builder, alpha=100, pyreval=True)
        assert found.units == ((1, 4), (2,), (5,), (6,))
        finest = build(graph([(1, 4)]), builder, alpha=100)
        assert finest.units == ((1, 4), (2,), (5,), (7,), (8,))

    def test_edua_g_stops_one_below_the_capacity(self):
        # floor(alpha x 2^-2.5): 12 gives 2 units of weight 2, of which PyrEval uses one.
        pairs = graph([(1, 4), (2, 5)])
        assert [len(unit) for unit in build(pairs, alpha=12).units[:3]] == [2, 2, 1]
        assert [len(unit) for unit in build(pairs, alpha=12, pyreval=True).units[:3]] == [2, 1, 1]


def test_the_method_can_be_used_with_any_pyramid():
    pyramid = Pyramid.build(["It rained all day.", "It rained all day. Nobody came."])
    found = pyramid.score("It rained all day.", method="pyreval", encoder="static")
    assert "|presence:pyreval-0.5|judge:static@" in str(found.signature)
    assert found.raw == 2
    assert found.matches[0].similarity == pytest.approx(1, abs=1e-6)
