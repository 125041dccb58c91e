"""Laws of segmentation that hold for every text."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.text import segment, segment_all, split
from commonground.text.splitting.layout import flatten

TEXTS = [
    "The mayor opened the bridge and thanked the workers. She said that it was safe.",
    "If it rains, we will stay; if it snows, we will leave because the road is steep.",
    "Nobody knew who had won, which was odd, and the judges, who were tired, said nothing.",
    "No comment.",
]

# Words that open, join and end clauses, so that they meet in ways that nobody writes.
PIECES = st.sampled_from(
    [
        *("The mayor", "they", "who", "which", "that", "said", "was", "opened", "and", "but"),
        *("will not", "didn't", "to leave", "because", "if", "leaving", "the bridge", "there is"),
        *(",", ";", ".", "!", "?", '"', "“", "”", "(", ")", "—", "-", "...", "'s", "$5", "3.5%"),
        *("\n", "\u200b", "\ud800", "😀", "你好", "U.S.", "https://x.y/z", "x" * 120, "&", "/"),
    ]
)
JUMBLES = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "  "])), max_size=25).map(
    lambda pairs: "".join(piece + gap for piece, gap in pairs)
)


def check(source, found):
    flat = flatten(source)
    sentence = found.sentence
    whole, *cuts = found.segmentations
    assert source[sentence.start : sentence.end] == sentence.text
    assert [part.spans for part in whole] == [((sentence.start, sentence.end),)]
    assert len(cuts) <= 8
    assert len(set(found.segmentations)) == len(found.segmentations)
    sizes = [len(cut) for cut in cuts]
    assert sizes == sorted(sizes, reverse=True)
    for cut in found.segmentations:
        assert len(cut) > 1 or cut == whole
        covered = set()
        for part in cut:
            ends = [place for span in part.spans for place in span]
            assert ends == sorted(set(ends))
            assert sentence.start <= ends[0] and ends[-1] <= sentence.end
            words = " ".join(flat[start:end] for start, end in part.spans).split()
            assert part.text.replace(" ", "") == "".join(words)
            assert part.text == " ".join(part.text.split())
            covered.update(place for start, end in part.spans for place in range(start, end))
        for place in range(sentence.start, sentence.end):
            assert place in covered or flat[place].isspace()


@settings(max_examples=60)
@given(st.one_of(JUMBLES, st.text(max_size=60)))
def test_spans_cover_the_sentence_and_say_what_the_text_says(text):
    for found in segment(text):
        check(text, found)
    for found in segment([text]):
        check(text, found)


def test_sentences_are_those_of_the_splitter():
    for text in TEXTS:
        assert [found.sentence for found in segment(text)] == split(text)


@settings(max_examples=20)
@given(st.permutations([*TEXTS, ["It rained and we left."], ""]))
def test_texts_come_out_alike_alone_and_in_any_company(texts):
    assert segment_all(texts) == [segment(text) for text in texts]


def test_threads_agree():
    texts = [text.replace("mayor", f"mayor of town {n}") for n in range(10) for text in TEXTS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(segment, texts))
    assert found == segment_all(texts)


def test_spawned_processes_agree():
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(segment_all, TEXTS).result() == segment_all(TEXTS)
