"""Which sentence shows a statement: near ones are read one by one, the far ones never."""

import numpy as np
import pytest

from commonground.narratives import Overlaps
from commonground.narratives.reading import Readings
from commonground.narratives.statements.choose import Sought, evidence_of
from commonground.reader import PreparedText, Reader, Reading, Word

READER = Reader()

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


class Table:
    """A reader that looks up the support of each word, and notes what it was asked."""

    encoder = None

    def __init__(self, supports):
        self.supports = supports
        self.asked = []

    def read_each(self, sentences, texts, vectors):
        return [
            self.read(asked, *text.sentences) for asked, text in zip(sentences, texts, strict=True)
        ]

    def read(self, asked, sentence):
        self.asked.append(sentence)
        words = tuple(Word("w", 0, 1, one, one) for one in self.supports[sentence])
        return Reading(asked, 0.25, 0.25, 0.25, 0.25, words, (), 0)


def narrated(cosines):
    """Sentences 0, 1, ... with these cosines to the vector (1, 0)."""
    rows = [(cosine, np.sqrt(1 - cosine**2)) for cosine in cosines]
    return PreparedText([str(index) for index in range(len(rows))], np.array(rows))


def place(cosines, *supports):
    """The chosen place, and the places that were read."""
    table = Table({str(n): one for n, one in enumerate(supports)})
    sought = Sought("Some statement.", np.array([1.0, 0.0]), narrated(cosines))
    (found,) = evidence_of(table, [sought])
    return found, [int(one) for one in table.asked]


@pytest.mark.parametrize(("text", "near", "states"), [BAN, STRIKE, MAYOR])
@pytest.mark.parametrize("first", [True, False])
def test_what_states_the_fact_in_other_words_beats_what_resembles_it(text, near, states, first):
    sentences = [near, states] if first else [states, near]
    (one,) = Readings(["\n\n".join(sentences)], READER.encoder).narratives
    assert [sentence.text for sentence in one.sentences] == sentences
    (vector,) = READER.encoder.encode([text])
    assert sentences[int(np.argmax(one.vectors @ vector))] == near
    sought = [Sought(text, vector, READER.prepare(one)), Sought(near, vector, READER.prepare(one))]
    found = evidence_of(READER, sought)
    assert [sentences[index] for index in found] == [states, near]


def test_the_overlap_shows_the_sentence_that_states_the_fact():
    text, near, states = BAN
    (statement,) = Overlaps().find([text, f"{near} {states}"]).statements
    assert statement.text == text
    assert [one.text for one in statement.evidence] == [text, states]


def test_cosine_and_mean_support_are_added():
    # .80 + (.9 + .3) / 2 = 1.40 beats .90 + (.5 + .3) / 2 = 1.30.
    assert place([0.9, 0.8], (0.5, 0.3), (0.9, 0.3)) == (1, [0, 1])
    # .80 + .55 = 1.35 loses to .90 + .50 = 1.40, although more of the words are stated.
    assert place([0.9, 0.8], (0.5,), (0.55,)) == (0, [0, 1])


def test_only_the_three_nearest_sentences_are_read():
    cosines = [0.87, 0.88, 0.89, 0.9]
    assert place(cosines, (1.0,), (0.2,), (0.1,), (0.1,)) == (1, [3, 2, 1])


def test_a_sentence_far_below_the_nearest_is_not_read():
    # .76 is .14 below the best and is read; .74 is .16 below it and is not.
    assert place([0.9, 0.76, 0.74], (0.1,), (0.5,), (1.0,)) == (1, [0, 1])


def test_where_one_sentence_alone_is_near_nothing_is_read():
    assert place([0.2, 0.9, 0.3]) == (1, [])


def test_a_text_of_one_sentence_shows_it_unread():
    assert place([0.1]) == (0, [])


def test_of_equal_sentences_the_first_is_shown():
    assert place([0.5, 0.8, 0.8, 0.8], (), (0.6,), (0.6,), (0.6,)) == (1, [1, 2, 3])


def test_of_equal_sums_the_nearer_sentence_is_shown():
    # .625 + .375 = .75 + .25: all of them exact in binary.
    assert place([0.625, 0.75], (0.375,), (0.25,)) == (1, [1, 0])


def test_a_sentence_without_words_is_shown_by_its_cosine():
    assert place([0.8, 0.75], (), ()) == (0, [0, 1])
