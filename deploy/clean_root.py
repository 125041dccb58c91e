"""Run the steps of the Dockerfile in a clean Debian, where Docker itself cannot run.

    python deploy/clean_root.py FOLDER

needs root, debootstrap, unshare, and the group `release` of pyproject.toml. Each stage starts from
a Debian with Python, as the image that it names does. Then the image's command is started as its
user, its health check is run, a backup is made, and two texts are compared without any network.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from dockerfile_parse import DockerfileParser

PROJECT = Path(__file__).resolve().parents[1]
PORT = "18765"
# A network's own certificates and proxies, where it has some.
PASSED_ON = ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy", "no_proxy")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


@dataclass
class Stage:
    """A stage of the image: its root folder, and what holds for the steps that follow."""

    root: Path
    folder: str = "/"
    user: str = "0"
    variables: dict[str, str] = field(default_factory=dict)
    settings: dict[str, list[str]] = field(default_factory=dict)

    def command(self, *words: str, network: bool = True) -> list[str]:
        """Return the command that runs words in this root, with a /proc and /dev of its own."""
        root = shlex.quote(str(self.root))
        inside = f"cd {shlex.quote(self.folder)} && exec {shlex.join(words)}"
        chroot = [
            "chroot",
            f"--userspec={self.user}:{self.user}",
            str(self.root),
            "sh",
            "-c",
            inside,
        ]
        mounts = f"mount -t proc proc {root}/proc && mount --bind /dev {root}/dev"
        spaces = ["--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"])]
        return ["unshare", *spaces, "sh", "-c", f"{mounts} && exec {shlex.join(chroot)}"]

    def environment(self) -> dict[str, str]:
        """Return the variables of a step."""
        given = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        base = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp"}
        return {**base, "PIP_CERT": str(CERTIFICATES), **given, **self.variables}

    def run(self, *words: str, network: bool = True) -> str:
        """Run words; what they print."""
        done = subprocess.run(
            self.command(*words, network=network),
            env=self.environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            sys.exit(f"failed: {shlex.join(words)[:200]}")
        return done.stdout


class Builder:
    """Makes the stages of the Dockerfile, one instruction after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.stages = folder, dict[str, Stage]()

    def build(self, dockerfile: Path) -> Stage:
        """Return the last stage."""
        with (self.folder / "parsed").open("w+b") as copy:
            copy.write(dockerfile.read_bytes())
            copy.seek(0)
            steps = DockerfileParser(fileobj=copy).structure
        stage: Stage | None = None
        for step in steps:
            name, value = step["instruction"], step["value"]
            if name == "COMMENT":
                continue
            print(f"{name} {value[:100]}", flush=True)
            if name == "FROM":
                stage = self._from(*value.split(" AS "))
            elif stage is not None:
                getattr(self, f"_{name.lower()}")(stage, value)
        assert stage is not None
        return stage

    def _from(self, image: str, name: str = "last") -> Stage:
        assert image == "python:3.11-slim-bookworm", "the base below stands for this image"
        base, root = self.folder / "base", self.folder / name
        if not base.exists():
            packages = "--include=python3,python3-venv,ca-certificates"
            source = ("bookworm", str(base), "http://deb.debian.org/debian")
            made = ["debootstrap", "--variant=minbase", packages, *source]
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
            (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")
            for file in (CERTIFICATES, Path("/etc/resolv.conf"), Path("/etc/hosts")):
                shutil.copy(file, base / file.relative_to("/"))
        subprocess.run(["cp", "--archive", base, root], check=True)
        self.stages[name] = Stage(root)
        return self.stages[name]

    def _run(self, stage: Stage, value: str) -> None:
        stage.run("sh", "-c", value)

    def _copy(self, stage: Stage, value: str) -> None:
        *sources, target = value.split()
        origin = PROJECT
        if sources[0].startswith("--from="):
            origin = self.stages[sources.pop(0).removeprefix("--from=")].root
        into = stage.root / target.lstrip("/") if target[0] == "/" else self._here(stage, target)
        for source in sources:
            path = origin / source.lstrip("/")
            inside = into / path.name if target.endswith("/") else into
            subprocess.run(["cp", "--archive", "--no-target-directory", path, inside], check=True)

    def _here(self, stage: Stage, target: str) -> Path:
        return stage.root / stage.folder.lstrip("/") / target

    def _workdir(self, stage: Stage, value: str) -> None:
        stage.folder = value
        (stage.root / value.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _user(self, stage: Stage, value: str) -> None:
        stage.user = value

    def _env(self, stage: Stage, value: str) -> None:
        for word in shlex.split(value):
            name, _, content = word.partition("=")
            stage.variables[name] = content.replace("$PATH", stage.environment()["PATH"])

    def _expose(self, stage: Stage, value: str) -> None:
        stage.settings["EXPOSE"] = value.split()

    def _entrypoint(self, stage: Stage, value: str) -> None:
        stage.settings["ENTRYPOINT"] = json.loads(value)

    def _cmd(self, stage: Stage, value: str) -> None:
        stage.settings["CMD"] = json.loads(value)

    def _healthcheck(self, stage: Stage, value: str) -> None:
        stage.settings["HEALTHCHECK"] = json.loads(value[value.index("[") :])


def end(unshared: "subprocess.Popen[bytes]") -> None:
    """End a command that runs under unshare.

    Unshare passes no signal on, and a change of user undoes --kill-child: its child is ended by id,
    and with it all processes of its name space.
    """
    children = Path(f"/proc/{unshared.pid}/task/{unshared.pid}/children").read_text().split()
    for child in map(int, children):
        os.kill(child, signal.SIGKILL)
    unshared.kill()
    unshared.wait()


def check(stage: Stage) -> None:
    """Start the image's command as its user, and use it."""
    settings = stage.settings
    probe = [word.replace(settings["EXPOSE"][0], PORT) for word in settings["HEALTHCHECK"]]
    stage.variables["COMMONGROUND_PASSWORD"] = "a password of this check"
    serve = [*settings["ENTRYPOINT"], *settings["CMD"], "--port", PORT]
    server = subprocess.Popen(stage.command(*serve), env=stage.environment())
    try:
        ready = [word.replace("healthz", "readyz") for word in probe]
        for _ in range(120):
            done = subprocess.run(stage.command(*ready), env=stage.environment(), stderr=-3)
            if done.returncode == 0 or server.poll() is not None:
                break
            time.sleep(1)
        stage.run(*probe)
        print("the health check passes, and the server is ready")
        stage.run("commonground", "backup", "/backups/check.zip", "--data", stage.folder)
        stage.run("commonground", "restore", "/backups/check.zip", "--check")
        assert stage.run("id", "-u").strip() == stage.user != "0"
        stage.run("sh", "-c", "command -v pg_dump psql && ! touch /opt/commonground/x 2>/dev/null")
    finally:
        end(server)
    texts = "echo The ferry sank on Friday. >/tmp/a; echo On Friday the ferry sank. >/tmp/b"
    said = stage.run("sh", "-c", f"{texts}; commonground overlap /tmp/a /tmp/b", network=False)
    assert "ferry" in said, said
    size = subprocess.run(["du", "-sm", stage.root], capture_output=True, text=True, check=True)
    print(f"two texts are compared without a network; the image has {size.stdout.split()[0]} MB")


def main() -> None:
    """Build in the folder that is named, and check; the `base` of an earlier run is used again."""
    if missing := [name for name in ("debootstrap", "unshare") if not shutil.which(name)]:
        sys.exit(f"install {' and '.join(missing)} first (Debian: debootstrap, util-linux)")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if any(path.name != "base" for path in folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    check(Builder(folder).build(PROJECT / "deploy" / "Dockerfile"))


main()
