"""`--device`: where encoders and the reader run."""

import os
from typing import Annotated

import typer

from commonground.encoders import check_device


def use_device(device: str | None) -> str | None:
    """Run the encoders and the reader of this process on a device."""
    if device:
        # A setting, so that worker processes have it too.
        os.environ["COMMONGROUND_DEVICE"] = check_device(device)
    return device


DeviceOption = Annotated[
    str | None,
    typer.Option("--device", callback=use_device, help="cpu, cuda, cuda:1 (default: cpu)."),
]
