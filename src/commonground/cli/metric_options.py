"""`--option METRIC.NAME=VALUE`: options of single metrics, for every command that scores."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from commonground.errors import InputError, check_known
from commonground.metrics import Metric, registry

MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        help="Option of one metric as METRIC.NAME=VALUE, such as pyramid.method=wmin or "
        "bert-score.model=FOLDER. Repeatable.",
    ),
]


def parse_options(texts: Sequence[str] | None, chosen: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the options by metric; a value is JSON, or else a string.

    Raises:
        InputError: The form is wrong, the metric is not chosen, or it has no such option.
    """
    options: dict[str, dict[str, Any]] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        metric, dot, name = key.partition(".")
        if not equals or not dot:
            raise InputError(f"--option must be METRIC.NAME=VALUE, not {text!r}")
        if metric not in chosen:
            check_known("metric", registry.names(), metric)
            raise InputError(f"--option {key}: add --metric {metric}")
        check_known(f"option of {metric}", registry.options(metric), name)
        options.setdefault(metric, {})[name] = _value(value)
    return options


def create_metric(
    name: str, settings: Mapping[str, Any], options: Mapping[str, Mapping[str, Any]]
) -> Metric[Any, Any]:
    """Create a metric for a study; an error names the metric."""
    try:
        return registry.create_for_study(name, settings, options.get(name, {}))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
