"""The SEM-F1 measure: texts to sentences, sentences to vectors, vectors to scores."""

from collections.abc import Iterable, Sequence
from math import fsum
from pathlib import Path

import numpy as np

from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.encoders import Encoder, load, shown
from commonground.errors import InputError, unknown_name
from commonground.metrics.intervals import interval_fields, mean_intervals
from commonground.metrics.semf1.item import Item, SentenceVectors, score_item
from commonground.metrics.semf1.labels import DEFAULT as DEFAULT_THRESHOLDS
from commonground.metrics.semf1.labels import Thresholds, thresholds_of
from commonground.metrics.semf1.result import SemF1Corpus, SemF1Score
from commonground.metrics.texts import (
    CheckedPair,
    CheckedText,
    Corpora,
    Progress,
    Text,
    check_corpora,
    check_references,
    check_text,
    split_used,
)
from commonground.score import PRF, Signature, count_range
from commonground.text import SPLITTERS, sentences

_ENCODED_AT_ONCE = 512  # sentences between two calls of `progress`


class SemF1:
    """SEM-F1: how near a summary's sentences are to the references', in both directions.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder.
        thresholds: When a sentence counts as partially present and as present: one of the
            papers' pairs ("25-75", "35-65", "45-75", "55-65", "55-75", "55-80", "60-80"), any
            other in that form, or two similarities. It affects the labels and the scores from
            them alone.
        splitter: "layout", for which bullets, headings and paragraphs end sentences, or "punkt",
            which knows punctuation alone, as the splitters behind published scores do.

    Example:
        >>> measure = SemF1()
        >>> score = measure.score("The dam broke.", ["The dam burst.", "The dam gave way."])
        >>> score.sentences[0].label
        'P'
    """

    def __init__(
        self,
        encoder: str | Path | Encoder = DEFAULT_ENCODER,
        *,
        thresholds: str | tuple[float, float] | Thresholds = DEFAULT_THRESHOLDS,
        splitter: str = "layout",
    ) -> None:
        if splitter not in SPLITTERS:
            raise unknown_name("splitter", splitter, SPLITTERS)
        self.splitter = splitter
        self.thresholds = thresholds_of(thresholds)
        self.encoder = load(str(encoder)) if isinstance(encoder, str | Path) else encoder
        if not isinstance(self.encoder, Encoder):
            raise InputError(f"encoder must be a name or an encoder, not {encoder!r}")

    def __repr__(self) -> str:
        return (
            f"SemF1(encoder={self.encoder.name!r}, thresholds={str(self.thresholds)!r}, "
            f"splitter={self.splitter!r})"
        )

    def score(self, prediction: Text, references: Sequence[Text]) -> SemF1Score:
        """Score one summary against its references, each a `str` or a list of sentences."""
        pair = check_text(prediction), check_references(references)
        items = self._as_sentences([pair])
        return self._scores([pair], items, self._encode(items, None))[0]

    def corpus(
        self,
        predictions: Sequence[Text],
        references: Sequence[Sequence[Text]],
        *,
        progress: Progress | None = None,
    ) -> SemF1Corpus:
        """Score many summaries, each against its own references; every sentence is encoded once.

        Args:
            predictions: The summaries.
            references: For each summary the list of its references.
            progress: Called with the number of sentences encoded so far and of all.
        """
        return self.corpora({"": (predictions, references)}, progress=progress)[""]

    def each(
        self, predictions: Sequence[Text], references: Sequence[Sequence[Text]]
    ) -> list[SemF1Score]:
        """The items of `corpus` alone, where means and intervals are worked out elsewhere."""
        pairs = check_corpora({"": (predictions, references)})[""]
        items = self._as_sentences(pairs)
        return self._scores(pairs, items, self._encode(items, None))

    def corpora(
        self, corpora: Corpora, *, progress: Progress | None = None
    ) -> dict[str, SemF1Corpus]:
        """Score several systems at once: what their corpora share is encoded once.

        Args:
            corpora: For each system its predictions and their references, as for `corpus`.
            progress: Called with the number of sentences encoded so far and of all.
        """
        pairs = check_corpora(corpora)
        items = {system: self._as_sentences(some) for system, some in pairs.items()}
        vectors = self._encode([item for some in items.values() for item in some], progress)
        return {
            system: self._corpus(pairs[system], self._scores(pairs[system], some, vectors))
            for system, some in items.items()
        }

    def _corpus(self, pairs: Sequence[CheckedPair], items: Sequence[SemF1Score]) -> SemF1Corpus:
        mean = _mean_of(PRF(item.precision, item.recall, item.f1) for item in items)
        (interval,) = mean_intervals(np.array([item.f1 for item in items]))
        return SemF1Corpus(
            items=tuple(items),
            mean=mean,
            f1_of_means=PRF.of(mean.precision, mean.recall).f1,
            labelled=_mean_of(item.labelled for item in items),
            interval=interval,
            signature=self._signature(pairs, agg="mean-f1", **interval_fields(len(items))),
        )

    def _scores(
        self, pairs: Sequence[CheckedPair], items: Sequence[Item], vectors: SentenceVectors
    ) -> list[SemF1Score]:
        scores = []
        for pair, item in zip(pairs, items, strict=True):
            result = score_item(item, vectors, self.thresholds)
            scores.append(
                SemF1Score(
                    f1=result.cosine.f1,
                    precision=result.cosine.precision,
                    recall=result.cosine.recall,
                    labelled=result.labelled,
                    sentences=result.sentences,
                    references=result.references,
                    signature=self._signature([pair]),
                )
            )
        return scores

    def _as_sentences(self, pairs: Sequence[CheckedPair]) -> list[Item]:
        # The same references come back for every system, so each text is split once.
        known: dict[CheckedText, tuple[str, ...]] = {}

        def split(text: CheckedText) -> tuple[str, ...]:
            if text not in known:
                known[text] = tuple(sentences(text, self.splitter))
            return known[text]

        return [
            Item(split(prediction), tuple(split(reference) for reference in references))
            for prediction, references in pairs
        ]

    def _encode(self, items: Sequence[Item], progress: Progress | None) -> SentenceVectors:
        unique = sorted({s for item in items for s in item.sentences()}, key=lambda s: (len(s), s))
        matrix = np.zeros((len(unique), 0), dtype=np.float32)
        at_once = getattr(self.encoder, "texts_at_once", _ENCODED_AT_ONCE)  # more on a GPU
        for start in range(0, len(unique), at_once):
            some = unique[start : start + at_once]
            vectors = self.encoder.encode(some)
            if start == 0:
                matrix = np.empty((len(unique), vectors.shape[1]), dtype=np.float32)
            matrix[start : start + len(some)] = vectors
            if progress:
                progress(start + len(some), len(unique))
        return SentenceVectors({sentence: row for row, sentence in enumerate(unique)}, matrix)

    def _signature(self, pairs: Sequence[CheckedPair], **more: str) -> Signature:
        return Signature.of(
            "SEM-F1",
            enc=shown(self.encoder),
            split=split_used(pairs, SPLITTERS[self.splitter]),
            labels=str(self.thresholds),
            refs=count_range({len(references) for _, references in pairs}),
            **more,
        )


def _mean_of(scores: Iterable[PRF]) -> PRF:
    precision, recall, f1 = (fsum(column) / len(column) for column in zip(*scores, strict=True))
    return PRF(precision, recall, f1)
