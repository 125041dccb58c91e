"""Step 3: train the student on its teachers' answers, once for each fold and once on all.

    python -m training.distil ITEMS MINILM TEACHERS OUT --teachers mpnet qwen [--folds 0 1 2 3 all]

MINILM is the folder of all-MiniLM-L6-v2, TEACHERS the folder that `training.teacher` wrote. Writes
OUT/student-K.npz, the weights of each student in 8 bits, and OUT/answers-K.npz.
"""

import argparse
import random
from itertools import accumulate
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from training.figures import report
from training.folds import left_out
from training.items import read_items
from training.loop import DEVICE, Stream, fit, predict
from training.packing import Packed, Packer, Special
from training.predictions import Predictions
from training.student import Student
from training.teacher import COPIES, LABELLED, SOFT_PAIRS
from training.weights import save_weights

_CLS, _SEP = 101, 102


def main() -> None:
    """Train on entailment, then for each fold on its teachers' answers and the other labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("minilm", type=Path)
    parser.add_argument("answers", type=Path, help="folder with the teachers' answers")
    parser.add_argument("out", type=Path)
    parser.add_argument("--teachers", nargs="+", required=True)
    parser.add_argument("--folds", nargs="*", default=["all", "0", "1", "2", "3"])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--tokens", type=int, default=24_000, help="in a batch")
    parser.add_argument("--layout", default="shared", choices=("shared", "crossed"))
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = _Run(arguments)
    run.entailment()
    for fold in arguments.folds:
        run.fold(fold)


class _Run:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.given = arguments
        self.items = list(read_items(arguments.items))
        self.first = [0, *accumulate(len(item.claims) for item in self.items)][:-1]
        self.claims = [claim for item in self.items for claim in item.claims]
        tokenizer = Tokenizer.from_file(str(arguments.minilm / "tokenizer.json"))
        shared = arguments.layout == "shared"
        special = Special((_CLS,), (_SEP,), (_CLS,) if shared else (), (_SEP,))
        self.sequences = Packer(tokenizer, special, arguments.layout).pack(self.items, self.first)
        self.owner = [
            place for place, item in enumerate(self.items) for _ in range(len(item.claims))
        ]
        self.network = Student().to(DEVICE)
        self.network.load_bert(load_file(arguments.minilm / "model.safetensors"))

    def of(self, places: list[int]) -> list[Packed]:
        wanted = set(places)
        chosen: dict[int, list[Packed]] = {place: [] for place in wanted}
        for one in self.sequences:
            owner = self.owner[one.claims[0].number] if one.claims else -1
            if owner in wanted:
                chosen[owner].append(one)
        return [one for place in places for one in chosen[place]]

    def places(self, *sources: str) -> list[int]:
        return [n for n, item in enumerate(self.items) if item.source in sources]

    def teachers(self, name: str) -> Predictions:
        found = [
            Predictions.load(path)
            for teacher in self.given.teachers
            for path in sorted(self.given.answers.glob(f"{teacher}-*.npz"))
            if _fits(path.stem.removeprefix(f"{teacher}-").split("+"), name)
        ]
        if len(found) < len(self.given.teachers):
            wanted = ", ".join(self.given.teachers)
            raise SystemExit(f"{self.given.answers} lacks answers of {wanted} for {name!r}")
        return Predictions.mean(found)

    def entailment(self) -> None:
        """Stage 1: the labels of the entailment pairs.

        It is the same for all folds: kept as OUT/base.pt, so that folds can be trained apart.
        """
        kept = self.given.out / "base.pt"
        if kept.exists():
            self.base = torch.load(kept, weights_only=True)
            return
        self._fit([Stream(self.of(self.places("nli")))], epochs=1, name="entailment")
        self.base = {key: value.cpu().clone() for key, value in self.network.state_dict().items()}
        torch.save(self.base, kept)

    def fold(self, name: str) -> None:
        """Stage 2 without one fold."""
        fold = -2 if name == "all" else int(name)
        self.network.load_state_dict(self.base)
        away = left_out(self.items, {fold})
        units = [n for n in self.places("realsumm") if self.items[n].id not in away]
        pool = [n for n in self.places("pool") if self.items[n].id not in away]
        soft = [*pool, *units, *self.places("stance")]
        soft += self.places("nli")[:SOFT_PAIRS]
        hard = [
            n
            for n, item in enumerate(self.items)
            if item.id not in away
            for _ in range(COPIES.get(item.source, 0))
        ]
        rng = random.Random(self.given.seed)
        hard += rng.sample(units, min(900, len(units)))
        streams = [Stream(self.of(soft), self.teachers(name)), Stream(self.of(hard))]
        self._fit(streams, epochs=self.given.epochs, name=name)
        wanted = self.places(*LABELLED, "realsumm")
        found = predict(self.network, self.of(wanted), self.claims, tokens=60_000)
        found.save(self.given.out / f"answers-{name}.npz")
        save_weights(self.network, self.given.out / f"student-{name}.npz")
        if fold >= 0:
            report(f"student {name}", self.items, self.first, found, {fold})

    def _fit(self, streams: list[Stream], *, epochs: int, name: str) -> None:
        fit(
            self.network,
            streams,
            self.claims,
            epochs=epochs,
            rate=self.given.rate,
            tokens=self.given.tokens,
            seed=self.given.seed,
            name=f"student {name}",
        )
        torch.cuda.empty_cache()


def _fits(held: list[str], name: str) -> bool:
    """Whether answers may teach: a fold needs teachers that held it out; "all" takes every fold's.

    What is distilled belongs to no fold, so the model for all learns from an ensemble of teachers.
    """
    return name in held or name == "all"


if __name__ == "__main__":
    main()
