"""WordNet's definitions and examples, one a line: a free corpus of some 165,000 sentences.

    python bench/wordnet_sentences.py WORDNET_FOLDER [--entries] > sentences.txt

With `--entries` a line has the words of a sense, its definition and its examples together, as in
the corpus of Guo and Diab (2012): 117,659 lines.

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
    parser.add_argument("--entries", action="store_true", help="one line for each sense")
    arguments = parser.parse_args()
    folder = arguments.wordnet
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):  # the licence at the top
                data, gloss = line.split("|", 1)
                for sentence in [_entry(data, gloss)] if arguments.entries else _sentences(gloss):
                    print(sentence)


def _entry(data: str, gloss: str) -> str:
    fields = data.split()
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]  # each is followed by a number
    return " ".join(f"{' '.join(words)} {gloss}".replace("_", " ").replace('"', "").split())


def _sentences(gloss: str) -> Iterator[str]:
    definition = _EXAMPLE_AND_SOURCE.sub("", gloss).strip(" ;")
    for sentence in (definition, *_EXAMPLE.findall(gloss)):
        words = sentence.split()
        if len(words) > 1:
            yield " ".join(words)


if __name__ == "__main__":
    main()
