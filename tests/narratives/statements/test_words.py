"""What the reader says of every word, and statements that are less likely than asked for."""

import json

import pytest

from commonground.narratives import LEAST_LIKELY, Overlaps
from commonground.reader import Reader
from commonground.text import split

LEFT = "😀 The old bridge was closed on Monday after cracks were found. A heron stood below it."
RIGHT = "Nobody swam. Cracks were found in the old bridge, and it was closed on Monday."
FINDER = Overlaps()


@pytest.fixture(scope="module")
def found():
    return FINDER.find([RIGHT, LEFT])


def test_every_word_of_every_sentence_is_at_its_place(found):
    for text, read in zip((RIGHT, LEFT), found.readings, strict=True):
        sentences = [text[one.start : one.end] for one in read]
        assert sentences == [sentence.text for sentence in split(text)]
        for sentence, one in zip(sentences, read, strict=True):
            pairs = zip(one.offsets[::2], one.offsets[1::2], strict=True)
            assert [text[start:end] for start, end in pairs] == sentence.split()


def test_the_answers_are_those_of_the_reader(found):
    for narrative, (own, other) in enumerate(((RIGHT, LEFT), (LEFT, RIGHT))):
        sentences = [sentence.text for sentence in split(own)]
        for reading, kept in zip(
            Reader().read(sentences, other), found.readings[narrative], strict=True
        ):
            (against,) = kept.against
            assert against.narrative == 1 - narrative
            assert against.support == pytest.approx([w.support for w in reading.words], abs=6e-4)
            assert against.probabilities == pytest.approx(reading.probabilities, abs=6e-4)


def test_shared_words_have_their_evidence_and_others_have_little_support(found):
    bridge, heron = found.readings[1]
    (against,) = bridge.against
    start, end = against.evidence
    assert RIGHT[start:end] == "Cracks were found in the old bridge, and it was closed on Monday."
    words = LEFT[bridge.start : bridge.end].split()
    assert against.support[words.index("closed")] > 0.8
    assert max(heron.against[0].support) < 0.5


def test_three_narratives_are_each_read_against_both_others():
    texts = [RIGHT, LEFT, "A baker sang. The bridge was closed."]
    other = FINDER.find([texts[2], texts[0], texts[1]])
    found = FINDER.find(texts)
    for read in found.readings[0]:
        assert [against.narrative for against in read.against] == [1, 2]
    for read, moved in zip(found.readings[0], other.readings[1], strict=True):
        by_text = {against.narrative: against.support for against in read.against}
        assert {a.narrative: a.support for a in moved.against} == {0: by_text[2], 2: by_text[1]}


def test_words_are_in_the_plain_values_only_on_request(found):
    assert "readings" not in found.to_dict()
    plain = json.loads(json.dumps(found.to_dict(readings=True)))["readings"]
    assert plain[1][0]["offsets"][:4] == [0, 1, 2, 5]
    assert plain[1][0]["against"][0]["support"] == list(found.readings[1][0].against[0].support)


LONG = (
    "The council voted on Monday to close the pool, which an expert had called unsafe. The town "
    "does not have this money. Children will travel by bus to the pool in Hensbridge.",
    "On Monday the council decided to close the swimming pool. Nobody in the town has so much "
    "money, the mayor said. School classes go to Hensbridge from now on.",
)


def test_less_likely_statements_are_kept_apart():
    strict = Overlaps(strictness=0.95).find(LONG)
    assert strict.strictness == 0.95
    assert strict.less_likely
    assert all(LEAST_LIKELY <= one.probability < 0.95 for one in strict.less_likely)
    assert not {one.text for one in strict.less_likely} & {one.text for one in strict.statements}
    assert not any(one.text in strict.summary for one in strict.less_likely)
    for one in strict.less_likely:
        for passage in one.evidence:
            assert LONG[passage.narrative][passage.start : passage.end] == passage.text


def test_a_lax_result_has_no_less_likely_statements():
    assert Overlaps(strictness=0.2).find(LONG).less_likely == ()


def test_the_limit_holds_for_less_likely_statements_too():
    strict = Overlaps(strictness=0.95, max_sentences=1).find(LONG)
    assert len(strict.statements) <= 1
    assert len(strict.less_likely) == 1
