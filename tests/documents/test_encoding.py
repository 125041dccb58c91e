"""Texts in the encodings that people have."""

import codecs

import pytest

from commonground.documents import extract
from commonground.documents.encoding import decode
from commonground.errors import InputError

ENGLISH = "The ferry — “Norna” — ran aground on Saturday, said the owner of the café."
ACCENTS = (
    "Señor Núñez paid £20 million for the château of Béziers, and the mayor of Orléans was naïve "
    "enough to lend him £3 million of it — “à fonds perdu”, as André Lefèvre said in the café."
)
GERMAN = (
    "Die Fähre lief am Samstag früh vor der Küste auf Grund, und alle Fahrgäste wurden von Booten "
    "an Land gebracht."
)
POLISH = (
    "W sobotę rano prom osiadł na mieliźnie u wybrzeża, a wszystkich pasażerów przewieziono na ląd "
    "łodziami ratunkowymi. Nikt nie został ranny, choć morze było wzburzone."
)
CZECH = (
    "V sobotu ráno trajekt najel na mělčinu u pobřeží a všichni cestující byli převezeni na břeh "
    "záchrannými čluny. Nikdo nebyl zraněn, přestože moře bylo rozbouřené."
)
RUSSIAN = "В субботу утром паром сел на мель у берега, и всех пассажиров доставили на сушу."
JAPANESE = (
    "土曜日の朝、フェリーが海岸沖で座礁し、乗客全員が救命ボートで岸に運ばれた。けが人はいなかった。"
)
GREEK = "Το πλοίο προσάραξε το Σάββατο το πρωί κοντά στην ακτή και όλοι μεταφέρθηκαν στη στεριά."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (ENGLISH, "utf-8"),
        (ENGLISH, "utf-8-sig"),
        (ENGLISH, "utf-16"),
        (ENGLISH, "utf-32"),
        (ENGLISH, "cp1252"),
        (ACCENTS, "cp1252"),
        (GERMAN, "cp1252"),
        (GERMAN, "iso8859_15"),
        (POLISH, "iso8859_2"),
        (POLISH, "cp1250"),
        (CZECH, "iso8859_2"),
        (CZECH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (GREEK, "cp1253"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
    ],
)
def test_each_encoding_is_recognised(text, encoding):
    assert extract(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(encoding):
    assert decode(GERMAN.encode(encoding)) == GERMAN


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE])
def test_damaged_utf_16_is_read_as_far_as_possible(mark):
    assert decode(mark + b"\xd8\x00\xd8") != ""


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="iso-8859-2">',
        "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'>",
    ],
)
def test_a_page_declares_its_charset(declaration):
    page = f"<html><head>{declaration}</head><body><p>Žluťoučký kůň.</p>"
    assert extract(page.encode("iso8859_2")).text == "Žluťoučký kůň."


def test_a_japanese_page():
    page = f"<!DOCTYPE html><html><head><meta charset=shift_jis></head><body><p>{JAPANESE}</p>"
    assert extract(page.encode("cp932")).text == JAPANESE


def test_valid_utf_8_counts_more_than_what_the_page_declares():
    page = "<html><meta charset=iso-8859-1><body><p>Fähre</p>"
    assert extract(page.encode("utf-8")).text == "Fähre"


@pytest.mark.parametrize("declared", ["latin-1", "us-ascii", "no-such-charset", "utf-7", "hex", ""])
def test_old_names_mean_windows_and_unknown_ones_nothing(declared):
    assert decode(ENGLISH.encode("cp1252"), declared) == ENGLISH


@pytest.mark.parametrize("content", [b"rain\0fell", b"\0\0\0\0", b"MZ\0\x01\0\0\0\xff\xff"])
def test_what_is_not_text(content):
    with pytest.raises(InputError, match="is not a text, HTML, PDF or DOCX file"):
        decode(content)
