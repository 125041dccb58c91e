"""A text in chunks, the nearest sentences, and sentences in windows."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonground import models
from commonground.reader import PreparedText
from commonground.reader.network import WINDOW, OnnxNetwork, pieces_of
from commonground.reader.text import CHUNK, PIECES, SENTENCES, fits, nearest


def test_a_short_text_is_one_chunk_and_used_as_it_is():
    network = OnnxNetwork(models.locate("reader").paths["reader.onnx"])
    text = PreparedText(["The dam broke.", "Nobody was hurt."])
    chunks = text.encode(network, [0, 1], None)
    (whole,) = text.past([0, 1], chunks)
    assert whole.keys.shape == (6, 12, sum(text.sizes) + 2, 32)
    halves = [part.keys for place in (0, 1) for part in text.past([place], chunks)]
    assert np.array_equal(np.concatenate(halves, axis=2), whole.keys)


def test_chunks_have_whole_sentences_and_only_needed_ones_are_encoded():
    network = OnnxNetwork(models.locate("reader").paths["reader.onnx"])
    text = PreparedText(
        [f"Sentence {n} tells of barrel {n} and of nothing else." for n in range(90)]
    )
    assert sum(text.sizes) > 2 * CHUNK
    chunks = text.encode(network, [80], None)
    assert len(chunks) == 1
    (part,) = text.past([80], chunks)
    assert part.keys.shape[2] in (text.sizes[80], text.sizes[80] + 1)


def test_the_context_of_a_sentence_is_its_chunk():
    filler = [f"Sentence {n} tells of barrel {n} and of nothing else." for n in range(90)]
    changed = [*filler[:-1], "The end."]
    first, second = PreparedText(filler), PreparedText(changed)
    assert first.context([0, 3]) == second.context([0, 3])
    assert first.context([0, 3]) != first.context([0, 4])
    assert first.context([85]) != second.context([85])


def test_texts_whose_chunks_end_elsewhere_have_other_contexts():
    dam, cat, dog = "dam " * 200, "cat " * 150, "dog " * 200
    one = PreparedText([dam, cat, dog]).context([0, 1, 2])
    assert one != PreparedText([dam, "big " * 250, cat, dog]).context([0, 2, 3])


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 300)), min_size=1, max_size=60),
)
def test_nearest_keeps_both_limits(rows):
    cosines = np.array([cosine for cosine, _ in rows], dtype=np.float32)
    pieces = [count for _, count in rows]
    chosen = nearest(cosines, pieces)
    assert 1 <= len(chosen) <= SENTENCES and len(set(chosen)) == len(chosen)
    assert len(chosen) == 1 or sum(pieces[place] for place in chosen) <= PIECES
    assert np.round(cosines[chosen[0]], 5) == np.round(cosines, 5).max()
    if fits(pieces):
        assert sorted(chosen) == list(range(len(pieces)))


@given(st.text(max_size=400))
def test_pieces_belong_to_words(sentence):
    found = pieces_of(sentence)
    assert len(found.spans) == len(sentence.split())
    assert all(not sentence[start:end].isspace() for start, end in found.spans)
    assert all(0 <= word < len(found.spans) for word in found.words)
    assert sorted(found.words) == list(found.words)


def test_long_sentences_are_cut_between_words():
    found = pieces_of("Unbelievably complicated internationalization " * 90)
    windows = list(found.windows())
    assert np.array_equal(np.concatenate([ids for ids, _ in windows]), found.ids)
    assert all(len(ids) <= WINDOW for ids, _ in windows)
    for (_, one), (_, other) in pairwise(windows):
        assert one[-1] < other[0]
