"""The lock of a run's folder, also where its file comes and goes."""

import os
import shutil
import signal

import pytest

from commonground.scale.lock import Lock


def test_one_at_a_time(tmp_path):
    ours, theirs = Lock(tmp_path / "run"), Lock(tmp_path / "run")
    assert not ours.taken_elsewhere()
    assert ours.take() and ours.take()
    assert not theirs.take()
    assert theirs.taken_elsewhere() and not ours.taken_elsewhere()
    ours.release()
    ours.release()
    assert list((tmp_path / "run").iterdir()) == []
    assert theirs.take()
    theirs.release()


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_folder_that_was_removed_is_locked_anew(tmp_path):
    folder = tmp_path / "run"
    before, after = Lock(folder), Lock(folder)
    assert before.take()
    shutil.rmtree(folder)
    assert after.take()
    before.release()  # which must leave the new file alone
    assert Lock(folder).taken_elsewhere()
    after.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_dead_owner_blocks_nobody(tmp_path):
    pid = os.fork()
    if pid == 0:
        Lock(tmp_path).take()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert (tmp_path / "lock").exists()
    ours = Lock(tmp_path)
    assert ours.take()
    ours.release()
