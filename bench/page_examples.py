"""Recompute the worked examples of the Compare, Score and Pyramid pages.

    python bench/page_examples.py

Tests fail when this is needed.
"""

import json
import re
from typing import Any

from commonground.io import whole_file
from commonground.web.context import DATA
from commonground.web.tasks import results

# Lists of numbers stay on one line.
_NUMBERS = re.compile(r"\[\s+-?[\d.]+(?:,\s+-?[\d.]+)*\s+\]")


def main() -> None:
    """Compute each example from its texts and store it."""
    for name, renew in (("compare", _compare), ("score", _score), ("pyramid", _pyramid)):
        path = DATA / f"{name}_example.json"
        values = json.loads(path.read_text("utf-8"))
        renew(values)
        with whole_file(path) as out:
            text = json.dumps(values, ensure_ascii=False, indent=1)
            out.write(_NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n")


def _compare(values: dict[str, Any]) -> None:
    rows = values["result"]["narratives"]
    sent = {
        "narratives": [{"name": row["source"], "text": row["text"]} for row in rows],
        "at_least": None,
        "max_sentences": values["max_sentences"],
    }
    values["result"] = results.compare(sent, _quietly)["result"]


def _score(values: dict[str, Any]) -> None:
    sent = {key: values[key] for key in ("summary", "references")}
    values.update(_without_notices(results.score(sent, _quietly)))


def _pyramid(values: dict[str, Any]) -> None:
    references = [{"name": "", "text": text} for text in values["pyramid"]["references"]]
    values["pyramid"] = results.build_pyramid({"references": references}, _quietly)["pyramid"]
    sent = {"pyramid": values["pyramid"], "students": values["students"]}
    values["scores"] = _without_notices(results.score_class(sent, _quietly))


def _without_notices(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without the notices about languages: the examples are in English."""
    return {name: value for name, value in result.items() if name != "notices"}


def _quietly(share: float, message: str) -> None:
    """Report no progress."""


if __name__ == "__main__":
    main()
