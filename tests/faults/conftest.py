"""A process in which the n-th write fails, as on a disk that is broken or full."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def shim(tmp_path_factory):
    """The library that makes writes fail."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("shim") / "writes.so"
    call = [compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "writes.c", "-ldl"]
    subprocess.run(call, check=True)
    return library


@pytest.fixture
def with_faults(shim, tmp_path):
    """Run a script of this folder in such a process; what it wrote."""

    def run(script):
        folder = tmp_path / "faulty"
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, HERE / script, folder],
            env={
                **os.environ,
                "FAULTS_BELOW": str(folder),
                "LD_PRELOAD": str(shim),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
        return done

    return run
