"""Options that several commands share."""

import functools
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any

import typer

from commonground import encoders
from commonground.errors import InputError
from commonground.io import FORMS
from commonground.settings import setting

ENGINES = ("local", "ray")


def use_device(device: str | None) -> str | None:
    """Run encoders and the reader on a device, also in worker processes."""
    if device:
        os.environ["COMMONGROUND_DEVICE"] = encoders.check_device(device)
    return device


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
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
DeviceOption = Annotated[
    str | None,
    typer.Option(
        "--device",
        callback=use_device,
        help="Device to run on: cpu, cuda, or cuda:1 for the second GPU (default: cpu).",
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace an existing output file.")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop at the first row that fails.")]


@dataclass(frozen=True, slots=True)
class Scale:
    """The options of a resumable run to `--output`; None stands for the default."""

    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"Format of the shards in a folder: {', '.join(FORMS)} (default: jsonl).",
        ),
    ] = None
    engine: Annotated[
        str | None, typer.Option(help=f"Engine: {' or '.join(ENGINES)} (default: local).")
    ] = None
    workers: Annotated[
        int | None, typer.Option(help="Worker processes (default: number of CPUs).")
    ] = None
    address: Annotated[
        str | None,
        typer.Option(
            help="Address of a running Ray cluster, or auto (default: start a local one)."
        ),
    ] = None
    shard_rows: Annotated[
        int | None, typer.Option(help="Input rows per shard (default: a few seconds of work).")
    ] = None
    resume: ResumeOption = False
    overwrite: OverwriteOption = False
    strict: StrictOption = False

    def check_unused(self, needed: str) -> None:
        """Raise InputError for any of these options, because `needed` is missing."""
        for field in fields(Scale):
            value = getattr(self, field.name)
            if value is not None and value is not False:
                name = "format" if field.name == "form" else field.name.replace("_", "-")
                raise InputError(f"--{name} requires {needed}")


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
