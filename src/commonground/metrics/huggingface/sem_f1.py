"""SEM-F1 as a metric of Hugging Face `evaluate`.

`evaluate` imports a copy of this file, so its imports are absolute.
"""

from typing import Any

import evaluate

from commonground.metrics import SemF1
from commonground.metrics.huggingface import as_lists, metric_info

_DESCRIPTION = "SEM-F1: sentence-wise precision and recall by similarity of meaning."

_INPUTS = """
Args:
    predictions: The summaries, each a string.
    references: For each summary a list of references, or a single reference.
    encoder: A name that commonground knows ("minilm" by default), or a model folder.
    thresholds: The pair of thresholds for labels, such as "35-65".
    splitter: "layout", or "punkt" as in published scores.

Returns:
    f1, precision, recall: Means over the items.
    f1_of_means: The F1 of mean precision and mean recall.
    labelled: Precision, recall and F1 from the labels P=1, PP=.5, A=0.
    interval: The bootstrap interval of the mean F1.
    items: The F1 of each item.
    signature: All that the numbers depend on.
"""


class SemF1Module(evaluate.Metric):  # type: ignore[misc]
    """`evaluate.load(path).compute(predictions=..., references=...)`."""

    def _info(self) -> Any:
        return metric_info(_DESCRIPTION, _INPUTS, "SEM-F1")

    def _compute(
        self,
        predictions: list[str],
        references: list[Any],
        encoder: str = "minilm",
        thresholds: str = "35-65",
        splitter: str = "layout",
    ) -> dict[str, Any]:
        measure = SemF1(encoder, thresholds=thresholds, splitter=splitter)
        corpus = measure.corpus(predictions, as_lists(references))
        numbers = corpus.to_dict()
        return {**numbers.pop("mean"), **numbers, "items": [item.f1 for item in corpus.items]}
