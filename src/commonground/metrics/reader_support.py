"""Support by the reader: do the narratives state what the summary says? No references."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from commonground.encoders import DEFAULT, shown
from commonground.metrics.base import Corpus, Metric, Score
from commonground.metrics.texts import CheckedText, Text, check_references, check_text
from commonground.reader import PreparedText, Reader
from commonground.text import SPLITTERS, sentences

_TEXTS_KEPT = 256


class ReaderSupport(Metric[Score, Corpus]):
    """How far every narrative states the sentences and words of a summary, as the reader judges.

    The columns are means: `stated` of the sentences' probability to be stated by the narrative
    that states them least; `words` of the words' support, likewise; `contradicted` of the
    sentences' probability to be contradicted by any narrative. An empty summary scores 0.

    Args:
        encoder: Finds the nearest sentences in long narratives.

    Example:
        >>> narratives = ["The dam broke at night.", "At night the dam gave way."]
        >>> ReaderSupport().score("At night the dam broke.", narratives)["stated"] > 0.5
        True
    """

    name = "reader-support"
    columns = ("stated", "words", "contradicted")
    against = "narratives"

    def __init__(self, encoder: str = DEFAULT) -> None:
        self._reader = Reader(encoder)

        @lru_cache(maxsize=_TEXTS_KEPT)
        def prepared(text: CheckedText) -> PreparedText:
            return self._reader.prepare(text)

        self._prepared = prepared

    @property
    def settings(self) -> Mapping[str, str]:
        """The reader, the encoder that finds sentences, and the splitter."""
        return {
            "reader": self._reader.shown,
            "enc": shown(self._reader.encoder),
            "split": SPLITTERS["layout"],
        }

    def score(self, summary: Text, narratives: Sequence[Text]) -> Score:
        """Score one summary against the narratives of its event."""
        texts = check_references(narratives, "narratives")
        asked = [text for text in sentences(check_text(summary, "summary")) if text.strip()]
        values = dict.fromkeys(self.columns, 0.0)
        if asked:
            readings = [self._reader.read(asked, self._prepared(text)) for text in texts]
            stated = np.array([[one.stated for one in row] for row in readings])
            against = np.array([[one.contradicted for one in row] for row in readings])
            words = np.array([[w.support for one in row for w in one.words] for row in readings])
            values["stated"] = float(stated.min(axis=0).mean())
            values["contradicted"] = float(against.max(axis=0).mean())
            values["words"] = float(words.min(axis=0).mean()) if words.size else 0.0
        return Score(values, self.signature(summary, narratives))
