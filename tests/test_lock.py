"""The lock files have what pyproject.toml asks for, with a hash for every file, from anywhere."""

import re

import pytest
from packaging.utils import canonicalize_name

from lock_files import LOCKS, ROOT, asked, locked

# Withdrawn by their authors.
YANKED = {"spacy": {"3.8.0", "3.8.1", "3.8.5", "3.8.12"}}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_satisfies_the_project(name):
    versions = locked(name)
    for wanted in asked(name):
        found = versions.get(canonicalize_name(wanted.name))
        assert found, f"{wanted} is not in requirements/{name}.txt: run make lock"
        for version in found:
            assert wanted.specifier.contains(version), f"{wanted} is {version}: run make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_hashes_and_no_address(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    packages = re.split(r"\n(?=\S)", text.strip())
    assert len(packages) == sum(map(len, locked(name).values()))
    for package in packages:
        assert re.fullmatch(r"[^\n]+==[^\n]+ \\(\n {4}--hash=sha256:[0-9a-f]{64}( \\)?)+", package)
    assert "://" not in text
    assert not set(locked(name)) & {"torch", "ray"}


def test_withdrawn_versions_are_excluded():
    for wanted in asked("server"):
        for version in YANKED.get(wanted.name, ()):
            assert not wanted.specifier.contains(version)
