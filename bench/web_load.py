"""Fifty people at once who compare narratives, against the real server on two cores.

    python bench/web_load.py [--users 50] [--seconds 60] [--cores 2] [--json OUT]
    python bench/web_load.py --users 1 --seconds 1 --cores 1 --narratives 6 --letters 100000

Starts `commonground serve` on loopback with a worker a core, and lets each user compare one pair
of narratives of 500 words after the other: every pair is new, made of the accounts in examples/
with an ending of its own on each sentence, so that nothing is found in a cache. A user who is
told 503 waits as long as the answer says. Counts answers by status, takes p50 and p95 of the time
from the accepted request to the result, and the memory of the server and of each worker: the
mean of the first third of the run against that of the last. Fails on any other status, on work
that failed, and on memory that grows by more than a tenth. The second form is the longest
comparison that the page takes, alone.
"""

import argparse
import asyncio
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

ROOT = Path(__file__).parents[1]
WORDS = 500
GROWTH = 1.10  # of memory, from the first third to the last
GOOD = {200, 202, 503}


@dataclass
class Figures:
    """What is counted during the run."""

    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    seconds: list[float] = field(default_factory=list)
    with_waiting: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    memory: list[dict[str, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Size:
    """How much is compared: so many letters of each narrative, or 500 words."""

    narratives: int = 2
    letters: int | None = None


def main() -> int:
    """Run it, print the figures and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--narratives", type=int, default=2)
    parser.add_argument("--letters", type=int, help="of a narrative, instead of 500 words")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "out" / "web_load.json")
    wanted = parser.parse_args()
    size = Size(wanted.narratives, wanted.letters)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server, address = started(Path(folder), wanted.cores)
        try:
            figures = asyncio.run(run(server.pid, address, wanted.users, wanted.seconds, size))
        finally:
            server.terminate()
            log = server.communicate(timeout=60)[1]
    found = summary(figures, log)
    found |= {"users": wanted.users, "cores": wanted.cores, "load_before": round(load, 1)}
    found |= {"narratives": size.narratives, "letters": size.letters}
    wanted.json.parent.mkdir(parents=True, exist_ok=True)
    wanted.json.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))
    return 0 if found["sound"] else 1


def started(folder: Path, cores: int) -> tuple["subprocess.Popen[str]", str]:
    """A server process that has its cores alone to run on, and its address."""
    command = [sys.executable, "-m", "commonground", "serve", "--no-browser", "--port", "0"]
    command.append("--no-token")
    server = subprocess.Popen(
        [*command, "--workers", str(cores), "--data", str(folder / "data")],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COMMONGROUND_CACHE": str(folder / "cache")},
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores]),
    )
    said = []
    for line in server.stderr or ():
        said.append(line)
        if found := re.search(r"listening on (http://\S+?)/ ", line):
            return server, found[1]
    raise SystemExit("".join(said))


async def run(pid: int, address: str, users: int, seconds: float, size: Size) -> Figures:
    """Let the users in when every worker is warm, and watch the memory meanwhile."""
    figures = Figures()
    accounts = read_accounts()
    await warm(address, accounts)
    end = time.monotonic() + seconds
    watching = asyncio.create_task(watch(pid, figures))
    await asyncio.gather(
        *(
            use(address, accounts, random.Random(number), end, figures, size)
            for number in range(users)
        )
    )
    watching.cancel()
    return figures


async def warm(address: str, accounts: list[list[str]]) -> None:
    """Some comparisons before the clock runs, until the workers have loaded what they need."""
    end, unseen = time.monotonic() + 120, Figures()
    await asyncio.gather(
        *(
            use(address, accounts, random.Random(-1 - one), end, unseen, Size(), most=2)
            for one in range(4)
        )
    )


async def use(
    address: str,
    accounts: list[list[str]],
    chance: random.Random,
    end: float,
    figures: Figures,
    size: Size,
    most: int = 10**9,
) -> None:
    """One user with a session of their own, comparing until the time is over."""
    async with httpx.AsyncClient(
        base_url=address, headers={"Origin": address}, timeout=120
    ) as client:
        page = await client.get("/compare")
        figures.statuses[page.status_code] += 1
        token = re.search('<meta name="csrf" content="([^"]+)">', page.text)
        client.headers["X-CSRF-Token"] = token[1] if token else ""
        done = 0
        while time.monotonic() < end and done < most:
            await compare(client, narratives(accounts, chance, size), end, figures)
            done += 1


async def compare(
    client: httpx.AsyncClient, texts: list[str], end: float, figures: Figures
) -> None:
    """One comparison, from its first request to its result."""
    began = time.monotonic()
    sent = {"narratives": [{"name": f"N{place}", "text": text} for place, text in enumerate(texts)]}
    while True:
        accepted = time.monotonic()
        answer = await client.post("/api/compare", json=sent)
        figures.statuses[answer.status_code] += 1
        if answer.status_code != 503:
            break
        await asyncio.sleep(
            max(0.0, min(float(answer.headers["Retry-After"]), end - time.monotonic()))
        )
        if time.monotonic() >= end:
            return
    if answer.status_code != 202:
        figures.failures.append(answer.text)
        return
    where, version = f"/api/jobs/{answer.json()['job']}", -1
    while True:
        answer = await client.get(where, params={"after": version})
        figures.statuses[answer.status_code] += 1
        now = answer.json()
        if answer.status_code != 200 or now["state"] in ("failed", "cancelled"):
            figures.failures.append(answer.text[:300])
            return
        if now["state"] == "done":
            figures.seconds.append(time.monotonic() - accepted)
            figures.with_waiting.append(time.monotonic() - began)
            return
        version = now["version"]


def read_accounts() -> list[list[str]]:
    """Pairs of accounts of the same events, as the examples tell them."""
    found = []
    for name in ("examples/events.jsonl", "examples/study/events.jsonl"):
        for line in (ROOT / name).read_text("utf-8").splitlines():
            found.append([one["text"] for one in json.loads(line)["narratives"]][:2])
    return found


def narratives(accounts: list[list[str]], chance: random.Random, size: Size) -> list[str]:
    """Narratives about the same events, with sentences that nobody saw before."""
    events = chance.sample(accounts, len(accounts))
    texts = []
    for number in range(size.narratives):
        text = ""
        # A long one tells the events again, each time with endings of its own.
        while (size.letters and len(text) < size.letters) or not text:
            told = " ".join(event[number % 2] for event in events)
            for one in re.split(r"(?<=[.!?])\s+", told):
                text += f"{one.rstrip('.!?')}, as report {chance.randrange(10**9)} says. "
        texts.append(text[: size.letters] if size.letters else " ".join(text.split()[:WORDS]))
    return texts


async def watch(pid: int, figures: Figures) -> None:
    """The memory of the server and of its workers, in megabytes, twice a second."""
    while True:
        workers = [one for one in children(pid) if resident(one) > 100]
        now = {"server": resident(pid)}
        now |= {f"worker {place}": resident(one) for place, one in enumerate(workers, start=1)}
        figures.memory.append(now)
        await asyncio.sleep(0.5)


def children(pid: int) -> list[int]:
    """The processes that one has started, in the order of their numbers."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(one) for one in (task / "children").read_text().split()]
    return sorted(found)


def resident(pid: int) -> float:
    """Megabytes of a process; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def summary(figures: Figures, log: str) -> dict[str, object]:
    """The figures, and whether all is as it should be."""
    third = max(1, len(figures.memory) // 3)
    memory = {}
    for name in figures.memory[-1]:
        line = [one[name] for one in figures.memory if name in one]
        first, last = np.mean(line[:third]), np.mean(line[-third:])
        memory[name] = {"first_third_mb": round(first, 1), "last_third_mb": round(last, 1)}
    # One comparison alone needs what it needs; only several can tell whether it stays.
    alone = len(figures.seconds) < 2
    flat = alone or all(
        one["last_third_mb"] <= GROWTH * one["first_third_mb"] for one in memory.values()
    )
    p50, p95 = np.percentile(figures.seconds, [50, 95])
    waited = np.percentile(figures.with_waiting, [50, 95])
    return {
        "sound": flat and not figures.failures and not log and set(figures.statuses) <= GOOD,
        "comparisons": len(figures.seconds),
        "statuses": {str(key): figures.statuses[key] for key in sorted(figures.statuses)},
        "p50_s": round(p50, 2),
        "p95_s": round(p95, 2),
        "with_waiting_p50_s": round(waited[0], 2),
        "with_waiting_p95_s": round(waited[1], 2),
        "memory": memory,
        "memory_flat": flat,
        "failures": figures.failures[:10],
        "log": log,
    }


if __name__ == "__main__":
    sys.exit(main())
