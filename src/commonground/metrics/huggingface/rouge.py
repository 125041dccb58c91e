"""ROUGE as a metric of Hugging Face `evaluate`.

`evaluate` imports a copy of this file, so its imports are absolute.
"""

from typing import Any

import evaluate

from commonground.metrics import Rouge
from commonground.metrics.huggingface import as_lists, metric_info

_DESCRIPTION = "ROUGE with the numbers of rouge-score, faster, with intervals and a signature."

_INPUTS = """
Args:
    predictions: The summaries, each a string.
    references: For each summary a list of references, or a single reference.
    rouge_types: The types to compute.
    use_stemmer: Whether to compare Porter stems.
    tokenizer: "ascii", or "unicode" for other scripts.
    multi: "best" or "mean" over several references.

Returns:
    For each type its mean F1 over the items, and under "signature" all that they depend on.
"""


class RougeModule(evaluate.Metric):  # type: ignore[misc]
    """`evaluate.load(path).compute(predictions=..., references=...)`."""

    def _info(self) -> Any:
        return metric_info(_DESCRIPTION, _INPUTS, "ROUGE")

    def _compute(
        self,
        predictions: list[str],
        references: list[Any],
        rouge_types: tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        use_stemmer: bool = False,
        tokenizer: str = "ascii",
        multi: str = "best",
    ) -> dict[str, Any]:
        measure = Rouge(
            types=tuple(rouge_types), stemmer=use_stemmer, tokenizer=tokenizer, multi=multi
        )
        corpus = measure.corpus(predictions, as_lists(references))
        return {
            **{kind: prf.f1 for kind, prf in corpus.mean.items()},
            "signature": str(corpus.signature),
        }
