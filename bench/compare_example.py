"""Recompute the worked example of the Compare page; a test fails when this is needed."""

import json

from commonground.io import Narrative, whole_file
from commonground.narratives import Overlaps
from commonground.web.context import DATA
from commonground.web.pages.results.compare import PAGE


def main() -> None:
    """Compare the example's narratives and store the result."""
    old = PAGE.example()
    narratives = [Narrative(row.source, row.text) for row in old.result.narratives]
    result = Overlaps(max_sentences=old.max_sentences).find(narratives).to_dict()
    with whole_file(DATA / "compare_example.json") as out:
        values = {"result": result, "max_sentences": old.max_sentences}
        json.dump(values, out, ensure_ascii=False, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
