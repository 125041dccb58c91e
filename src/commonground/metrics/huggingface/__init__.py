"""Modules for Hugging Face `evaluate`: `evaluate.load(module_path("sem_f1"))`."""

from importlib import resources

from commonground.errors import unknown_name

__all__ = ["MODULES", "module_path"]

MODULES = ("rouge", "sem_f1")


def module_path(name: str) -> str:
    """Return the path of a metric module for `evaluate.load`.

    Example:
        >>> module_path("sem_f1").endswith("sem_f1.py")
        True
    """
    if name not in MODULES:
        raise unknown_name("evaluate module", name, MODULES)
    return str(resources.files(__package__).joinpath(f"{name}.py"))
