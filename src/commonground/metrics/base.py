"""The base class `Metric`: what the command line, studies and large runs know about a metric."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar, overload

from commonground.errors import InputError
from commonground.frames import to_frame
from commonground.metrics.texts import CheckedPair, Corpora, Text, check_corpus
from commonground.plain import Plain
from commonground.score import Citable, Interval, Progress, Signature, count_range

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

PARTS = ("precision", "recall", "f1")


def column_value(score: Any, column: str) -> float:
    """Return one number of a score or of its `to_dict`; dots join the names of nested numbers.

    Example:
        >>> column_value({"rouge1": {"f1": 0.5}}, "rouge1.f1")
        0.5
    """
    for name in column.split("."):
        score = score[name] if hasattr(score, "__getitem__") else getattr(score, name)
    return float(score)


@dataclass(frozen=True, slots=True)
class Score(Citable):
    """The score of one summary: a number for each column. Custom metrics may return it."""

    values: Mapping[str, float]
    signature: Signature

    def __getitem__(self, column: str) -> float:
        return self.values[column]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {**self.values, "signature": str(self.signature)}


class CorpusBase(Plain, Citable, ABC):
    """The scores of a corpus: `items`, their `mean`, its `interval`, and the `signature`."""

    __slots__ = ()
    hidden = ("items", "signature")
    items: tuple[Any, ...]
    signature: Signature

    @property
    @abstractmethod
    def columns(self) -> Sequence[str]:
        """The numbers of an item, by the names that `column_value` takes."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded, with the number of items only."""
        numbers = super().to_dict()
        return {**numbers, "items": len(self.items), "signature": str(self.signature)}

    @overload
    def to_dataframe(
        self, ids: Sequence[str] | None = None, library: Literal["pandas"] = "pandas"
    ) -> "pd.DataFrame": ...

    @overload
    def to_dataframe(
        self, ids: Sequence[str] | None = None, *, library: Literal["polars"]
    ) -> "pl.DataFrame": ...

    def to_dataframe(self, ids: Sequence[str] | None = None, library: str = "pandas") -> Any:
        """Return a row for each item, by `ids`, and a column for each number, such as `rouge1.f1`.

        With polars, `ids` become the column `id`.

        Raises:
            InputError: There are not as many `ids` as items.
            MissingExtraError: The library, `pandas` or `polars`, is not installed.
        """
        if ids is not None and len(ids) != len(self.items):
            raise InputError(f"{len(ids)} ids do not fit {len(self.items)} items")
        rows = [{name: column_value(item, name) for name in self.columns} for item in self.items]
        return to_frame(rows, library, list(ids) if ids is not None else None)


@dataclass(frozen=True, slots=True)
class Corpus(CorpusBase):
    """The scores of a corpus, with a mean and an interval for each column."""

    items: tuple[Score, ...]
    mean: Mapping[str, float]
    interval: Mapping[str, Interval]
    signature: Signature

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        return tuple(self.mean)


class ItemScore(Protocol):
    """The score of one summary, as a metric may define it."""

    @property
    def signature(self) -> Signature:
        """All that the numbers depend on."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""


ScoreT = TypeVar("ScoreT", bound=ItemScore)
CorpusT = TypeVar("CorpusT", bound=CorpusBase)


class Metric(ABC, Generic[ScoreT, CorpusT]):
    """A metric of summaries. A subclass needs `name`, `columns` and `score`.

    `score` returns a `Score`, or any object with a `signature`, with `to_dict`, and with every
    column as an item or attribute; a metric with its own result classes also overrides `combine`.

    Attributes:
        name: How the registry and the command line call the metric.
        higher_is_better: Whether the better of two systems has the higher score.
        has_baselines: Whether `baselines` returns any.
        corpus_settings: What the numbers of a corpus depend on, besides those of its items.
        study_options: The options that benchmark runs and studies set.
    """

    __slots__ = ()
    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    has_baselines: ClassVar[bool] = False
    corpus_settings: ClassVar[Mapping[str, str]] = {}
    study_options: ClassVar[Mapping[str, Any]] = {}

    @property
    @abstractmethod
    def columns(self) -> Sequence[str]:
        """The numbers of a score, by the names that `column_value` takes."""

    @property
    def main_columns(self) -> Mapping[str, str]:
        """The columns that tables and studies show, with an interval, by the name used there."""
        if len(self.columns) == 1:
            return {self.name: self.columns[0]}
        return {f"{self.name}.{column}": column for column in self.columns}

    @property
    def settings(self) -> Mapping[str, str]:
        """What the numbers depend on besides the texts, for the signature."""
        return {}

    @abstractmethod
    def score(self, prediction: Text, references: Sequence[Text]) -> ScoreT:
        """Score one summary against its references, each a `str` or a list of sentences."""

    def corpus(
        self,
        predictions: Sequence[Text],
        references: Sequence[Sequence[Text]],
        *,
        progress: Progress | None = None,
    ) -> CorpusT:
        """Score many summaries, each against its own references, with means and intervals.

        Raises:
            InputError: There are no items, not as many predictions as lists of references, or
                an item that `score` would refuse; the message names its index.
        """
        return self.corpora({"": (predictions, references)}, progress=progress)[""]

    def each(
        self, predictions: Sequence[Text], references: Sequence[Sequence[Text]]
    ) -> list[ScoreT]:
        """Return the items of `corpus` without means and intervals."""
        return self.score_all({"": check_corpus(predictions, references)}, None)[""]

    def corpora(self, corpora: Corpora, *, progress: Progress | None = None) -> dict[str, CorpusT]:
        """Score several systems at once; work on texts that they share is done once."""
        pairs = {system: check_corpus(*corpus) for system, corpus in corpora.items()}
        scores = self.score_all(pairs, progress)
        return {system: self._corpus(scores[system]) for system in pairs}

    def score_all(
        self, pairs: Mapping[str, Sequence[CheckedPair]], progress: Progress | None
    ) -> dict[str, list[ScoreT]]:
        """Score the checked pairs of every system; override it to share work between items."""
        every = [(system, pair) for system, items in pairs.items() for pair in items]
        scores: dict[str, list[ScoreT]] = {system: [] for system in pairs}
        for done, (system, (prediction, references)) in enumerate(every, start=1):
            scores[system].append(self.score(prediction, references))
            if progress:
                progress(done, len(every))
        return scores

    def signature(self, prediction: Text, references: Sequence[Text]) -> Signature:
        """Return all that the score of a prediction depends on besides the texts."""
        return Signature.of(self.name.upper(), **self.settings, refs=str(len(references)))

    def corpus_signature(self, signatures: Iterable[Signature], items: int) -> Signature:
        """Return the signature of a corpus from those of its items, in any order.

        A field that differs between items becomes a range of numbers, or all values.
        """
        from commonground.metrics.intervals import interval_fields  # it imports NumPy: slow

        unique = list(dict.fromkeys(signatures))
        values: dict[str, set[str]] = {}
        for signature in unique:
            for key, value in signature.fields:
                values.setdefault(key, set()).add(value)
        version = values.pop("v")
        fields = {key: _merged(options) for key, options in values.items()}
        fields |= {**self.corpus_settings, **interval_fields(items), "v": _merged(version)}
        return Signature(unique[0].measure, tuple(fields.items()))

    def combine(
        self,
        items: tuple[ScoreT, ...],
        mean: Mapping[str, float],
        interval: Mapping[str, Interval],
        signature: Signature,
    ) -> CorpusT:
        """Return the result of a corpus from means by column and intervals by main column.

        `items` is empty in runs larger than memory.
        """
        return Corpus(items, mean, interval, signature)  # type: ignore[arg-type, return-value]

    def baselines(
        self,
        predictions: Sequence[Text],
        references: Sequence[Sequence[Text]],
        *,
        draws: int,
        seed: int = 0,
    ) -> Sequence[Any]:
        """Return the scores that the metric gives by chance, as results with a `signature`."""
        return ()

    @classmethod
    def cells(cls, corpus: Mapping[str, Any]) -> dict[str, str]:
        """Return the cells of a printed table by heading, from the `to_dict` of a corpus."""
        return {name: f"{value:.3f}" for name, value in corpus["mean"].items()}

    def _corpus(self, scores: Sequence[ScoreT]) -> CorpusT:
        import numpy as np  # slow to import, and the score of one summary does not need it

        from commonground.metrics.intervals import mean_intervals

        table = {name: [column_value(score, name) for score in scores] for name in self.columns}
        main = list(self.main_columns.values())
        intervals = mean_intervals(np.array([table[name] for name in main]).T)
        return self.combine(
            tuple(scores),
            {name: fsum(values) / len(values) for name, values in table.items()},
            dict(zip(main, intervals, strict=True)),
            self.corpus_signature((score.signature for score in scores), len(scores)),
        )


def _merged(values: set[str]) -> str:
    if len(values) == 1:
        return min(values)
    if all(map(str.isdecimal, values)):
        return count_range(set(map(int, values)))
    return "/".join(sorted({part for value in values for part in value.split("/")}, reverse=True))
