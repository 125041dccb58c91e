"""The inputs of both modules."""

from typing import Any

import datasets
import evaluate


def metric_info(description: str, inputs: str) -> Any:
    """Describe a metric; the references of an item are a list or one string."""
    string = datasets.Value("string")
    several = datasets.Features({"predictions": string, "references": datasets.Sequence(string)})
    single = datasets.Features({"predictions": string, "references": string})
    return evaluate.MetricInfo(
        description=description,
        citation="",
        inputs_description=inputs,
        features=[several, single],
    )


def as_lists(references: list[Any]) -> list[list[str]]:
    """Return a list of references for each item."""
    return [[each] if isinstance(each, str) else list(each) for each in references]
