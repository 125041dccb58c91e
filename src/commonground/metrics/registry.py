"""Metrics by name: the built-in ones, and those that installed packages register.

A package registers a metric by an entry point of the group `commonground.metrics`, whose name is
that of the metric and whose object is a subclass of `Metric` (docs/metrics.md).
"""

import inspect
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from commonground.errors import InputError, check_known
from commonground.metrics.base import Metric

GROUP: Final = "commonground.metrics"
BUILT_IN: Final[Mapping[str, str]] = {
    "sem-f1": "commonground.metrics.semf1:SemF1",
    "rouge": "commonground.metrics.rouge:Rouge",
    "support": "commonground.metrics.support:Support",
    "reader-support": "commonground.metrics.reader_support:ReaderSupport",
    "pyramid": "commonground.metrics.pyramid:PyramidMetric",
    "chrf": "commonground.metrics.packages:ChrF",
    "bleu": "commonground.metrics.packages:Bleu",
    "meteor": "commonground.metrics.packages:Meteor",
    "bert-score": "commonground.metrics.bert_score:BertScore",
}
DEFAULT: Final = ("sem-f1", "rouge")


def names() -> tuple[str, ...]:
    """Return the names of all metrics: the built-in ones, then the others in sorted order."""
    return tuple(_entries())


def load(name: str) -> type[Metric[Any, Any]]:
    """Import a metric's class.

    Raises:
        InputError: The name is unknown, or the plug-in cannot be imported or is no metric.
    """
    entries = _entries()
    check_known("metric", entries, name)
    entry = entries[name]
    try:
        metric = entry.load()
    except Exception as error:
        if name in BUILT_IN:
            raise
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise InputError(
            f"metric {name!r} ({_origin(entry)}) cannot be loaded: {reason}"
        ) from error
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise InputError(f"metric {name!r} ({_origin(entry)}) is not a subclass of Metric")
    return metric


def options(name: str) -> Mapping[str, inspect.Parameter]:
    """Return the options that a metric takes, by name."""
    return inspect.signature(load(name)).parameters


def accepted(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a metric takes as options; one set can serve several metrics."""
    known = options(name)
    return {key: value for key, value in settings.items() if key in known}


def owner(column: str, metrics: Iterable[str]) -> str | None:
    """Return the metric that a column is of: the longest name that the column begins with.

    Example:
        >>> owner("rouge1", names()), owner("pyramid.raw", names()), owner("human-f1", names())
        ('rouge', 'pyramid', None)
    """
    return max((name for name in metrics if column.startswith(name)), key=len, default=None)


def labelling() -> str:
    """Return the name of the first metric that labels sentences: it has thresholds."""
    return next(name for name in names() if "thresholds" in options(name))


def create(name: str, **settings: Any) -> Metric[Any, Any]:
    """Create a metric by name.

    Raises:
        InputError: The name or an option is unknown, or the metric refuses an option's value.

    Example:
        >>> create("rouge", types=["rouge1"]).columns
        ('rouge1.precision', 'rouge1.recall', 'rouge1.f1')
    """
    known = options(name)
    check_known(f"option of {name}", known, *settings)
    return load(name)(**settings)


def create_for_study(
    name: str, settings: Mapping[str, Any], options: Mapping[str, Any] | None = None
) -> Metric[Any, Any]:
    """Create a metric with its study options, the settings that it takes, and `options` of its own.

    `options` prevail; one that the metric does not take is an error.
    """
    shared = {**load(name).study_options, **accepted(name, settings)}
    return create(name, **{**shared, **(options or {})})


def _entries() -> dict[str, EntryPoint]:
    """Return all entry points by name; a plug-in cannot replace a built-in metric."""
    plugins = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    built_in = [EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()]
    others = [entry for entry in plugins if entry.name not in BUILT_IN]
    return {entry.name: entry for entry in (*built_in, *others)}


def _origin(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value
