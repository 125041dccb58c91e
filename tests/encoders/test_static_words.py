"""`static` looks words up: the tokens are those of the whole text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.encoders import load
from commonground.encoders.static import _Words

ENCODER = load("static", cache=False)
PIECES = st.sampled_from(
    ["a", "The", "ferry", "é", "漢", "🙂", "\u2581", "<s>", "</s>", "<", "1,5"]
)


def whole(text):
    return ENCODER._tokenizer.encode(text, add_special_tokens=False).ids


@given(st.lists(st.lists(PIECES, min_size=1).map("".join), min_size=1).map(" ".join))
def test_words_have_the_tokens_they_have_in_their_text(text):
    assert ENCODER._words.tokens(text) == whole(text)


@pytest.mark.parametrize("text", ["It's 9:30 – “open”.", "a<unk>b", "x\u2581 y", "\u2581"])
def test_signs_of_the_tokenizer_in_a_text(text):
    assert ENCODER._words.tokens(text) == whole(text)


def test_no_token_goes_on_into_the_next_word():
    assert not [token for token in ENCODER._tokenizer.get_vocab() if "\u2581" in token.lstrip("▁")]


def test_few_words_are_kept_at_once(monkeypatch):
    monkeypatch.setattr("commonground.encoders.static._MOST_WORDS", 2)
    words = _Words(ENCODER._tokenizer)
    assert words.tokens("one two three two") == whole("one two three two")
    assert len(words) <= 2
