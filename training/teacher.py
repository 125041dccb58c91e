"""Step 2: train a teacher and let it read everything, once for each fold and once on all.

    python -m training.teacher ITEMS WEIGHTS OUT [--name mpnet] [--layers 0] [--folds 0 1 2 3 all]

Writes OUT/NAME-base.npz (after entailment alone) and OUT/NAME-K.npz for each fold K, where no
labelled event of fold K was trained on. Seeds are fixed; a GPU is wanted.
"""

import argparse
import random
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch

from training.figures import report
from training.items import Item, read_items
from training.loop import DEVICE, Stream, fit, predict
from training.packing import Packed
from training.predictions import Predictions
from training.teachers import Teacher, packer

LABELLED = ("pairs", "three_way", "rumours", "own")
COPIES = {"pairs": 2, "three_way": 2, "rumours": 3, "own": 2, "wice": 2, "stance": 1, "altered": 1}
_UNITS = 900  # summaries with their units, of 2,500
_PAIRS = 5_000  # entailment pairs in tuning
SOFT_PAIRS = 25_000  # entailment pairs that the student learns from a fold's teacher


def main() -> None:
    """Train on entailment, then for each fold on all labels but that fold's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--name", default="teacher")
    parser.add_argument("--layers", type=int, default=0, help="layers of the body; 0 keeps all")
    parser.add_argument("--folds", nargs="+", default=["0", "1", "2", "3", "all"])
    parser.add_argument("--pairs", type=int, default=10**9, help="entailment pairs at most")
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=16_000, help="in a batch")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = _Run(arguments)
    run.entailment()
    for fold in arguments.folds:
        run.fold(-2 if fold == "all" else int(fold), fold)


class _Run:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.given = arguments
        self.items = list(read_items(arguments.items))
        sizes = [len(item.claims) for item in self.items]
        self.first = [0, *accumulate(sizes)][:-1]
        self.claims = [claim for item in self.items for claim in item.claims]
        self.network = Teacher(arguments.weights, arguments.layers).to(DEVICE)
        made, pad = packer(arguments.weights, self.network.causal)
        self.options = {"causal": self.network.causal, "pad": pad}
        self.sequences = {
            place: made.pack([item], [first])
            for place, (item, first) in enumerate(zip(self.items, self.first, strict=True))
        } if len(self.items) < 500 else self._packed(made)

    def _packed(self, made) -> dict[int, list[Packed]]:
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
        """Stage 1, and its answers to all entailment pairs for the student's own stage 1."""
        given, pairs = self.given, self.places("nli")
        fit(
            self.network,
            [Stream(self.of(pairs[: given.pairs]))],
            self.claims,
            epochs=1,
            rate=given.rate,
            tokens=given.tokens * 2,
            seed=given.seed,
            name=f"{given.name} entailment",
            **self.options,
        )
        self.base = {key: value.cpu().clone() for key, value in self.network.state_dict().items()}
        found = self._predict(pairs)
        found.save(given.out / f"{given.name}-base.npz")
        report(f"{given.name} base", self.items, self.first, self._predict(self.places(*LABELLED)), {0})

    def fold(self, fold: int, name: str) -> None:
        """Stage 2 without one fold, and its answers to the pool and the fold."""
        given = self.given
        self.network.load_state_dict(self.base)
        torch.cuda.empty_cache()
        fit(
            self.network,
            [Stream(self.of(self._tuning(fold)))],
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
        if fold >= 0:
            report(f"{given.name} {name}", self.items, self.first, found, {fold})

    def _tuning(self, fold: int) -> list[int]:
        rng = random.Random(self.given.seed)
        places = [
            n
            for n, item in enumerate(self.items)
            if item.fold != fold
            for _ in range(COPIES.get(item.source, 0))
        ]
        units = [n for n in self.places("realsumm") if self.items[n].fold != fold]
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
