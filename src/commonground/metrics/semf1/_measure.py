"""The SEM-F1 measure: texts to sentences, sentences to vectors, vectors to scores."""

from collections.abc import Iterable, Sequence
from itertools import islice
from math import fsum

import numpy as np

from commonground._score import PRF, Signature, count_range
from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.encoders import Encoder, load
from commonground.errors import unknown_name
from commonground.metrics._bootstrap import RESAMPLES, SEED, bootstrap_interval
from commonground.metrics._texts import (
    CheckedPair,
    CheckedText,
    Corpora,
    Progress,
    Text,
    check_corpora,
    check_references,
    check_text,
)
from commonground.metrics.semf1 import _labels
from commonground.metrics.semf1._item import Item, SentenceVectors, score_item
from commonground.metrics.semf1._labels import Thresholds, thresholds_of
from commonground.metrics.semf1._result import SemF1Corpus, SemF1Score
from commonground.text import SPLITTERS, sentences

_ENCODED_AT_ONCE = 512  # sentences between two calls of `progress`


class SemF1:
    """SEM-F1: how near a summary's sentences are to the references', in both directions.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder.
        thresholds: When a sentence counts as partially present and as present: one of the
            papers' pairs by name ("25-75", "35-65", "45-75", "55-65", "55-75", "55-80", "60-80")
            or two similarities. It affects the labels and the scores from them alone.
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
        encoder: str | Encoder = DEFAULT_ENCODER,
        *,
        thresholds: str | tuple[float, float] | Thresholds = _labels.DEFAULT,
        splitter: str = "layout",
    ) -> None:
        if splitter not in SPLITTERS:
            raise unknown_name("splitter", splitter, SPLITTERS)
        self.splitter = splitter
        self.thresholds = thresholds_of(thresholds)
        self.encoder = load(encoder) if isinstance(encoder, str) else encoder

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
        (interval,) = bootstrap_interval(np.array([item.f1 for item in items]))
        return SemF1Corpus(
            items=tuple(items),
            mean=mean,
            f1_of_means=PRF.of(mean.precision, mean.recall).f1,
            labelled=_mean_of(item.labelled for item in items),
            interval=interval,
            signature=self._signature(pairs, agg="mean-f1", boot=str(RESAMPLES), seed=str(SEED)),
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
        unique = list(dict.fromkeys(s for item in items for s in item.sentences()))
        unique.sort(key=len)
        if not unique:
            return SentenceVectors({}, np.zeros((0, 0), dtype=np.float32))
        parts = []
        waiting = iter(unique)
        done = 0
        while some := list(islice(waiting, _ENCODED_AT_ONCE)):
            parts.append(self.encoder.encode(some))
            done += len(some)
            if progress:
                progress(done, len(unique))
        rows = {sentence: row for row, sentence in enumerate(unique)}
        return SentenceVectors(rows, np.concatenate(parts))

    def _split_used(self, texts: Iterable[CheckedText]) -> str:
        """What made the sentences: our splitter, the caller, or now one and now the other."""
        ours = SPLITTERS[self.splitter]
        kinds = {ours if isinstance(text, str) else "given" for text in texts}
        return "/".join(sorted(kinds, reverse=True))

    def _signature(self, pairs: Sequence[CheckedPair], **more: str) -> Signature:
        texts = [text for prediction, references in pairs for text in (prediction, *references)]
        return Signature.of(
            "SEM-F1",
            enc=f"{self.encoder.name}@{self.encoder.fingerprint[:8]}",
            split=self._split_used(texts),
            labels=str(self.thresholds),
            refs=count_range({len(references) for _, references in pairs}),
            **more,
        )


def _mean_of(scores: Iterable[PRF]) -> PRF:
    precision, recall, f1 = (fsum(column) / len(column) for column in zip(*scores, strict=True))
    return PRF(precision, recall, f1)
