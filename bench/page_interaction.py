"""Measure the Compare page in Chromium: how fast it reacts, and the size of its assets.

    python bench/page_interaction.py [--words 20000] [--output page_interaction.json]

Two texts of the given length are put together from sentences of this script, with statements,
conflicts and readings at known places, so that nothing is computed first. It needs what `make
test-system` installs: playwright and a Chromium. `--assets URL` also lists the bytes of our own
style sheets and scripts for each page of a running server (`serve --no-token`).
"""

import argparse
import json
import os
import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from commonground.report import overlap_page

_READ = 150  # sentences of a long narrative that are read word by word
_STATEMENTS = 20
_PAGES = ("/", "/compare", "/score", "/pyramid", "/annotate", "/saved")
_SENTENCE = (
    "the council bridge market river said after because early repairs would cost more than "
    "expected and nobody in town had asked for them before winter came to the valley again"
)

# Each action is timed until the next frame is drawn.
_TIMED = """async (act) => {
  const begin = performance.now();
  new Function(act)();
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  return performance.now() - begin;
}"""


_LOADED = """() => performance.getEntriesByType("resource")
  .filter(({ initiatorType }) => initiatorType !== "fetch")
  .reduce((total, { decodedBodySize }) => total + decodedBodySize, 0)"""


def main() -> None:
    """Print a table of times and sizes, and write it as JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--words", type=int, default=20_000)
    options.add_argument("--assets", help="address of a running server")
    options.add_argument("--output", type=Path)
    chosen = options.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), chromium_sandbox=False
        )
        view = browser.new_page(viewport={"width": 1440, "height": 900})
        file = Path(folder) / "page.html"
        file.write_text(overlap_page(made_up(chosen.words)), "utf-8")
        view.goto(file.as_uri())
        found: dict[str, Any] = {
            "words": chosen.words,
            "elements": view.locator(".run, .gap").count(),
            "milliseconds": interactions(view),
        }
        if chosen.assets:
            found["kilobytes"] = {path: assets(view, chosen.assets, path) for path in _PAGES}
        browser.close()
    print(f"two texts of {chosen.words} words, {found['elements']} runs and gaps")
    for name, times in found["milliseconds"].items():
        print(f"{name:<22} median {times['median']:6.1f} ms   worst {times['worst']:6.1f} ms")
    for path, size in found.get("kilobytes", {}).items():
        print(f"{path:<22} {size:6.1f} KB of our own assets")
    if chosen.output:
        chosen.output.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def interactions(view: Page) -> dict[str, dict[str, float]]:
    """Return the time of each kind of interaction."""
    click = 'document.querySelector("#{} .pick").click()'
    slide = 'const s=document.querySelector("#strictness"); s.value={}; ' + (
        's.dispatchEvent(new Event("input", {{bubbles: true}}))'
    )
    acts = {
        "open a statement": [click.format(f"s{n}") for n in range(1, _STATEMENTS + 1)],
        "open a conflict": [click.format("c1"), click.format("c2")] * 5,
        "move the slider": [slide.format(value) for value in (30, 90, 60, 40, 80, 50) * 2],
    }
    result = {}
    for name, scripts in acts.items():
        times = [view.evaluate(_TIMED, script) for script in scripts]
        result[name] = {"median": statistics.median(times), "worst": max(times)}
    return result


def assets(view: Page, server: str, path: str) -> float:
    """Return the size of a page's own style sheets, scripts and images, in kilobytes."""
    view.goto(server.rstrip("/") + path)
    view.wait_for_load_state("networkidle")
    return float(view.evaluate(_LOADED)) / 1000


def made_up(words: int) -> dict[str, Any]:
    """Return a result of two texts with statements, conflicts and word readings."""
    chance = random.Random(0)
    texts: list[list[str]] = [[], []]
    vocabulary = _SENTENCE.split()
    for text in texts:
        while sum(len(sentence.split()) for sentence in text) < words:
            drawn = [chance.choice(vocabulary) for _ in range(chance.randint(12, 36))]
            text.append(" ".join(drawn).capitalize() + ".")
    spans = [_spans(text) for text in texts]
    joined = [" ".join(text) for text in texts]
    read = [sorted(chance.sample(range(len(text)), min(_READ, len(text)))) for text in texts]

    def passage(narrative: int, index: int, **more: Any) -> dict[str, Any]:
        start, end = spans[narrative][index]
        quoted = {"text": joined[narrative][start:end], "start": start, "end": end}
        return {"narrative": narrative, **quoted, "probability": 0.8, "through": None, **more}

    def side(narrative: int, index: int) -> dict[str, Any]:
        start, value = spans[narrative][index][0], texts[narrative][index].split()[0]
        where = {"value": value, "value_start": start, "value_end": start + len(value)}
        return passage(narrative, index, **where, group=narrative)

    pairs = list(zip(*(rows[:: max(1, len(rows) // _STATEMENTS)] for rows in read), strict=False))
    return {
        "summary": "",
        "statements": [
            {
                "text": texts[0][pair[0]],
                "weight": 2,
                "probability": 0.8,
                "evidence": [passage(narrative, index) for narrative, index in enumerate(pair)],
            }
            for pair in pairs[:_STATEMENTS]
        ],
        "unique": [passage(narrative, rows[3]) for narrative, rows in enumerate(read)],
        "conflicts": [
            {
                "kind": "number",
                "probability": 0.7,
                "sides": [side(narrative, rows[n]) for narrative, rows in enumerate(read)],
            }
            for n in (4, -1)
        ],
        "narratives": [{"source": f"Text {n}", "text": text} for n, text in enumerate(joined)],
        "at_least": 2,
        "signature": "OVERLAP|made up",
        "strictness": 0.5,
        "less_likely": [],
        "readings": [
            [_reading(chance, texts, spans, narrative, index) for index in rows]
            for narrative, rows in enumerate(read)
        ],
    }


def _reading(
    chance: random.Random,
    texts: list[list[str]],
    spans: list[list[tuple[int, int]]],
    narrative: int,
    index: int,
) -> dict[str, Any]:
    start, end = spans[narrative][index]
    offsets, at = [], start
    for word in texts[narrative][index].split():
        offsets += [at, at + len(word)]
        at += len(word) + 1
    other = 1 - narrative
    support = [round(chance.betavariate(0.3, 0.3), 3) for _ in offsets[::2]]
    against = {
        "narrative": other,
        "probabilities": [0.2, 0.5, 0.1, 0.2],
        "support": support,
        "evidence": list(chance.choice(spans[other])),
    }
    return {"start": start, "end": end, "offsets": offsets, "against": [against]}


def _spans(sentences: list[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return spans


if __name__ == "__main__":
    main()
