"""Text that the reader does not know gets one line, and only such text."""

import warnings

import pytest

from commonground.reader import Reader
from commonground.text.language import language_notices, language_of, name_of

GERMAN = (
    "Die Fähre lief am Samstagmorgen vor der Küste auf Grund. Alle Menschen an Bord wurden von "
    "Rettungsbooten an Land gebracht, und niemand wurde verletzt."
)
FRENCH = (
    "Le navire s'est échoué samedi matin près du port. Tous les passagers ont été ramenés à terre "
    "par des canots de sauvetage et personne n'a été blessé."
)
ENGLISH = (
    "The ferry ran aground on Saturday morning. Everybody on board was brought ashore by boats."
)


@pytest.mark.parametrize(("text", "code"), [(GERMAN, "de"), (FRENCH, "fr"), (ENGLISH, "en")])
def test_languages_are_told_apart(text, code):
    assert language_of([text]) == code


@pytest.mark.parametrize("text", ["", "Oui.", "12 34 56", "Ran aground."])
def test_little_text_tells_nothing(text):
    assert language_of([text]) is None


def test_an_unknown_code_is_named_by_itself():
    assert name_of("de") == "German"
    assert name_of("xx") == "another language (xx)"


def test_a_warning_names_the_language():
    with pytest.warns(
        UserWarning, match="this text seems to be in German; the reader knows English"
    ):
        Reader(cache=False).read(["Die Fähre lief auf Grund."], GERMAN)


def test_english_is_read_in_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Reader(cache=False).read(["The ferry ran aground."], ENGLISH)


def test_each_text_in_another_language_gets_a_notice():
    texts = [("ferry.txt", ENGLISH), ("faehre.txt", GERMAN), ("short.txt", "Oui."), ("nef", FRENCH)]
    assert [(notice.name, notice.code) for notice in language_notices(texts)] == [
        ("faehre.txt", "de"),
        ("nef", "fr"),
    ]
    assert language_notices([("faehre.txt", GERMAN)])[0].to_dict() == {
        "name": "faehre.txt",
        "code": "de",
        "language": "German",
        "message": "“faehre.txt” seems to be German. The models know only English. "
        "Do not rely on this result.",
    }
