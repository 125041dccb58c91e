"""A PostgreSQL server of the tests' own, on loopback, that can be killed and started again."""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

USER = "annotations"


class PostgresServer:
    """A server in a folder; `url(name)` is that of a new database on it."""

    def __init__(self, folder):
        self.folder = folder
        self.password = secrets.token_urlsafe(12)
        self._binaries = _binaries()
        self._account = _account()
        self._process = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        secret = folder / "password"
        secret.write_text(self.password)
        for path in (folder, secret):
            if self._account:
                os.chown(path, *self._account)
        made = self._run(
            *("initdb", "-D", folder / "data", "-U", USER, "-E", "UTF8", "--locale=C"),
            *("--auth=scram-sha-256", f"--pwfile={secret}"),
        )
        assert made.wait() == 0, (folder / "log").read_text()

    def start(self):
        """Start, or start again after a kill, and wait until it answers."""
        options = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            # After a kill it syncs every file it has, one by one, unless told to do it at once.
            "recovery_init_sync_method": "syncfs",
        }
        settings = [part for item in options.items() for part in ("-c", "{}={}".format(*item))]
        self._process = self._run(
            "postgres", "-D", self.folder / "data", "-p", str(self.port), *settings
        )
        while True:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self._address("postgres")).close()
                return
            time.sleep(0.1)

    def kill(self):
        """End every process of it with kill -9, as a power cut would."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self):
        """End it in an orderly way."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

    def url(self, password=None):
        """The URL of a new, empty database."""
        name = f"d{secrets.token_hex(6)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._address(name, password)

    def _address(self, name, password=None):
        return f"postgresql://{USER}:{password or self.password}@127.0.0.1:{self.port}/{name}"

    def _run(self, program, *arguments):
        user, group = self._account or (None, None)
        with (self.folder / "log").open("a") as log:
            return subprocess.Popen(
                [self._binaries / program, *map(str, arguments)],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=user,
                group=group,
                start_new_session=True,
            )


@contextlib.contextmanager
def postgres_server():
    """A running server; its folder is gone afterwards."""
    # Not in pytest's folder, which nobody but its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="commonground-postgres-"))
    folder.chmod(0o755)
    try:
        server = PostgresServer(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _account():
    """PostgreSQL refuses to run as root: another user and group then, else None."""
    if os.geteuid() != 0:
        return None
    known = {one.pw_name: one for one in pwd.getpwall()}
    other = known.get("postgres") or known["nobody"]
    return other.pw_uid, other.pw_gid


def _binaries():
    """Where the programs are: on the path, or where Debian keeps them."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name))
