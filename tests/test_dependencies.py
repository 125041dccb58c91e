"""docs/dependencies.md justifies every package that pyproject.toml asks for, and no other."""

import re

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lock_files import PROJECT, ROOT

_PAGE = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
_EXTRAS = PROJECT["project"]["optional-dependencies"]


def _rows(heading):
    """The first two cells of each row of a section's table."""
    section = _PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, flags=re.MULTILINE)[1:]


def test_every_package_of_the_default_install_has_a_line():
    wanted = [
        canonicalize_name(Requirement(one).name) for one in PROJECT["project"]["dependencies"]
    ]
    assert sorted(name for name, _ in _rows("Default install")) == sorted(wanted)


def test_every_extra_has_a_line_with_its_packages():
    assert sorted(name for name, _ in _rows("Extras")) == sorted(f"`[{name}]`" for name in _EXTRAS)
    for name, packages in _rows("Extras"):
        wanted = set()
        for one in map(Requirement, _EXTRAS[name.strip("`[]")]):
            own = one.name == PROJECT["project"]["name"]
            wanted |= {f"[{other}]" for other in one.extras} if own else {one.name}
        assert set(re.findall(r"[\w\[\]-]+", packages)) - {"and"} == wanted, name
