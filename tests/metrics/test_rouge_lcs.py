import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from commonground.metrics.rouge import Rouge, paths
from commonground.metrics.rouge.paths import Positions, Wordings

TOKENS = st.lists(st.integers(0, 4), max_size=24)


def table(reference, prediction):
    """Lengths of common subsequences of all beginnings, by the recurrence."""
    cells = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, token in enumerate(reference):
        for j, other in enumerate(prediction):
            longer = cells[i][j] + 1
            cells[i + 1][j + 1] = (
                longer if token == other else max(cells[i][j + 1], cells[i + 1][j])
            )
    return cells


def walk(reference, prediction):
    """The path by the rule in words: match; else shorten the reference if nothing is lost."""
    cells = table(reference, prediction)
    i, j, path = len(reference), len(prediction), set()
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            path.add(i)
        elif cells[i - 1][j] == cells[i][j]:
            i -= 1
        else:
            j -= 1
    return path


def positions(bits):
    return {position for position in range(bits.bit_length()) if bits >> position & 1}


def test_positions():
    found = Positions.find([7, 8, 7])
    assert found.of == {7: 0b101, 8: 0b010}
    assert found.everywhere == 0b111


def test_a_stranger_in_the_prediction_changes_the_choice():
    # The walk from the end matches the last 1 at once; a token that is nowhere in the
    # reference lets it first move up to where the table grows, the first 1.
    target = Positions.find([1, 0, 1])
    assert positions(target.on_path([1])) == walk([1, 0, 1], [1]) == {2}
    assert positions(target.on_path([1, 9])) == walk([1, 0, 1], [1, 9]) == {0}


@settings(deadline=None)
@given(TOKENS, TOKENS)
def test_the_path_is_the_walks(reference, prediction):
    path = positions(Positions.find(reference).on_path(prediction))
    assert path == walk(reference, prediction)
    assert (
        len(path)
        == LCSseq.similarity(reference, prediction)
        == table(reference, prediction)[-1][-1]
    )


@pytest.mark.parametrize("block", [1, 2, 3, 7])
@settings(deadline=None)
@given(reference=TOKENS, prediction=TOKENS)
def test_blocks_do_not_change_the_path(block, reference, prediction):
    target = Positions.find(reference)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "_BLOCK", block)
        in_blocks = target.on_path(prediction)
    assert in_blocks == target.on_path(prediction)


@pytest.mark.parametrize("rare", [0, 1, 2, 16])
@settings(deadline=None)
@given(reference=TOKENS, prediction=st.lists(st.lists(st.integers(0, 5), max_size=6), max_size=8))
def test_the_union_is_that_of_all_sentences(rare, reference, prediction):
    target = Positions.find(reference)
    every = 0
    for sentence in prediction:
        every |= target.on_path(sentence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "_RARE", rare)
        assert Wordings.find(prediction).union(target) == every


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("line {} of the text", "the line {} text of"),  # two words that no path can have
        ("line {} of the text", "line {} of the text"),
        ("same line", "line same"),
    ],
)
def test_long_texts_are_not_compared_line_by_line(ours, theirs, monkeypatch):
    paths_found = []
    on_path = Positions.on_path
    monkeypatch.setattr(
        Positions, "on_path", lambda self, line: paths_found.append(1) or on_path(self, line)
    )
    texts = ["\n".join(form.format(number) for number in range(1000)) for form in (ours, theirs)]
    Rouge(types=["rougeLsum"]).score(texts[0], [texts[1]])
    assert len(paths_found) <= 3000
