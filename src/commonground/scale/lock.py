"""A lock on a folder, so that no two runs write to it; the system lets go of a dead owner's."""

import contextlib
import os
import sys
from pathlib import Path

_FILE = "lock"


class Lock:
    """An exclusive lock, held as a lock on a file in a folder.

    Args:
        folder: Made when the lock is taken, if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._file: int | None = None

    def take(self) -> bool:
        """Whether the lock is ours now; never waits."""
        while self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except FileNotFoundError:  # another run has just removed the folder
                continue
            if not _locked(file):
                os.close(file)
                return False
            if _is_at(file, self._path):
                self._file = file
            else:  # removed by the owner before; nobody else would meet us there
                os.close(file)
        return True

    def taken_elsewhere(self) -> bool:
        """Whether another run has it."""
        if self._file is not None or not self._path.exists():
            return False
        if self.take():
            self.release()
            return False
        return True

    def release(self) -> None:
        """Let go, and leave no file."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if os.name == "nt":  # where no open file can be removed
            os.close(file)
            with contextlib.suppress(OSError):
                self._path.unlink()
            return
        if _is_at(file, self._path):
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _locked(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks: better a run than none
            return True
        return True
