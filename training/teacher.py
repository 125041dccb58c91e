"""Step 2: train a teacher and let it read everything, once for each group of folds.

    python -m training.teacher ITEMS WEIGHTS OUT [--name mpnet] [--folds 0+1 2+3]

Writes OUT/NAME-K.npz for each group K of folds, of which no labelled event was trained on. Seeds
are fixed; a GPU is wanted.
"""

import argparse
import random
from itertools import accumulate
from pathlib import Path

import torch

from training.figures import report
from training.folds import left_out
from training.items import read_items
from training.loop import DEVICE, Stream, fit, predict
from training.packing import Packed, Packer
from training.predictions import Predictions
from training.teachers import Teacher, packer

LABELLED = ("pairs", "three_way", "rumours", "policies", "news", "own")
COPIES = {
    "pairs": 3,
    "three_way": 2,
    "rumours": 3,
    "policies": 3,
    "news": 2,
    "own": 2,
    "wice": 1,
    "stance": 1,
    "altered": 1,
}
_UNITS = 600  # summaries with their units, of 2,500
_PAIRS = 5_000  # entailment pairs in tuning
SOFT_PAIRS = 50_000  # entailment pairs that the student learns from a fold's teacher


def main() -> None:
    """Train on entailment, then for each fold on all labels but that fold's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--name", default="teacher")
    parser.add_argument("--layers", type=int, default=0, help="layers of the body; 0 keeps all")
    parser.add_argument("--frozen", type=int, default=0, help="first layers that stay as they are")
    parser.add_argument("--folds", nargs="+", default=["0+1", "2+3"])
    parser.add_argument("--copies", type=int, default=2, help="of a labelled event at most")
    parser.add_argument("--without", nargs="*", default=[], help="sources that are left out")
    parser.add_argument("--pairs", type=int, default=10**9, help="entailment pairs at most")
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=16_000, help="in a batch")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = _Run(arguments)
    run.entailment()
    for group in arguments.folds:
        run.fold(set(map(int, group.split("+"))), group)


class _Run:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.given = arguments
        self.items = list(read_items(arguments.items))
        sizes = [len(item.claims) for item in self.items]
        self.first = [0, *accumulate(sizes)][:-1]
        self.claims = [claim for item in self.items for claim in item.claims]
        self.network = Teacher(arguments.weights, arguments.layers, arguments.frozen).to(DEVICE)
        made, pad = packer(arguments.weights, self.network.causal)
        self.options = {"causal": self.network.causal, "pad": pad}
        self.sequences = self._packed(made)

    def _packed(self, made: Packer) -> dict[int, list[Packed]]:
        packed = made.pack(self.items, self.first)
        owner = {
            number: place
            for place, (first, item) in enumerate(zip(self.first, self.items, strict=True))
            for number in range(first, first + len(item.claims))
        }
        found: dict[int, list[Packed]] = {place: [] for place in range(len(self.items))}
        for one in packed:
            if one.claims:
                found[owner[one.claims[0].number]].append(one)
        return found

    def of(self, places: list[int]) -> list[Packed]:
        return [one for place in places for one in self.sequences[place]]

    def places(self, *sources: str) -> list[int]:
        return [n for n, item in enumerate(self.items) if item.source in sources]

    def entailment(self) -> None:
        """Stage 1: the labels of the entailment pairs."""
        given, pairs = self.given, self.places("nli")
        fit(
            self.network,
            [Stream(self.of(pairs[: given.pairs]))],
            self.claims,
            epochs=1,
            rate=given.rate,
            tokens=given.tokens,
            seed=given.seed,
            name=f"{given.name} entailment",
            **self.options,
        )
        self.base = {key: value.cpu().clone() for key, value in self.network.state_dict().items()}

    def fold(self, held: set[int], name: str) -> None:
        """Stage 2 without some folds, and its answers to the pool and these folds."""
        given = self.given
        self.network.load_state_dict(self.base)
        torch.cuda.empty_cache()
        fit(
            self.network,
            [Stream(self.of(self._tuning(held)))],
            self.claims,
            epochs=given.epochs,
            rate=given.rate,
            tokens=given.tokens,
            seed=given.seed,
            name=f"{given.name} {name}",
            **self.options,
        )
        wanted = self.places(*LABELLED, "realsumm", "pool", "stance")
        found = self._predict(wanted + self.places("nli")[:SOFT_PAIRS])
        found.save(given.out / f"{given.name}-{name}.npz")
        report(f"{given.name} {name}", self.items, self.first, found, held)

    def _tuning(self, held: set[int]) -> list[int]:
        rng = random.Random(self.given.seed)
        away = left_out(self.items, held)
        places = [
            n
            for n, item in enumerate(self.items)
            if item.id not in away and item.source not in self.given.without
            for _ in range(min(COPIES.get(item.source, 0), self.given.copies))
        ]
        units = [n for n in self.places("realsumm") if self.items[n].id not in away]
        pairs = self.places("nli")
        return [
            *places,
            *rng.sample(units, min(_UNITS, len(units))),
            *rng.sample(pairs, min(_PAIRS, len(pairs))),
        ]

    def _predict(self, places: list[int]) -> Predictions:
        tokens = self.given.tokens * 4
        return predict(self.network, self.of(places), self.claims, tokens=tokens, **self.options)


if __name__ == "__main__":
    main()
