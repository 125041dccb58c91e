import numpy as np
import pytest

from commonground.errors import InputError
from commonground.metrics.texts import check_corpus, check_references, check_text


def test_a_text_is_a_string_or_sentences():
    assert check_text("One. Two.") == "One. Two."
    assert check_text(["One.", "Two."]) == ("One.", "Two.")
    assert check_text([]) == ()


def test_references_are_texts_of_either_kind():
    assert check_references(["One.", ["Two.", "Three."]]) == ("One.", ("Two.", "Three."))


def test_a_corpus_pairs_predictions_with_references():
    pairs = check_corpus(("a", ["b", "c"]), [["d"], ("e", "f")])
    assert pairs == [("a", ("d",)), (("b", "c"), ("e", "f"))]


def test_arrays_serve_as_lists():
    assert check_corpus(np.array(["a", "b"]), [["c"], ["d"]]) == [("a", ("c",)), ("b", ("d",))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "prediction must be a string or a list of sentences, got None"),
        (b"abc", "prediction must be a string or a list of sentences, got bytes"),
        (["a", 3], "prediction[1] must be a string, got int"),
    ],
)
def test_what_is_no_text(text, message):
    with pytest.raises(InputError) as caught:
        check_text(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ("abc", "references must be a list of texts, got one string; write [text]"),
        ([], "references is empty; give at least one reference"),
        (None, "references must be a list of texts, got None"),
        ({"a": 1}, "references must be a list of texts, got dict"),
        (["a", 1], "references[1] must be a string or a list of sentences, got int"),
        ([["a", None]], "references[0][1] must be a string, got None"),
    ],
)
def test_what_are_no_references(references, message):
    with pytest.raises(InputError) as caught:
        check_references(references)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ("a", [["b"]], "predictions must be a list of texts, got one string; write [text]"),
        (
            ["a"],
            "b",
            "references must be a list of reference lists, one an item, got one string; "
            "write [[text]]",
        ),
        (
            ["a", "b"],
            [["c"], "d"],
            "references[1] must be a list of texts, got one string; write [text]",
        ),
        (["a"], [[]], "references[0] is empty; give at least one reference"),
        (
            ["a"],
            [["b"], ["c"]],
            "1 predictions do not fit 2 lists of references; "
            "give one list of references for each prediction",
        ),
        ([], [], "the corpus is empty; give at least one prediction with its references"),
        (["a", 5], [["b"], ["c"]], "predictions[1] must be a string or a list of sentences"),
    ],
)
def test_what_is_no_corpus(predictions, references, message):
    with pytest.raises(InputError) as caught:
        check_corpus(predictions, references)
    assert str(caught.value).startswith(message)
