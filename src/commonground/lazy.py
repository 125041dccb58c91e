"""Lazy imports of a package's public names (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(
    package: str,
    names: Mapping[str, Sequence[str]],
    parts: Sequence[str] = (),
    renamed: Mapping[str, tuple[str, str]] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package with lazy imports.

    `dir` lists the public names only: those of `__all__`, the public submodules and the special
    names, so that completion and `help` show no helpers.

    Args:
        package: Its `__name__`.
        names: Its public names by the submodule that defines them.
        parts: Public submodules.
        renamed: Names that differ from those in the submodule: (submodule, name there).
    """
    origin = {name: (module, name) for module, exported in names.items() for name in exported}
    origin |= renamed or {}

    def get_attribute(name: str) -> Any:
        if name in origin:
            module, original = origin[name]
            return getattr(import_module(f"{package}.{module}"), original)
        if name in parts:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        here = vars(sys.modules[package])
        special = {name for name in here if name.startswith("__") and name.endswith("__")}
        return sorted({*special, *here.get("__all__", ()), *origin, *parts})

    return get_attribute, list_names
