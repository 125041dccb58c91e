import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.metrics.rouge.reading import ascii_tokens, unicode_tokens


def test_ascii_tokens():
    assert ascii_tokens("Don't panic_42: CAFÉ\t\n-") == ["don", "t", "panic", "42", "caf"]
    # The Kelvin sign and the dotted capital I turn ASCII when lower-cased, as in rouge-score.
    assert ascii_tokens("300\u212a \u0130stanbul") == ["300k", "i", "stanbul"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("El año pasado, ¿qué pasó?", ["el", "año", "pasado", "qué", "pasó"]),
        ("Москва́ не сразу строилась", ["москва́", "не", "сразу", "строилась"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("السلام عليكم، كيف الحال؟", ["السلام", "عليكم", "كيف", "الحال"]),
        # Vowel signs and the virama are marks: they do not end a word.
        ("हिन्दी में लिखा है।", ["हिन्दी", "में", "लिखा", "है"]),
        ("今天下雨。", ["今", "天", "下", "雨"]),
        ("東京タワーへ行く", ["東", "京", "タ", "ワ", "ー", "へ", "行", "く"]),
        # Half-width kana with its voicing mark composes to one letter.
        ("ｶﾞｽ", ["ガ", "ス"]),
        # Thai: a tone mark stays with its consonant, vowels that are letters stand alone.
        ("ที่นี่", ["ที่", "นี่"]),
        ("กา", ["ก", "า"]),
        # Korean has spaces.
        ("서울에 비가 온다", ["서울에", "비가", "온다"]),
        ("GPT4は2024年", ["gpt4", "は", "2024", "年"]),
        ("٢٠٢٤ ２０２４ ๒๕", ["٢٠٢٤", "2024", "๒๕"]),
        ("un\u00adder\u200dstand\ufeff", ["understand"]),
        ("\u0301 🙂 — …", []),
        ("Don't panic_42", ["don", "t", "panic", "42"]),
    ],
)
def test_unicode_tokens(text, tokens):
    assert unicode_tokens(text) == [unicodedata.normalize("NFC", token) for token in tokens]


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=127)))
def test_tokenizers_agree_on_ascii(text):
    assert unicode_tokens(text) == ascii_tokens(text)
    assert unicode_tokens(text + " é") == [*ascii_tokens(text), "é"]


@settings(deadline=None)
@given(st.text())
def test_composed_and_decomposed_text_has_the_same_tokens(text):
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    assert len({tuple(unicode_tokens(form)) for form in forms}) == 1


@settings(deadline=None)
@given(st.text())
def test_unicode_tokens_are_their_own_tokens(text):
    tokens = unicode_tokens(text)
    assert unicode_tokens(" ".join(tokens)) == tokens


@settings(deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_lines_hold_the_tokens_of_the_text(lines):
    for tokenize in (ascii_tokens, unicode_tokens):
        assert [t for line in lines for t in tokenize(line)] == tokenize("\n".join(lines))
