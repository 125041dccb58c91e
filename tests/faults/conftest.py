"""Processes with a library loaded before libc that lets writes fail or the clock jump."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def with_faults(tmp_path):
    """Run a script of this folder with a library that brings faults; what it wrote."""

    def run(script, library):
        compiler = shutil.which("cc") or shutil.which("gcc")
        if sys.platform != "linux" or compiler is None:
            pytest.skip("needs Linux and a C compiler")
        shim, folder = tmp_path / "shim.so", tmp_path / "faulty"
        call = [compiler, "-shared", "-fPIC", "-O1", "-o", shim, HERE / library, "-ldl"]
        subprocess.run(call, check=True)
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
