"""Draw ideas for a blind reading, and count how many of them stand alone.

    python bench/ideas.py FOLDER... --out ideas.txt [--each 20] [--seed 37]
    python bench/ideas.py FOLDER... --answers answers.json [--each 20] [--seed 37]

Each folder has references of one source. The first form writes numbered ideas of their pyramids,
mixed, for readers who have not seen the texts. The second counts a reader's answers, a JSON list of
`{"n": 1, "alone": true}`, by folder and by weight. The same folders, number and seed draw the same
ideas. `examples/class/references` and `examples/references/*` were written for this project.
"""

import argparse
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from commonground.io import read_text
from commonground.pyramid import Pyramid


class Idea(NamedTuple):
    """An idea, the folder of its references and its weight."""

    text: str
    source: str
    weight: int


def main() -> None:
    """Write the ideas, or count the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of references")
    parser.add_argument("--each", type=int, default=20, help="ideas of each folder")
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--out", type=Path, help="file for the numbered ideas")
    parser.add_argument("--answers", type=Path, nargs="*", default=[], help="answers of readers")
    arguments = parser.parse_args()
    ideas = drawn(arguments.folders, arguments.each, arguments.seed)
    if arguments.out:
        lines = (f"{number}. {idea.text}\n" for number, idea in enumerate(ideas, 1))
        arguments.out.write_text("".join(lines), encoding="utf-8")
    for path in arguments.answers:
        _print(ideas, {row["n"]: row["alone"] for row in json.loads(path.read_text("utf-8"))})


def drawn(folders: list[Path], each: int, seed: int) -> list[Idea]:
    """Return ideas of every folder, mixed."""
    chance = random.Random(seed)
    ideas = []
    for folder in folders:
        texts = [read_text(path) for path in sorted(folder.glob("*.txt"))]
        units = Pyramid.build(texts).units
        chosen = chance.sample(units, min(each, len(units)))
        ideas += [Idea(unit.label, folder.name, unit.weight) for unit in chosen]
    chance.shuffle(ideas)
    return ideas


def _print(ideas: list[Idea], alone: dict[int, bool]) -> None:
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for number, idea in enumerate(ideas, 1):
        for group in ("all", idea.source, f"weight {min(idea.weight, 3)}"):
            groups[group].append(alone[number])
    for group, answers in groups.items():
        print(f"{group:<14}{sum(answers):>4} of {len(answers):>3}")


if __name__ == "__main__":
    main()
