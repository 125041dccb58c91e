"""BERTScore (Zhang et al. 2020) as its authors' package bert-score computes it; `[bert-score]`.

The model is a folder or in the hub's local cache; nothing is fetched. A pair is scored by itself,
so that a score does not depend on the others, and F1, precision and recall are those of the best
reference, each by itself, as in the package.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from commonground import encoders, models
from commonground.errors import InputError, MissingExtraError, ModelError, shortened
from commonground.metrics.base import Corpus, Metric, Score
from commonground.metrics.texts import Text, check_references, check_text, one_line

DEFAULT_MODEL: Final = "FacebookAI/roberta-large"

# The layers that the authors chose on WMT16, by the last part of a model's name.
LAYERS: Final[Mapping[str, int]] = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
}


class BertScore(Metric[Score, Corpus]):
    """BERTScore: each token is matched with the most similar one of the other text.

    Neither weighted by inverse document frequency nor rescaled. An empty text scores 0.

    Args:
        model: The folder of a model with safetensors, or its name in the hub's local cache.
        layer: The layer whose vectors count (default: the authors' choice, for the models in
            `LAYERS`, such as the default).
        device: `cpu` or `cuda`.
    """

    name = "bert-score"
    columns = ("f1", "precision", "recall")

    def __init__(
        self, model: str = DEFAULT_MODEL, layer: int | None = None, device: str = "cpu"
    ) -> None:
        name = Path(model).name
        if layer is None and name not in LAYERS:
            raise InputError(f"bert-score has no default layer for {name!r}; set the option layer")
        if find_spec("bert_score") is None:
            raise MissingExtraError("BERTScore", "bert-score")
        self.layer = LAYERS[name] if layer is None else layer
        located = models.locate_folder(model)
        self._shown = f"{name}@{located.fingerprint[:8]}"
        self._scorer = _scorer(located.folder, self.layer, encoders.check_device(device))

    @property
    def main_columns(self) -> Mapping[str, str]:
        """F1."""
        return {self.name: "f1"}

    @property
    def settings(self) -> Mapping[str, str]:
        """The model and its layer, and the versions of the packages that compute the numbers."""
        return {
            "model": self._shown,
            "layer": str(self.layer),
            "idf": "no",
            "rescale": "no",
            "bert_score": version("bert-score"),
            "transformers": version("transformers"),
        }

    def score(self, prediction: Text, references: Sequence[Text]) -> Score:
        """Score one summary; the best reference counts."""
        targets = [one_line(text) for text in check_references(references)]
        summary = one_line(check_text(prediction))
        found = [self._pair(summary, target) for target in targets]
        best = {column: max(one[column] for one in found) for column in self.columns}
        return Score(best, self.signature(prediction, references))

    def _pair(self, summary: str, reference: str) -> dict[str, float]:
        if not summary or not reference:
            return dict.fromkeys(self.columns, 0.0)
        precision, recall, f1 = (float(part) for part in self._scorer.score([summary], [reference]))
        return {"f1": f1, "precision": precision, "recall": recall}


def _scorer(folder: Path, layer: int, device: str) -> Any:
    try:
        from bert_score import BERTScorer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        return BERTScorer(model_type=str(folder), num_layers=layer, device=device)
    except AssertionError:  # bert-score's own check of the layer
        raise InputError(f"the model {folder.name!r} has no layer {layer}") from None
    except Exception as error:  # the libraries may raise anything
        reason = shortened(str(error)) or type(error).__name__
        raise ModelError(f"the model in {folder} does not load: {reason}") from error
