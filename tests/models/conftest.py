"""A small world: a manifest of invented models, an empty cache, and wheels made on the spot."""

import hashlib
import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from commonground.models import catalogue

WEIGHTS = bytes(range(256)) * 40
TOKENS = b'{"the": 0, "ground": 1}\n'
MEMBERS = {
    "weights.bin": "tiny_carrier/data/weights.bin",
    "tokens.json": "tiny_carrier/tokens.json",
}
CONTENT = {"weights.bin": WEIGHTS, "tokens.json": TOKENS}


def _entry(name: str) -> dict[str, object]:
    content = CONTENT[name]
    return {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def _manifest_text() -> str:
    carrier = {"package": "tiny-carrier", "version": "1.0", "members": MEMBERS}
    facts = {"what": "an invented model", "licence": "MIT"}
    files = [_entry("weights.bin"), _entry("tokens.json")]
    hub = {"repo": "example/tiny", "files": {name: name for name in CONTENT}}
    return json.dumps(
        {
            "tiny": {**facts, "files": files, "carrier": carrier, "hub": hub},
            "boxed": {**facts, "files": files, "carrier": carrier, "needs_package": True},
            "extra": {**facts, "files": files, "carrier": carrier, "extra": "encoders"},
            "folder": {**facts, "hub": {"repo": "example/folder"}},
        }
    )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with our cache, the hub's cache and the manifest inside it."""
    import huggingface_hub.constants

    file = tmp_path / "manifest.json"
    file.write_text(_manifest_text(), encoding="utf-8")
    monkeypatch.setattr(catalogue, "MANIFEST_FILE", file)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hf" / "hub"))
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COMMONGROUND_MODELS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def make_wheel(tmp_path: Path) -> Callable[..., Path]:
    """Build the wheel of tiny-carrier, which requires a package that nobody has."""

    def make(
        folder: Path | None = None,
        tag: str = "py3-none-any",
        version: str = "1.0",
        **changes: bytes | None,
    ) -> Path:
        folder = folder or tmp_path / "wheels"
        folder.mkdir(parents=True, exist_ok=True)
        content = {**CONTENT, **{key.replace("_", "."): value for key, value in changes.items()}}
        info = f"tiny_carrier-{version}.dist-info"
        text = {
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: tiny-carrier\n"
            f"Version: {version}\nRequires-Dist: a-package-that-nobody-has>=7\n",
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
            f"{info}/RECORD": "",
            "tiny_carrier/__init__.py": "raise SystemExit('nobody may run this')\n",
        }
        wheel = folder / f"tiny_carrier-{version}-{tag}.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, body in text.items():
                archive.writestr(name, body)
            for name, data in content.items():
                if data is not None:
                    archive.writestr(MEMBERS[name], data)
        return wheel

    return make


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Lay tiny-carrier out as if it were installed; gives the folder of its packages."""

    def lay_out(version: str = "1.0", **changes: bytes | None) -> Path:
        site = tmp_path / f"site-{version}"
        info = site / f"tiny_carrier-{version}.dist-info"
        info.mkdir(parents=True)
        metadata = f"Metadata-Version: 2.1\nName: tiny-carrier\nVersion: {version}\n"
        (info / "METADATA").write_text(metadata, encoding="utf-8")
        content = {**CONTENT, **{key.replace("_", "."): value for key, value in changes.items()}}
        for name, data in content.items():
            if data is not None:
                path = site / MEMBERS[name]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        monkeypatch.syspath_prepend(str(site))
        return site

    return lay_out


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package index on the loopback; gives the folder of tiny-carrier's files in it."""
    root = tmp_path / "index"
    project = root / "simple" / "tiny-carrier"
    project.mkdir(parents=True)
    handler = partial(_Quiet, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        use_index(monkeypatch, f"http://127.0.0.1:{server.server_port}/simple")
        yield project  # its listing, a page of links, is what an index serves
        server.shutdown()
        thread.join()


def use_index(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Let pip know this index and no other."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", address)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def only_index(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return partial(use_index, monkeypatch)


@pytest.fixture
def content() -> dict[str, bytes]:
    return dict(CONTENT)


@pytest.fixture
def hub_cache(world: Path) -> Callable[[str, dict[str, bytes]], Path]:
    """Lay files out in the hub's cache as huggingface_hub does; gives the snapshot's folder."""

    def lay_out(repo: str, files: dict[str, bytes]) -> Path:
        top = world / "hf" / "hub" / f"models--{repo.replace('/', '--')}"
        commit = "0123456789abcdef0123456789abcdef01234567"
        snapshot = top / "snapshots" / commit
        (top / "refs").mkdir(parents=True)
        (top / "refs" / "main").write_text(commit)
        (top / "blobs").mkdir()
        snapshot.mkdir(parents=True)
        for name, data in files.items():
            blob = top / "blobs" / hashlib.sha256(data).hexdigest()
            blob.write_bytes(data)
            (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
            (snapshot / name).symlink_to(blob)
        return snapshot

    return lay_out
