"""The names that other parts use."""

import dataclasses
import re
import subprocess
import sys

import pytest

from commonground.errors import InputError
from commonground.text import SPLITTERS, Sentence, sentences, split


def test_offsets():
    text = "  - It rained.  We left.\n"
    assert split(text) == [Sentence("It rained.", 4, 14), Sentence("We left.", 16, 24)]


def test_a_sentence_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Sentence("It rained.", 0, 10).start = 1


def test_sentences_of_a_text():
    assert sentences("It rained. We left!") == ["It rained.", "We left!"]
    assert sentences("") == []


def test_a_list_is_taken_as_it_is():
    assert sentences(["It rained. We left!", " ", "", " Bye "]) == ["It rained. We left!", " Bye "]
    assert sentences(("It rained.",)) == ["It rained."]
    assert sentences([]) == []


@pytest.mark.parametrize("wrong", [None, 3, b"It rained.", {"It rained."}, {"text": "It rained."}])
def test_anything_else_is_an_error(wrong):
    with pytest.raises(InputError, match=f"str or a list of sentences, not {type(wrong).__name__}"):
        sentences(wrong)


def test_a_list_of_other_things_is_an_error():
    with pytest.raises(InputError, match="sentence 1 of a text is int, not a str"):
        sentences(["It rained.", 5])


def test_splitter_names_nupunkt_and_our_rules():
    assert re.fullmatch(r"nupunkt-\d+\.\d+\+cg\d+", SPLITTERS["layout"])


def test_the_model_loads_on_first_use():
    code = "import sys, commonground.text; sys.exit('nupunkt' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_shared_model_of_nupunkt_is_left_alone():
    import nupunkt

    split("He left the U.S. He slept.")
    assert "week" in nupunkt.load("default").abbreviations
