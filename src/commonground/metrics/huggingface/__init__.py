"""Modules for Hugging Face `evaluate`: `evaluate.load(module_path("sem_f1"))`."""

from importlib import resources
from typing import Any

from commonground.citation import bibtex
from commonground.errors import check_known

__all__ = ["MODULES", "module_path"]

MODULES = ("rouge", "sem_f1")


def module_path(name: str) -> str:
    """Return the path of a metric module for `evaluate.load`.

    Example:
        >>> module_path("sem_f1").endswith("sem_f1.py")
        True
    """
    check_known("evaluate module", MODULES, name)
    return str(resources.files(__package__).joinpath(f"{name}.py"))


def metric_info(description: str, inputs: str, measure: str) -> Any:
    """Describe a metric; the references of an item are a list or one string.

    `measure` begins its signatures.
    """
    import datasets
    import evaluate

    string = datasets.Value("string")
    references = (datasets.Sequence(string), string)
    return evaluate.MetricInfo(
        description=description,
        citation=bibtex(measure),
        inputs_description=inputs,
        features=[datasets.Features({"predictions": string, "references": r}) for r in references],
    )


def as_lists(references: list[Any]) -> list[list[str]]:
    """Return a list of references for each item."""
    return [[each] if isinstance(each, str) else list(each) for each in references]
