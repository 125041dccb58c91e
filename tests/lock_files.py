"""What pyproject.toml asks for, and what the lock files in requirements/ give."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS = PROJECT["dependency-groups"]
LOCKS = {
    "test": (
        ("arrow", "encoders", "group", "oidc", "pandas", "plots", "polars", "postgres", "web"),
        ("test", "system", "build"),
    ),
    "server": (("oidc", "postgres", "web"), ()),
    "build": (None, ("build",)),
    "release": (None, ("release",)),
}
"""Extras and groups of each lock file; None for extras leaves out the project itself."""


def group(name):
    """The requirements of a dependency group, with those that it includes."""
    for one in GROUPS[name]:
        if isinstance(one, str):
            yield Requirement(one)
        else:
            yield from group(one["include-group"])


def extra(name):
    """The requirements of an extra, with those of the extras that it names."""
    for wanted in map(Requirement, PROJECT["project"]["optional-dependencies"][name]):
        if wanted.name == PROJECT["project"]["name"]:
            for other in sorted(wanted.extras):
                yield from extra(other)
        else:
            yield wanted


def asked(name):
    """The requirements that a lock file must satisfy."""
    extras, groups = LOCKS[name]
    wanted = [one for known in groups for one in group(known)]
    if extras is not None:
        wanted += map(Requirement, PROJECT["project"]["dependencies"])
        for one in extras:
            wanted += extra(one)
    return wanted


def locked(name):
    """The versions in a lock file by package; some have several, for different Pythons."""
    found = {}
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    for package, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, flags=re.MULTILINE):
        found.setdefault(canonicalize_name(package), []).append(version)
    return found
