"""What a million, a hundred million and a billion summaries cost in time and money.

The model, from the figures of `scale_rates.py`: k workers do k times what one of them does, less
what they lose to each other (memory, caches, threads of one core, the GPU that they share),
`k r / (1 + s (k - 1))`, fitted for each kind of setting; one that was measured once has the s of
`static`. No more than the process that reads and writes can hand out. A single worker on the CPU
is left out: it has all threads, and gains little by them. The model is printed beside what was
measured, and with `--run` beside the runs of `scale_score.py`. Prices are whatever is given: those
here are for thinking, not for quoting. From a file of `scale_rates.py --reader`, what reading so
many sentences costs.

    python bench/cost_model.py bench/out/scale_rates.json [--run bench/out/scale_score.json]
        [--core-hour 0.05] [--gpu-hour 4]
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SIZES = (10**6, 10**8, 10**9)
HOUR = 3600


def main() -> None:
    """Print the model beside what was measured, then the table of costs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rates", type=Path, help="what scale_rates.py wrote")
    parser.add_argument("--run", type=Path, help="what scale_score.py wrote")
    parser.add_argument("--core-hour", type=float, default=0.05, help="of a hardware thread")
    parser.add_argument("--gpu-hour", type=float, default=4.0, help="of a GPU with its machine")
    options = parser.parse_args()
    found = json.loads(options.rates.read_text(encoding="utf-8"))
    if "reader" in found:
        print_reader(found, options.core_hour * found["cores"], options.gpu_hour)
        return
    settings = [one for one in found["settings"] if spread(one)]
    handed_out = 1000 / max(one["reader ms"] for one in settings if one["workers"] > 1)
    models = {
        key: Model.of([one for one in settings if kind(one) == key], settings, handed_out)
        for key in dict.fromkeys(map(kind, settings))
    }
    print(found["machine"])
    print(f"{'':16} {'workers':>7} {'measured':>9} {'model':>8} {'off':>6}   rows/s")
    for one in settings:
        model = models[kind(one)].rate(one["workers"])
        told(" ".join(kind(one)), one["workers"], one["rows/s"], model)
    if options.run:
        loss = models["static", "cpu"].loss
        check_run(json.loads(options.run.read_text(encoding="utf-8")), loss)
    print(f"\n{'':16} {'rows/s':>7}" + "".join(f"{size:>24,}" for size in SIZES))
    for key, model in models.items():
        price = options.gpu_hour if "cuda" in key else options.core_hour * found["cores"]
        best = max((one for one in settings if kind(one) == key), key=lambda one: one["rows/s"])
        cells = "".join(f"{cost(size, best['rows/s'], price):>24}" for size in SIZES)
        print(f"{' '.join(key):16} {best['rows/s']:>7.0f}{cells}")
        print(
            f"{'':16} {1000 * best['workers'] / best['rows/s']:.1f} ms of a thread a row, "
            f"{found['sentences a row'] * best['rows/s']:,.0f} sentences/s; "
            f"loss {model.loss:.3f}, so never more than "
            f"{min(model.most, model.one / model.loss):,.0f} rows/s in one run"
        )
    sizes = {
        f"results as {found['format']}": np.mean([one["bytes a row"] for one in settings]),
        "index of ids": found["index"]["bytes a row"],
    }
    for name, each in sizes.items():
        print(f"{name:24}" + "".join(f"{size * each / 1e9:>21,.1f} GB" for size in SIZES))


def print_reader(found: dict[str, Any], machine_hour: float, gpu_hour: float) -> None:
    """What reading so many sentences costs."""
    print(found["machine"])
    print(f"{'':16} {'at once':>7} {'a second':>9}" + "".join(f"{size:>24,}" for size in SIZES))
    for one in found["reader"]:
        rate, price = one["sentences/s"], machine_hour if one["device"] == "cpu" else gpu_hour
        cells = "".join(f"{cost(size, rate, price):>24}" for size in SIZES)
        print(f"{'reader ' + one['device']:16} {one['sentences']:>7} {rate:>9.0f}{cells}")


def kind(setting: dict[str, Any]) -> tuple[str, str]:
    """Settings that differ in nothing but the number of workers."""
    return setting["encoder"], setting["device"]


def spread(setting: dict[str, Any]) -> bool:
    """Whether the work is spread: a single worker on the CPU takes all threads for itself."""
    return setting["workers"] > 1 or setting["device"] != "cpu"


@dataclass(frozen=True, slots=True)
class Model:
    """The rows a second of so many workers.

    Attributes:
        one: Of a single worker.
        loss: What each further worker costs all others.
        most: What the process that hands out can do at all.
    """

    one: float
    loss: float
    most: float

    @classmethod
    def of(
        cls, settings: list[dict[str, Any]], all_: list[dict[str, Any]], handed_out: float
    ) -> "Model":
        """By least squares over the settings of a kind: k / rate = 1/r + s/r (k - 1)."""
        fitted = (
            settings if len(settings) > 1 else [one for one in all_ if one["encoder"] == "static"]
        )
        workers = np.array([one["workers"] for one in fitted], dtype=float)
        each = workers / np.array([one["rows/s"] for one in fitted])
        slope, first = np.polyfit(workers - 1, each, 1)
        loss = float(slope / first)
        if fitted is settings:
            return cls(float(1 / first), loss, handed_out)
        (only,) = settings
        return cls(only["rows/s"] / speedup(only["workers"], loss), loss, handed_out)

    def rate(self, workers: int) -> float:
        """Rows a second."""
        return min(self.one * speedup(workers, self.loss), self.most)


def speedup(workers: int, loss: float) -> float:
    """How many times one worker so many are."""
    return workers / (1 + loss * (workers - 1))


def check_run(found: dict[str, Any], loss: float) -> None:
    """Runs of scale_score.py: all rows with several workers, foretold from a tenth with one."""
    runs = found["runs"]
    start, one, whole = (
        float(np.median([run["seconds"] for run in runs[name]]))
        for name in ("start", "one worker", "all")
    )
    one -= float(np.median([run["seconds"] for run in runs["one start"]]))
    tenth, rows = runs["one worker"][0]["rows"], runs["all"][0]["rows"]
    workers = runs["start"][0]["rows"]
    told(
        f"{rows:,} rows",
        workers,
        rows / (whole - start),
        tenth / one * speedup(workers, loss),
    )


def told(name: str, workers: int, measured: float, model: float) -> None:
    """A line of the check."""
    print(f"{name:16} {workers:>7} {measured:>9.0f} {model:>8.0f} {model / measured - 1:>+6.0%}")


def cost(rows: int, rate: float, price: float) -> str:
    """Time on one machine, and money."""
    hours = rows / rate / HOUR
    time = f"{hours / 24:.1f} days" if hours >= 48 else f"{hours:.1f} h"
    time = f"{60 * hours:.0f} min" if hours < 1 else time
    return f"{time}, ${hours * price:,.2f}"


if __name__ == "__main__":
    main()
