"""What the modules share: the form of their inputs."""

from typing import Any

import datasets
import evaluate


def metric_info(description: str, inputs: str) -> Any:
    """The card of a metric whose references are a list, or one string, an item."""
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
    """References as every measure takes them: a list for each item."""
    return [[each] if isinstance(each, str) else list(each) for each in references]
