"""How much of an article do we extract from a page, and how much else?

.venv/bin/python bench/article_extraction.py [FOLDER] [--json OUT]

FOLDER is a checkout of github.com/scrapinghub/article-extraction-benchmark; without it, the pages
in tests/documents/pages. trafilatura and readability-lxml are compared if they are installed. F1
counts shingles of four words; the mean over pages. No rule was made from the "unseen" pages, but
their scores were seen while the rules were written.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

from commonground.documents import extract

OWN = Path(__file__).parents[1] / "tests" / "documents" / "pages"


def own_pages() -> Iterator[tuple[str, bytes, str]]:
    """Yield the name, content and text of each page of our tests."""
    for page in sorted(OWN.glob("*.html")):
        text = page.with_suffix(".txt").read_text("utf-8").split("\n\n", 1)[1]
        yield page.stem, page.read_bytes(), text


def benchmark_pages(folder: Path) -> Iterator[tuple[str, bytes, str]]:
    """Yield the name, content and text of each page of the benchmark."""
    for name, row in json.loads((folder / "ground-truth.json").read_bytes()).items():
        yield (
            name,
            gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()),
            row["articleBody"],
        )


def extractors() -> dict[str, Callable[[bytes], str]]:
    """Return the extractors that are installed."""
    found: dict[str, Callable[[bytes], str]] = {"ours": lambda page: extract(page, "a.html").text}
    if find_spec("trafilatura"):
        import trafilatura

        found["trafilatura"] = lambda page: trafilatura.extract(page, include_comments=False) or ""
    if find_spec("readability"):
        import lxml.html
        import readability

        found["readability"] = lambda page: lxml.html.fromstring(
            readability.Document(page.decode("utf-8", "replace")).summary()
        ).text_content()
    return found


def compared(text: str, found: str) -> tuple[float, float]:
    """Return the precision and recall of shingles."""
    truth, guess = _shingles(text), _shingles(found)
    shared = (truth & guess).total()
    return shared / max(guess.total(), 1), shared / max(truth.total(), 1)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[start : start + 4]) for start in range(max(1, len(words) - 3)))


def main() -> None:
    """Print a table and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pages = list(benchmark_pages(options.folder) if options.folder else own_pages())
    parts = {"all": pages}
    if options.folder:
        parts["unseen"] = [page for page in pages if int(page[0][0], 16) % 2]
    rows = []
    for name, extractor in extractors().items():
        for part, chosen in parts.items():
            figures = [compared(text, extractor(content)) for _, content, text in chosen]
            precision, recall = (mean(column) for column in zip(*figures, strict=True))
            f1 = 2 * precision * recall / (precision + recall)
            rows.append((name, part, len(chosen), precision, recall, f1))
            print(
                f"{name:<12} {part:<7} {len(chosen):>4} P {precision:.3f} R {recall:.3f} F {f1:.3f}"
            )
    if options.json:
        keys = ("extractor", "pages", "count", "precision", "recall", "f1")
        options.json.write_text(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]))


if __name__ == "__main__":
    main()
