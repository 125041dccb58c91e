"""How large is each direct dependency, as installed here?

.venv/bin/python bench/install_size.py
"""

import re
from importlib.metadata import PackageNotFoundError, distribution, requires


def main() -> None:
    """Print the size of every requirement that is installed, the largest first."""
    rows = []
    for requirement in requires("commonground") or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        paths = (found.locate_file(file) for file in found.files or [])
        size = sum(path.stat().st_size for path in paths if path.is_file())
        extra = re.search(r"extra == ['\"](\w+)", requirement)
        rows.append((size / 1e6, f"{name} {found.version}", extra.group(1) if extra else "default"))
    print(f"{'MB':>7}  {'package':<45} in")
    for size, name, where in sorted(rows, reverse=True):
        print(f"{size:>7.1f}  {name:<45} {where}")


if __name__ == "__main__":
    main()
