"""How long a fresh Python takes to import commonground, and to give a first ROUGE score.

    python bench/import_time.py [--runs 9] [--json OUT]

Each figure is the median of fresh interpreters, less what the same interpreter takes to do nothing.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

OUT = Path(__file__).parent / "out"
CODE = {
    "nothing": "pass",
    "import commonground": "import commonground",
    "import and cg.rouge": "import commonground as cg; cg.rouge('Rain fell.', ['It rained.'])",
}


def main() -> None:
    """Print the figures and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", type=Path, default=OUT / "import_time.json")
    given = parser.parse_args()
    # In turns, so that a busy moment of the machine does not fall on one of them.
    rounds = [{name: seconds(code) for name, code in CODE.items()} for _ in range(given.runs)]
    least = median(one["nothing"] for one in rounds)
    figures = {
        f"{name}, seconds": median(one[name] for one in rounds) - least
        for name in CODE
        if name != "nothing"
    }
    for name, value in figures.items():
        print(f"{name}: {value:.3f}")
    given.json.parent.mkdir(exist_ok=True)
    given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def seconds(code: str) -> float:
    """The seconds that a fresh interpreter takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
