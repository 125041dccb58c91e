"""Lazy imports of a package's public names (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(
    package: str, names: Mapping[str, Sequence[str]], parts: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package with lazy imports.

    Args:
        package: Its `__name__`.
        names: Its public names by the submodule that defines them.
        parts: Public submodules.
    """
    modules = {name: module for module, exported in names.items() for name in exported}

    def get_attribute(name: str) -> Any:
        if name in modules:
            return getattr(import_module(f"{package}.{modules[name]}"), name)
        if name in parts:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules, *parts})

    return get_attribute, list_names
