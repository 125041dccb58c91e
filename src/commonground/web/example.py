"""Write the Compare page's worked example anew: `python -m commonground.web.example`.

Needed when comparing has changed; a test says so.
"""

import json

from commonground.io import Narrative, whole_file
from commonground.narratives import Overlaps
from commonground.web.pages.compare import EXAMPLE, example


def main() -> None:
    """Compare the example's narratives and store what is found."""
    before = example()
    narratives = [Narrative(one.source, one.text) for one in before.result.narratives]
    found = Overlaps(max_sentences=before.max_sentences).find(narratives).to_dict()
    with whole_file(EXAMPLE) as out:
        values = {"result": found, "max_sentences": before.max_sentences}
        json.dump(values, out, ensure_ascii=False, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
