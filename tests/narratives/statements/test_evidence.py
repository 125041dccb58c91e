"""Which sentence shows a statement: clues choose a few, and close calls are read."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.narratives import Overlaps
from commonground.narratives.reading import Readings
from commonground.narratives.statements.evidence import (
    CLUES,
    WEIGHTS,
    Sought,
    clues,
    evidence_of,
    unread_evidence,
    within,
    worth_reading,
)
from commonground.reader import Reader, Reading, Word

READER = Reader()
EXAMPLES = Path(__file__).parents[3] / "examples/overlap"

# A statement, a sentence that resembles it, and one that states it.
BAN = (
    "The council banned cars from the market square.",
    "The council discussed cars in the market square.",
    "Driving in the square where the market is held is now forbidden by the council.",
)
STRIKE = (
    "The teachers ended their strike on Tuesday.",
    "The teachers began their strike in May.",
    "On Tuesday the school staff stopped striking.",
)
MAYOR = (
    "The mayor resigned on Friday.",
    "The mayor was not in his office on Friday.",
    "On Friday the head of the town stepped down from office.",
)

# A sentence, the words of a statement in it, the statement, a sentence on the same subject, and
# one that states it.
CUTS = [
    (
        "Pupils will be taken to the pool in Upper Stoke, which is nine miles from the school.",
        (9, 10, 12, 13, 14),
        "Upper Stoke is nine miles from the school.",
        "The town has rented the pool in Upper Stoke for two mornings a week.",
        "Nobody has explained who pays for the drive of nine miles each way.",
    ),
    (
        "The bridge over the Tarn cost nine million euros, twice what the council had planned.",
        (1, 5, 6, 7, 8),
        "The bridge cost nine million euros.",
        "The bridge over the Tarn has nine arches and was closed for repairs.",
        "Taxpayers spent nine million on it, twice the sum in the plan of the council.",
    ),
]


def sought(text, source, narrative, row=0, kept=None):
    """A statement from a sentence of one text, to be found in the other."""
    one, other = Readings([source, narrative], READER.encoder).narratives
    (vector,) = READER.encoder.encode([text])
    words = range(len(one.parsed[row].text.split())) if kept is None else kept
    return Sought(text, vector, one, row, words, other)


class Table:
    """A reader that looks up the words of a sentence, and notes what it was asked."""

    encoder = READER.encoder

    def __init__(self, chances):
        self.chances = chances
        self.asked = []

    def read_each(self, sentences, texts, vectors):
        assert len(sentences) == len(texts) == len(vectors)
        return [self.read(one, *text.sentences) for one, text in zip(sentences, texts, strict=True)]

    def read(self, text, sentence):
        self.asked.append(sentence)
        return reading(text, self.chances.get(sentence, 0.0))


def reading(text, *chances):
    words = tuple(Word("w", 0, 1, 0.0, chance) for chance in chances)
    return Reading(text, 0.25, 0.25, 0.25, 0.25, words, (), 0)


@pytest.mark.parametrize(("text", "near", "states"), [BAN, STRIKE, MAYOR])
@pytest.mark.parametrize("first", [True, False])
def test_what_states_the_fact_in_other_words_beats_what_resembles_it(text, near, states, first):
    sentences = [near, states] if first else [states, near]
    one = sought(text, [text], sentences)
    assert sentences[int(np.argmax(one.narrative.vectors @ one.vector))] == near
    resembling = sought(near, [near], sentences)
    found = evidence_of(READER, [one, resembling])
    assert [sentences[index] for index in found] == [states, near]


@pytest.mark.parametrize(("source", "kept", "text", "near", "states"), CUTS)
@pytest.mark.parametrize("first", [True, False])
def test_the_context_of_its_words_tells_what_a_cut_is_about(
    source, kept, text, near, states, first
):
    sentences = [near, states] if first else [states, near]
    one = sought(text, [source], sentences, kept=kept)
    assert sentences[int(np.argmax(one.narrative.vectors @ one.vector))] == near
    assert [sentences[index] for index in evidence_of(READER, [one])] == [states]


def test_the_overlap_shows_the_sentence_that_states_the_fact():
    text, near, states = BAN
    (statement,) = Overlaps().find([text, f"{near} {states}"]).statements
    assert statement.text == text
    assert [one.text for one in statement.evidence] == [text, states]


def test_the_distance_is_shown_where_it_is_given():
    folder = EXAMPLES / "three-way"
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]
    (statement,) = [one for one in Overlaps().find(texts).statements if "kilometres" in one.text]
    assert statement.weight == 3
    assert all("14 kilometres" in " ".join(one.text.split()) for one in statement.evidence)


def test_the_evidence_of_a_statement_does_not_depend_on_the_others():
    source = " ".join(case[0] for case in (BAN, STRIKE, MAYOR))
    other = " ".join(" ".join(case[1:]) for case in (BAN, STRIKE, MAYOR))
    every = [
        sought(case[0], source, other, row=row) for row, case in enumerate((BAN, STRIKE, MAYOR))
    ]
    found = evidence_of(READER, every)
    assert found[:2] == [1, 3]
    assert evidence_of(READER, every[::-1]) == found[::-1]
    assert [evidence_of(READER, [one])[0] for one in every] == found


class Doubled:
    """Another encoder: the vectors of the default one twice, so that cosines stay the same."""

    name, fingerprint, dimension = "doubled", "0" * 64, 768

    def encode(self, texts):
        return np.tile(READER.encoder.encode(texts), 2) / np.float32(np.sqrt(2))

    def tokens(self, texts):
        return [
            replace(
                own,
                vectors=np.tile(own.vectors, 2) / np.float32(np.sqrt(2)),
                whole=np.tile(own.whole, 2) / np.float32(np.sqrt(2)),
            )
            for own in READER.encoder.tokens(texts)
        ]


def test_the_reader_may_have_another_encoder_than_the_overlap():
    texts = [BAN[0], " ".join(BAN[1:])]
    found = Overlaps(Doubled(), reader=READER).find(texts).statements
    assert [one.text for one in found[0].evidence] == [BAN[0], BAN[2]]


def test_clues_are_cosines_of_words_and_of_the_sentences_before():
    text = "Rain fell. The mayor resigned. He left."
    one = sought("The mayor resigned.", text, text, row=1)
    found = clues(one)
    assert found.shape == (3, len(CLUES))
    assert found[1] == pytest.approx([1, 1], abs=1e-4)
    # No sentence stands before the first one.
    assert found[0, 1] == 0
    vectors = one.source.vectors
    assert found[2, 1] == pytest.approx(vectors[0] @ vectors[1], abs=1e-4)


def test_only_kept_words_are_sought():
    source = "The mayor resigned while rain fell."
    rows = ["The mayor resigned.", "Rain fell."]
    mayor = clues(sought("The mayor resigned.", [source], rows, kept=(1, 2)))[:, 0]
    rain = clues(sought("Rain fell.", [source], rows, kept=(4, 5)))[:, 0]
    assert mayor[0] > mayor[1]
    assert rain[1] > rain[0]


def test_a_sentence_without_words_has_no_word_in_common():
    one = sought("The mayor resigned.", ["The mayor resigned."], ["...", "The mayor resigned."])
    assert clues(one)[0, 0] == 0
    assert evidence_of(READER, [one]) == [1]
    assert clues(sought("...", ["..."], ["Rain fell."]))[0, 0] == 0


def test_the_sentence_before_decides_between_equal_ones():
    source = "The bakery burned down. Nobody was hurt."
    other = "A bus left the road. Nobody was hurt. The bakery burned down. Nobody was hurt."
    assert evidence_of(READER, [sought("Nobody was hurt.", source, other, row=1)]) == [3]


@pytest.mark.parametrize(
    ("scores", "rows"),
    [
        ([1.0], [0]),
        ([1.0, 9.0], [1]),
        ([8.0, 9.0, 7.0], [1, 0, 2]),
        ([6.9, 9.0, 7.0], [1, 2]),
        ([9.0, 9.0, 9.0, 9.0], [0, 1, 2]),
        ([8.0, 9.0, 8.5, 8.6], [1, 3, 2]),
    ],
)
def test_at_most_three_sentences_near_the_best_are_worth_reading(scores, rows):
    assert worth_reading(np.array(scores)) == rows


def test_a_sure_case_is_not_read():
    table = Table({})
    one = sought("Rain fell.", ["Rain fell."], ["The mayor resigned.", "Rain fell."])
    assert evidence_of(table, [one]) == [1]
    assert evidence_of(table, [sought("Rain fell.", ["Rain fell."], ["The mayor resigned."])]) == [
        0
    ]
    assert table.asked == []


def test_a_reading_overrules_clues_by_its_weight():
    twice = ["Nobody was hurt.", "Nobody was hurt.", "Nobody was hurt."]
    one = sought("Nobody was hurt.", ["Nobody was hurt."], twice)
    assert evidence_of(Table({twice[0]: 0.5}), [one]) == [0]  # the first of equal ones
    text, near, states = MAYOR
    one = sought(text, [text], [near, states])
    scores = clues(one) @ WEIGHTS[:-1]
    needed = (scores[0] - scores[1]) / WEIGHTS[-1]
    assert 0 < needed < 0.5
    assert evidence_of(Table({states: needed - 0.01}), [one]) == [0]
    assert evidence_of(Table({states: needed + 0.01}), [one]) == [1]
    assert unread_evidence(one) == 0


def test_the_reading_counts_by_the_mean_of_its_words():
    assert within(reading("A b.", 0.9, 0.3)) == pytest.approx(0.6)
    assert within(reading("...")) == 0.0
