"""The one form of all training data: a text, and sentences read against it."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

CLASSES = ("stated", "partly", "contradicted", "absent")
STATED, PARTLY, CONTRADICTED, ABSENT = range(4)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that is read against a text.

    Attributes:
        sentence: Its words, separated by white space.
        allowed: The classes it may have; None if nothing is known.
        words: 1 for each word that the text states, 0 for others, -1 for unknown; None if nothing
            is known.
        evidence: The numbers of the text's sentences that show it; None if nothing is known.
        near: The text's sentences nearest to it, best first.
        key: Where the label stands: narrative, sentence, other narrative; or unit and system.
    """

    sentence: str
    allowed: tuple[int, ...] | None = None
    words: tuple[int, ...] | None = None
    evidence: tuple[int, ...] | None = None
    near: tuple[int, ...] = ()
    key: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A text and what is read against it.

    Attributes:
        id: The event, document or row.
        source: The data set.
        kind: The kind of text, such as "news" or "policy".
        fold: The fold that holds it out; -1 if it is never held out.
        text: The sentences of the text.
        claims: The sentences that are read against it.
    """

    id: str
    source: str
    kind: str
    fold: int
    text: tuple[str, ...]
    claims: tuple[Claim, ...] = field(default=())


def write_items(path: Path, items: Iterable[Item]) -> int:
    """Write items as gzipped JSON lines; return how many there are."""
    count = 0
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        for item in items:
            stream.write(json.dumps(asdict(item), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_items(path: Path) -> Iterator[Item]:
    """Read what `write_items` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            claims = tuple(
                Claim(**{key: _frozen(value) for key, value in claim.items()})
                for claim in row.pop("claims")
            )
            yield Item(**{**row, "text": tuple(row["text"]), "claims": claims})


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
