"""Keep figures in `bench/results/`, which the documentation site shows.

    python bench/keep_results.py NAME... [--times]

NAME is the name of a script whose figures are in `bench/out/NAME.json`. Numbers are rounded to four
digits; single systems, signatures and the like are left out, and so are times and rates, which
count only from an idle machine: give `--times` there.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_TIMES = re.compile(r"second|rate\b|/s\b|a second|clock|CPU time|_s$")
_OTHER = re.compile(r"signature|fingerprint|missing|parser|^systems$")


def main() -> None:
    """Copy the figures of each script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--times", action="store_true", help="keep times and rates as well")
    given = parser.parse_args()
    for name in given.names:
        values = json.loads((HERE / "out" / f"{name}.json").read_text(encoding="utf-8"))
        text = json.dumps(kept(values, given.times), indent=1, ensure_ascii=False)
        (HERE / "results" / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"bench/results/{name}.json")


def kept(values: Any, times: bool) -> Any:
    """Return the figures without what is left out."""
    if isinstance(values, dict):
        return {
            key: kept(value, times)
            for key, value in values.items()
            if not (_OTHER.search(key) and not isinstance(value, float | int))
            and (times or not _TIMES.search(key))
        }
    if isinstance(values, list):
        return [kept(value, times) for value in values if not _is_missing(value)]
    return round(values, 4) if isinstance(values, float) else values


def _is_missing(value: Any) -> bool:
    return isinstance(value, dict) and "missing" in value


if __name__ == "__main__":
    main()
