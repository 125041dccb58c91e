"""`--device`: where encoders and the reader run."""

import os
from typing import Annotated

import typer

from commonground.encoders import check_device


def use_device(device: str | None) -> str | None:
    """Run encoders and the reader on a device, also in worker processes."""
    if device:
        os.environ["COMMONGROUND_DEVICE"] = check_device(device)
    return device


DeviceOption = Annotated[
    str | None,
    typer.Option(
        "--device",
        callback=use_device,
        help="Device to run on: cpu, cuda, or cuda:1 for the second GPU (default: cpu).",
    ),
]
