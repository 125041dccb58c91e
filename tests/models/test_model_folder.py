import contextlib
import json
from pathlib import Path

import pytest

from commonground import models
from commonground.errors import InputError, ModelError

MODEL = {
    "modules.json": b'[{"path": ""}, {"path": "1_Pooling"}]',
    "config.json": b'{"hidden_size": 4}',
    "model.safetensors": b"weights that are safe",
    "1_Pooling/config.json": b'{"pooling_mode_mean_tokens": true}',
    "vocab.txt": b"the\nground\n",
}


@pytest.fixture
def folder(tmp_path):
    return lay_out(tmp_path / "encoder", MODEL)


def lay_out(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_any_folder_of_safetensors_is_located(folder):
    found = models.locate_folder(folder)
    assert found.folder == folder
    assert found.paths == {"": folder}
    assert found.name == str(folder)
    assert found.source == f"folder {folder}"
    assert len(bytes.fromhex(found.fingerprint)) == 32


def test_a_folder_may_be_named_by_a_string_relative_to_here(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert models.locate_folder("encoder").fingerprint == models.locate_folder(folder).fingerprint


def test_the_fingerprint_does_not_depend_on_the_place(folder, tmp_path):
    copy = lay_out(tmp_path / "elsewhere", dict(reversed(MODEL.items())))
    assert models.locate_folder(copy).fingerprint == models.locate_folder(folder).fingerprint


@pytest.mark.parametrize("name", MODEL)
def test_the_fingerprint_depends_on_all_that_makes_vectors(folder, name):
    before = models.locate_folder(folder).fingerprint
    (folder / name).write_bytes(MODEL[name] + b" ")
    assert models.locate_folder(folder).fingerprint != before


@pytest.mark.parametrize("name", ["README.md", "onnx/model.onnx", "data_config.json", "train.py"])
def test_the_fingerprint_does_not_depend_on_what_is_not_read(folder, name):
    before = models.locate_folder(folder).fingerprint
    lay_out(folder, {name: b"beside the point"})
    assert models.locate_folder(folder).fingerprint == before


@pytest.mark.parametrize(
    "name",
    [
        "pytorch_model.bin",
        "pytorch_model-00001-of-00002.bin",
        "Pytorch_Model.BIN",
        "weights.pt",
        "weights.pkl",
        "2_Dense/pytorch_model.bin",
    ],
)
def test_pickled_weights_without_safetensors_are_refused_and_named(folder, name):
    if "/" not in name:
        (folder / "model.safetensors").unlink()
    lay_out(folder, {name: b"\x80\x04N."})
    with pytest.raises(ModelError) as error:
        models.locate_folder(folder)
    assert str(error.value) == (
        f"{folder / name} is refused: it is pickled, and loading it could run code; "
        "save the model as safetensors (model.safetensors)"
    )


def test_pickles_beside_safetensors_are_left_alone(folder):
    before = models.locate_folder(folder).fingerprint
    lay_out(folder, {"pytorch_model.bin": b"\x80\x04N.", "optimizer.pt": b"\x80\x04N."})
    assert models.locate_folder(folder).fingerprint == before


def test_a_pickled_adapter_needs_safetensors_of_its_own(folder):
    lay_out(folder, {"adapter_model.bin": b"\x80\x04N."})
    with pytest.raises(ModelError, match=r"adapter_model\.bin is refused"):
        models.locate_folder(folder)
    lay_out(folder, {"adapter_model.safetensors": b"safe"})
    models.locate_folder(folder)


def test_weights_of_other_runtimes_are_no_pickles(folder):
    lay_out(folder, {"openvino/openvino_model.bin": b"not a pickle"})
    models.locate_folder(folder)


def shards(folder: Path, *names: str) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {f"layer.{number}": name for number, name in enumerate(names)}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def test_an_index_of_safetensors_shards_is_good(folder):
    shards(folder, "model-1.safetensors", "model-2.safetensors")
    lay_out(folder, {"model-1.safetensors": b"one", "model-2.safetensors": b"two"})
    models.locate_folder(folder)


@pytest.mark.parametrize("shard", ["model-1.bin", "../model-1.safetensors", 1])
def test_an_index_that_names_anything_else_is_refused(folder, shard):
    shards(folder, shard)
    lay_out(folder, {"model-1.bin": b"\x80\x04N.", "model-1.safetensors": b"one"})
    with pytest.raises(ModelError, match=r"index\.json names .* not a safetensors file beside it"):
        models.locate_folder(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"weight_map": [1]}'])
def test_an_index_that_is_none_is_refused(folder, text):
    (folder / "model.safetensors.index.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="is not an index of safetensors files"):
        models.locate_folder(folder)


def test_a_folder_without_weights(folder):
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"holds no weights: there is no model\.safetensors"):
        models.locate_folder(folder)


def test_a_folder_that_is_no_model(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(ModelError, match=r"no modules\.json and no config\.json there"):
        models.locate_folder(tmp_path)


@pytest.mark.parametrize(
    "name", ["nowhere", "./nowhere", "../nowhere", "a/b/c", "~/nowhere-at-all"]
)
def test_a_folder_that_does_not_exist(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        models.locate_folder(name)


def test_a_named_model_that_is_a_folder_in_the_cache_or_the_users_folder(world, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_MODELS", str(world / "mine"))
    mine = lay_out(world / "mine" / "folder", MODEL)
    assert models.locate("folder").folder == mine
    ours = lay_out(world / "cache" / "models" / "folder", MODEL)
    assert models.locate("folder").folder == ours
    assert models.locate("folder").source == "cache"


def refused(folder):
    with pytest.raises(ModelError) as told:
        models.locate_folder(folder)
    return str(told.value)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_link_out_of_the_folder_is_refused(folder, tmp_path, kind):
    other = lay_out(tmp_path / "other", {"model.safetensors": b"other weights"})
    link = folder / ("model.safetensors" if kind == "file" else "2_Dense")
    link.unlink(missing_ok=True)
    link.symlink_to(other / "model.safetensors" if kind == "file" else other)
    assert refused(folder) == f"{link} is refused: the link leads out of the model's folder"


def test_a_link_within_the_folder_is_good(folder):
    (folder / "model.safetensors").rename(folder / "weights")
    (folder / "model.safetensors").symlink_to("weights")
    assert models.locate_folder(folder).fingerprint


def test_the_links_of_the_hubs_cache_are_good(tmp_path):
    snapshot = lay_out(tmp_path / "models--a--b" / "snapshots" / "1", MODEL)
    blob = tmp_path / "models--a--b" / "blobs" / "abc"
    blob.parent.mkdir()
    (snapshot / "model.safetensors").rename(blob)
    (snapshot / "model.safetensors").symlink_to("../../blobs/abc")
    assert models.locate_folder(snapshot).fingerprint
    (snapshot / "vocab.txt").unlink()
    (snapshot / "vocab.txt").symlink_to("../../refs")
    assert "leads out of" in refused(snapshot)


@pytest.mark.parametrize(
    "path", ["../other", "/other", "1_Pooling/../../other", "..\\other", "C:x"]
)
def test_a_module_outside_the_folder_is_refused(folder, path):
    (folder / "modules.json").write_text(json.dumps([{"path": path}]))
    assert refused(folder).endswith(f"{path!r} is not in the model's folder")


@pytest.mark.parametrize("name", ["tokenizer_config.json", "1_Pooling/config.json", "any.json"])
@pytest.mark.parametrize("text", ['{"auto_map": {}}', '[{"a": {"auto\\u005fmap": {}}}]'])
def test_auto_map_is_refused_anywhere(folder, name, text):
    lay_out(folder, {name: text.encode()})
    assert refused(folder) == f"{folder / name} is refused: its auto_map names code of its own"


def test_a_router_with_code_of_its_own_is_refused(folder):
    config = {"types": {"query_0": "os.system"}}
    lay_out(folder, {"router_config.json": json.dumps(config).encode()})
    assert refused(folder).endswith("'os.system' is code of its own")


def test_an_adapter_of_other_weights_is_refused(folder):
    config = {"base_model_name_or_path": "../other"}
    lay_out(folder, {"adapter_config.json": json.dumps(config).encode()})
    assert "its weights belong to '../other'" in refused(folder)


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "\xff"])
def test_settings_that_are_not_json_are_told(folder, text):
    lay_out(folder, {"config.json": text.encode("latin-1")})
    assert refused(folder) == f"{folder / 'config.json'} is not JSON"


@pytest.mark.parametrize("text", ["5", "null", '"text"', "[1, [2]]"])
def test_settings_of_any_kind_are_no_unexpected_error(folder, text):
    lay_out(folder, {"config.json": text.encode(), "modules.json": text.encode()})
    assert models.locate_folder(folder).fingerprint


def test_settings_of_generation_are_in_the_fingerprint(folder):
    before = models.locate_folder(folder).fingerprint
    lay_out(folder, {"generation_config.json": b'{"num_beams": 4}'})
    assert models.locate_folder(folder).fingerprint != before


ODD = [b"", b"1", b"null", b'"x"', b"[1, null]", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000]
ODD += [b"\xff\xfe", b'{"weight_map": 1}', b'{"weight_map": {"a": [1]}}', b'{"types": [1]}']
ODD += [
    b'{"base_model_name_or_path": "\\u0000"}',
    b'{"base_model_name_or_path": "%s"}' % (b"n" * 5000),
]
ODD += [b'[{"type": 1, "path": {}}]', b'{"task_specific_params": {"summarization": "x"}}']
NAMES = ["modules.json", "config.json", "router_config.json", "adapter_config.json", "other.json"]
NAMES += ["tokenizer_config.json", "model.safetensors.index.json", "1_Pooling/config.json"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", ODD, ids=range(len(ODD)))
def test_odd_json_is_refused_or_taken_but_never_unexpected(folder, name, content):
    lay_out(folder, {name: content})
    with contextlib.suppress(ModelError):
        assert models.locate_folder(folder).fingerprint
