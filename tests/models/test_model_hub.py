import os
import subprocess
import sys
from pathlib import Path

import huggingface_hub
import pytest

from commonground import models
from commonground.errors import InputError, MissingExtraError, ModelError

SNAPSHOT = {
    "modules.json": b"[]",
    "config.json": b"{}",
    "1_Pooling/config.json": b"{}",
    "model.safetensors": b"weights",
}


@pytest.fixture
def hub_extra(tmp_path, monkeypatch):
    """Let it look as if the extra [hub] were installed."""
    package = tmp_path / "extra" / "sentence_transformers"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(package.parent))


@pytest.fixture
def hub(monkeypatch):
    """A hub without a network: what it serves, and what it was asked for."""
    served: dict[str, bytes] = dict(SNAPSHOT)
    asked: list[dict[str, object]] = []

    def snapshot_download(repo, *, revision=None, allow_patterns=None, local_dir=None):
        asked.append({"repo": repo, "patterns": allow_patterns})
        for name, data in served.items():
            path = Path(local_dir) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return str(local_dir)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return served, asked


def test_a_snapshot_in_the_hubs_cache(world, hub_cache):
    folder = hub_cache("example/folder", SNAPSHOT)
    found = models.locate("folder")
    assert found.folder == folder
    assert found.source == "hub cache"
    assert found.fingerprint == models.locate_folder("example/folder").fingerprint
    assert found.fingerprint == models.locate_folder(folder).fingerprint


def test_any_hub_name_in_the_hubs_cache(world, hub_cache):
    folder = hub_cache("someone/encoder", SNAPSHOT)
    found = models.locate_folder("someone/encoder")
    assert (found.name, found.source, found.folder) == ("someone/encoder", "hub cache", folder)


def test_a_file_in_the_hubs_cache_is_verified(world, hub_cache, content):
    hub_cache("example/tiny", {**content, "weights.bin": content["weights.bin"][::-1]})
    with pytest.raises(
        ModelError, match=r"weights\.bin has sha256 .* commonground models fetch tiny"
    ):
        models.locate("tiny")


@pytest.mark.parametrize("files", [{}, {"config.json": b"{}"}])
def test_a_snapshot_without_weights_counts_as_none(world, hub_cache, files):
    hub_cache("example/folder", files)
    with pytest.raises(ModelError, match="model 'folder' is not installed"):
        models.locate("folder")
    with pytest.raises(ModelError, match="commonground models fetch example/folder --hub"):
        models.locate_folder("example/folder")


def test_a_pickled_snapshot_is_refused_and_says_what_to_do(world, hub_cache):
    pickled = {"config.json": b"{}", "pytorch_model.bin": b"\x80\x04N."}
    folder = hub_cache("example/folder", pickled)
    with pytest.raises(ModelError) as error:
        models.locate("folder")
    assert str(error.value).startswith(f"{folder / 'pytorch_model.bin'} is refused: it is pickled")
    assert str(error.value).endswith("commonground models fetch folder --hub")
    assert models.status("folder").state == "damaged"


def test_a_name_that_no_hub_has(world):
    with pytest.raises(InputError, match="neither a folder nor a name on the hub"):
        models.locate_folder("a b/c")


def test_without_huggingface_hub_its_cache_is_skipped(world, hub_cache, monkeypatch):
    hub_cache("example/folder", SNAPSHOT)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError, match="model 'folder' is not installed"):
        models.locate("folder")


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_hubs_own_settings_say_where_its_cache_is(world, hub_cache):
    folder = hub_cache("example/encoder", SNAPSHOT)
    code = "from commonground import models; print(models.locate_folder('example/encoder').folder)"
    done = run_python(code, HF_HOME=str(world / "hf"), HF_HUB_CACHE=str(world / "hf" / "hub"))
    assert done.stdout.strip() == str(folder)


def test_without_a_network_the_real_client_ends_in_one_line(world):
    code = """
from commonground import models
from commonground.errors import ModelError
try:
    models.fetch("minilm-fp32", hub=True)
except ModelError as error:
    print(error)
"""
    closed = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_CACHE": str(world / "hub")}
    done = run_python(code, **closed, NO_PROXY="127.0.0.1", HF_HUB_OFFLINE="0")
    assert done.stdout.startswith("could not reach the hub for sentence-transformers/all-MiniLM")
    assert done.stdout.count("\n") == 1


def test_fetching_files_from_the_hub_verifies_them_into_our_cache(world, hub, content):
    served, asked = hub
    served.clear()
    served.update(content)
    found = models.fetch("tiny", hub=True)
    assert found.source == "cache"
    assert found.paths["weights.bin"].read_bytes() == content["weights.bin"]
    assert [one["patterns"] for one in asked] == [["weights.bin"], ["tokens.json"]]
    assert sorted(path.name for path in (world / "cache/models").iterdir()) == ["tiny"]


def test_another_file_on_the_hub_is_refused(world, hub, content):
    served, _ = hub
    served.update({**content, "weights.bin": content["weights.bin"][::-1]})
    with pytest.raises(ModelError, match=r"weights\.bin of example/tiny is refused: it has sha256"):
        models.fetch("tiny", hub=True)
    assert list((world / "cache/models").iterdir()) == []


@pytest.mark.parametrize("name", ["folder", "someone/encoder"])
def test_fetching_a_snapshot_asks_for_no_pickle(world, hub_extra, monkeypatch, hub_cache, name):
    asked = []

    def snapshot_download(repo, *, revision, allow_patterns):
        asked.extend([repo, allow_patterns])
        return str(hub_cache(repo, SNAPSHOT))

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    found = models.fetch(name, hub=True)
    repo = "example/folder" if name == "folder" else name
    assert asked == [repo, ["*.safetensors", "*.json", "*.txt", "*.model"]]
    assert (found.name, found.source) == (name, "hub cache")
    assert found.fingerprint == models.locate_folder(repo).fingerprint


def test_a_snapshot_needs_the_extra(world):
    with pytest.raises(MissingExtraError, match=r"pip install 'commonground\[hub\]'"):
        models.fetch("folder", hub=True)


def test_without_huggingface_hub_the_extra_is_named(world, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        MissingExtraError, match=r"example/tiny from the hub needs the extra \[hub\]"
    ):
        models.fetch("tiny", hub=True)


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (OSError(28, "No space left on device"), "cannot write to disk: No space left on device"),
        (RuntimeError("first line\nsecond line"), "could not fetch example/folder .*: first line$"),
        (ConnectionError(), "could not fetch example/folder from the hub: ConnectionError"),
    ],
)
def test_other_failures_are_one_line(world, hub_extra, monkeypatch, raised, words):
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(ModelError, match=words):
        models.fetch("folder", hub=True)


def test_the_hub_is_asked_only_when_told_to(world):
    with pytest.raises(InputError, match="commonground models fetch folder --hub"):
        models.fetch("folder")
    with pytest.raises(InputError, match="someone/encoder comes from the hub"):
        models.fetch("someone/encoder")


def test_a_model_that_is_not_on_the_hub(world):
    with pytest.raises(InputError, match="model 'extra' is not on the hub"):
        models.fetch("extra", hub=True)
