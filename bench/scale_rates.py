"""What a summary costs: `commonground score --output` by encoder, device and number of workers.

Each setting is run on a fifth of its rows and on all of them, so that what the start takes can be
told from what a row takes: the rate is that of the other four fifths. SEM-F1 with the encoder and
ROUGE, on the rows of `_scale_runs.py`. Then the index of ids, which a run keeps on disk: ids in no
order, one after the other. `cost_model.py` makes times and prices of it.

    python bench/scale_rates.py DATA_FOLDER --setting static:cpu:1:10000
        --setting minilm:cuda:2:20000 [--machine "16 cores and an H200"] [--json OUT]
    python bench/scale_rates.py DATA_FOLDER --reader cpu:400 --reader cuda:3200 [--json OUT]

With `--reader`, what is measured is the reader alone.
"""

import argparse
import json
import os
import random
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from _scale_runs import rows, scored, sources, write

OUT = Path(__file__).parent / "out"
SHARD_ROWS = {"cpu": 500, "cuda": 5000}  # a GPU wants many sentences at a time
COUNTED = 500
INDEXED = 2_000_000


def main() -> None:
    """Print a line for each setting and write all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--setting", action="append", default=[], metavar="ENC:DEV:WORKERS:ROWS")
    parser.add_argument("--reader", action="append", default=[], metavar="DEV:SENTENCES")
    parser.add_argument("--format", default="jsonl", help="of the results")
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores", help="what it is")
    parser.add_argument("--json", type=Path, default=OUT / "scale_rates.json")
    options = parser.parse_args()
    os.environ["COMMONGROUND_CACHE_SIZE"] = "0"  # the fifth must not help all
    options.json.parent.mkdir(parents=True, exist_ok=True)
    if options.reader:
        rates = {
            "machine": options.machine,
            "cores": os.cpu_count(),
            "reader": reader_rates(options.reader),
        }
        options.json.write_text(json.dumps(rates, indent=2) + "\n", encoding="utf-8")
        return
    given = sources(options.data)
    found: dict[str, Any] = {"machine": options.machine, "cores": os.cpu_count()}
    found |= {"format": options.format, "sentences a row": sentences_a_row(given)}
    found |= {"index": index_cost(), "settings": []}
    print("index: {us a row:.1f} us and {bytes a row:.0f} bytes a row".format(**found["index"]))
    with tempfile.TemporaryDirectory() as folder:
        for setting in options.setting:
            encoder, device, workers, count = setting.split(":")
            row: dict[str, Any] = {"encoder": encoder, "device": device}
            row |= measured(Path(folder), given, row, int(workers), int(count), options.format)
            found["settings"].append(row)
            print(
                f"{encoder:8} {device:5} {workers:>3} workers {row['rows/s']:8.0f} rows/s, start "
                f"{row['start']:5.1f} s, reader {row['reader ms']:.3f} ms, "
                f"{row['memory'] / 1e6:.0f} MB, "
                f"{row['bytes a row'] / 1e3:.1f} KB a row",
                flush=True,
            )
            options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def reader_rates(asked: list[str]) -> list[dict[str, Any]]:
    """Sentences of 22 words that the reader reads against a text of 500 words, a second."""
    from commonground.reader import Reader
    from reader_speed import sentences_a_second

    found = []
    for device, count in (one.split(":") for one in asked):
        rate = sentences_a_second(Reader(cache=False, device=device), int(count))
        found.append({"device": device, "sentences": int(count), "sentences/s": rate})
        print(f"reader on {device}, {count} sentences at once: {rate:.0f} a second", flush=True)
    return found


def measured(
    folder: Path,
    given: list[tuple[str, list[str]]],
    setting: dict[str, Any],
    workers: int,
    count: int,
    form: str,
) -> dict[str, Any]:
    """The rate of a setting beyond its start."""
    part, whole = folder / f"{count // 5}.jsonl", folder / f"{count}.jsonl"
    for path in (part, whole):
        if not path.exists():
            write(path, given, int(path.stem))
    # At least one shard for each worker also in the smaller run, or some would wait in it.
    shard_rows = max(1, min(SHARD_ROWS[setting["device"]], count // 5 // workers))
    more = ("--encoder", setting["encoder"], "--device", setting["device"], "--format", form)
    less, all_ = (
        scored(path, workers, shard_rows=shard_rows, options=more) for path in (part, whole)
    )
    seconds, new = all_.seconds - less.seconds, all_.rows - less.rows
    return {
        "workers": workers,
        "rows": count,
        "rows/s": new / seconds,
        "start": less.seconds - less.rows * seconds / new,
        "reader ms": 1000 * (all_.reader_seconds - less.reader_seconds) / new,
        "bytes a row": all_.written / all_.rows,
        "memory": all_.memory,
    }


def index_cost() -> dict[str, float]:
    """Of an id: microseconds and bytes, over the last half of many."""
    from commonground.scale import scratch_index

    chance, source = random.Random(0), Path("rows.jsonl")
    with tempfile.TemporaryDirectory() as folder, scratch_index(Path(folder)) as index:
        (path,) = Path(folder).iterdir()
        for number in range(INDEXED):
            if number == INDEXED // 2:
                start, size = time.perf_counter(), path.stat().st_size
            index.seen(f"system\0{chance.getrandbits(128):032x}", source, number)
        seconds, size = time.perf_counter() - start, path.stat().st_size - size
    half = INDEXED - INDEXED // 2
    return {"us a row": 1e6 * seconds / half, "bytes a row": size / half}


def sentences_a_row(given: list[tuple[str, list[str]]]) -> float:
    """Of a summary and its references together."""
    from commonground.text import sentences

    texts = [
        text
        for row in islice(rows(given, COUNTED), COUNTED)
        for text in (row["summary"], *row["references"])
    ]
    return sum(len(sentences(text)) for text in texts) / COUNTED


if __name__ == "__main__":
    main()
