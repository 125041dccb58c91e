"""Options that several commands share."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Annotated, Any

import typer

from commonground import encoders
from commonground.settings import setting

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        help=f"Encoder: {', '.join(encoders.NAMES)}, or a model folder "
        f"(default: {encoders.DEFAULT}).",
    ),
]
TokenEncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        help=f"Encoder with token vectors, by name or model folder (default: {encoders.DEFAULT}).",
    ),
]


def encoder_name(name: str | None) -> str:
    """Return the encoder to use: the option, the setting, or the default."""
    return name or setting("encoder") or encoders.DEFAULT


def takes(options: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the fields of a dataclass to a command's options.

    The command receives an instance of the dataclass as its first argument. The fields of a
    subclass come before those of its base.
    """
    names = [
        name for base in options.__mro__ if is_dataclass(base) for name in base.__annotations__
    ]
    shared = [inspect.signature(options).parameters[name] for name in names]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**values: Any) -> None:
            instance = options(**{name: values.pop(name) for name in names})
            command(instance, **values)

        _, *own = inspect.signature(command).parameters.values()
        run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
        return run

    return decorate


PercentileOption = Annotated[
    float, typer.Option(help="Percentile of the similarities from which clauses are joined.")
]
AlphaOption = Annotated[
    float | None,
    typer.Option(help="Scale of edua-g's capacities beyond the number of segments (default: 10)."),
]
BetaOption = Annotated[
    float | None,
    typer.Option(help="How fast edua-g's capacities fall with the weight (default: 2.5)."),
]
