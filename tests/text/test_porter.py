import pytest

from commonground.text import stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # plural and past
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("dies", "die"),
        ("died", "die"),
        ("tried", "tri"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("bled", "bled"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("failing", "fail"),
        # y
        ("happy", "happi"),
        ("enjoy", "enjoy"),
        ("spy", "spi"),
        ("by", "by"),
        # derivation
        ("relational", "relat"),
        ("conditionally", "condit"),
        ("hopefully", "hope"),
        ("geology", "geolog"),
        ("vietnamization", "vietnam"),
        ("electricity", "electr"),
        ("goodness", "good"),
        ("adoption", "adopt"),
        ("replacement", "replac"),
        # last e, last l
        ("probate", "probat"),
        ("rate", "rate"),
        ("controlling", "control"),
        ("roll", "roll"),
        # not by rule
        ("skies", "sky"),
        ("news", "news"),
        ("dying", "die"),
        ("proceed", "proceed"),
        # no letters to judge by
        ("2020s", "2020"),
        ("", ""),
        ("a", "a"),
    ],
)
def test_stems(word, expected):
    assert stem(word) == expected
