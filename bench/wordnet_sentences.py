"""WordNet's definitions and examples, one a line: a free corpus of some 165,000 sentences.

    python bench/wordnet_sentences.py WORDNET_FOLDER > sentences.txt

The folder holds WordNet's own files `data.noun`, `data.verb`, `data.adj` and `data.adv`, as
Debian's package `wordnet-base` installs them in /usr/share/wordnet.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

_EXAMPLE = re.compile(r'"([^"]+)"')
_EXAMPLE_AND_SOURCE = re.compile(r';?\s*"[^"]*"[^;"]*')


def main() -> None:
    """Print the sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path, help="folder with data.noun and the others")
    folder = parser.parse_args().wordnet
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):  # the licence at the top
                for sentence in _sentences(line.split("|", 1)[1]):
                    print(sentence)


def _sentences(gloss: str) -> Iterator[str]:
    definition = _EXAMPLE_AND_SOURCE.sub("", gloss).strip(" ;")
    for sentence in (definition, *_EXAMPLE.findall(gloss)):
        words = sentence.split()
        if len(words) > 1:
            yield " ".join(words)


if __name__ == "__main__":
    main()
