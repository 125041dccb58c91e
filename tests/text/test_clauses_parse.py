"""The parser behind clauses: one document a sentence, remembered, with names on demand."""

import subprocess
import sys
from collections import OrderedDict

import pytest

from commonground import models
from commonground.errors import ModelError
from commonground.text import LONGEST_PARSED, PARSER, forget, parse, parsing, places
from commonground.text.parsing import readable


def test_the_signature_names_the_pinned_package():
    carrier = models.manifest()["parser"].carrier
    assert f"{carrier.package.replace('-', '_')}-{carrier.version}" == PARSER


def test_a_document_is_one_sentence():
    for doc in parse(["It rained. We left! Why?", "one\n\ntwo", "“Go.” He went."]):
        assert len(list(doc.sents)) == 1


def test_a_sentence_is_parsed_once():
    first, again, other = parse(["It rained.", "It  rained.\n", "We left."])
    assert first is again is parse(["It rained."])[0]
    assert other is not first


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(parsing, "_REMEMBERED", 2)
    monkeypatch.setattr(parsing, "_cached", OrderedDict())
    one, two, three = parse(["One.", "Two.", "Three."])
    assert parse(["Two.", "Three."]) == [two, three]
    assert parse(["One."])[0] is not one


def test_entities_and_lemmas_come_on_demand():
    sentence = "Angela Merkel visited Paris in 2015."
    (doc,) = parse([sentence])
    (named,) = parse([sentence], entities=True)
    assert named is doc
    assert [(ent.text, ent.label_) for ent in named.ents] == [
        ("Angela Merkel", "PERSON"),
        ("Paris", "GPE"),
        ("2015", "DATE"),
    ]
    assert named[2].lemma_ == "visit"


def test_places_lead_back_to_the_sentence():
    sentence = "\u200bIt  rained\non\xa0me. "
    assert readable(sentence) == "It rained on me."
    assert [sentence[place] for place in places(sentence)] == list("It rained\non\xa0me.")


def test_what_was_parsed_can_be_forgotten():
    first = parse(["The ferry left at noon."])[0]
    assert parse(["The ferry left at noon."])[0] is first
    forget()
    again = parse(["The ferry left at noon."])[0]
    assert again is not first
    assert [token.dep_ for token in again] == [token.dep_ for token in first]


def test_what_the_parser_cannot_read_is_replaced():
    assert readable("a\ud800b") == "a\ufffdb"
    assert readable("see " + "(" * 100) == "see " + "x" * 100
    assert len(readable("a " * 10_000)) == LONGEST_PARSED - 1
    (doc,) = parse(["\ud800 " + "(" * 1000])
    assert len(doc) == 2


def test_nothing_is_loaded_before_it_is_needed():
    code = "import sys, commonground.text; print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_missing_parser_is_one_line(monkeypatch):
    def missing(name):
        raise ModelError(f"model {name!r} is not here")

    monkeypatch.setattr(models, "locate", missing)
    with pytest.raises(ModelError, match="'parser' is not here"):
        parsing._model.__wrapped__()  # the model itself may be loaded already
