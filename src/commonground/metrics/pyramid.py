"""The automated pyramid as a metric: how much of the references' content a summary states."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from commonground.encoders import DEFAULT
from commonground.errors import check_known
from commonground.metrics.base import Corpus, Metric
from commonground.metrics.texts import CheckedReferences, Text, check_references, check_text
from commonground.pyramid import BUILDERS, DEFAULT_BUILDER, METHODS, Pyramid, PyramidScore

_PYRAMIDS_KEPT = 256


class PyramidMetric(Metric[PyramidScore, Corpus]):
    """Build a pyramid from the references of each item, and score the summary by it.

    Items with equal references share a pyramid. The builder is one of
    `commonground.pyramid.BUILDERS`, the method of matching one of `METHODS` there.
    """

    name = "pyramid"
    columns = ("raw", "quality", "coverage", "comprehensive")

    def __init__(
        self, encoder: str = DEFAULT, *, builder: str = DEFAULT_BUILDER, method: str = "soft"
    ) -> None:
        check_known("builder", BUILDERS, builder)
        check_known("method", METHODS, method)
        self.encoder, self.builder, self.method = encoder, builder, method

        @lru_cache(maxsize=_PYRAMIDS_KEPT)
        def scorer(references: CheckedReferences) -> Callable[[Text], PyramidScore]:
            pyramid = Pyramid.build(references, builder=builder, encoder=encoder, ideas=False)
            return pyramid.scorer(method, encoder).score

        self._scorer = scorer

    @property
    def settings(self) -> Mapping[str, str]:
        """The arguments."""
        return {"builder": self.builder, "enc": self.encoder, "method": self.method}

    def score(self, prediction: Text, references: Sequence[Text]) -> PyramidScore:
        """Score one summary; at least one reference must have a sentence."""
        return self._scorer(check_references(references))(check_text(prediction))
