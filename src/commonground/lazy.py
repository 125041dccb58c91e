"""Names of a package that are imported when they are first asked for (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(
    package: str, names: Mapping[str, Sequence[str]], parts: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that imports little by itself.

    Args:
        package: Its `__name__`.
        names: What it exports, by the module below it that has it.
        parts: Modules below it that are there without being imported first.
    """
    where = {name: module for module, exported in names.items() for name in exported}

    def found(name: str) -> Any:
        if name in where:
            return getattr(import_module(f"{package}.{where[name]}"), name)
        if name in parts:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def known() -> list[str]:
        return sorted({*vars(sys.modules[package]), *where, *parts})

    return found, known
