"""Hard negatives: sentences of a text with one thing changed, read against that text.

A changed number, day, month, negation or opposite makes the sentence contradict its own text; the
changed word is not stated, all others are.
"""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from training.items import CONTRADICTED, STATED, Claim, Item

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_OPPOSITES = (Path(__file__).parent / "data" / "opposites.txt").read_text("utf-8")
_NEGATED = [
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "will",
    "would",
    "can",
    "could",
    "did",
    "does",
    "do",
    "should",
    "may",
    "might",
]
_CYCLES = (_DAYS, _MONTHS)


def altered(items: Iterable[Item], limit: int, seed: int = 0) -> Iterator[Item]:
    """Yield items whose claims are sentences of the item's own text, whole or with one change."""
    rng = random.Random(seed)
    texts = sorted({(item.id, item.fold, item.kind, item.text) for item in items})
    rng.shuffle(texts)
    made = 0
    for name, fold, kind, text in texts:
        claims = []
        for place in rng.sample(range(len(text)), min(4, len(text))):
            words = text[place].split()
            changed = change(words, rng) if len(words) > 4 else None
            if changed is None:
                continue
            new, marks = changed
            claims.append(Claim(" ".join(new), (CONTRADICTED,), marks, (place,)))
            if rng.random() < 0.3:
                whole = Claim(text[place], (STATED,), (1,) * len(words), (place,))
                claims.append(whole)
        if claims:
            made += len(claims)
            yield Item(f"{name}", "altered", kind, fold, text, tuple(claims))
        if made >= limit:
            return


def change(words: list[str], rng: random.Random) -> tuple[list[str], tuple[int, ...]] | None:
    """Change one thing in a sentence; None if nothing in it can be changed."""
    ways = [_number, _calendar, _opposite, _negation]
    rng.shuffle(ways)
    for way in ways:
        found = way(words, rng)
        if found:
            return found
    return None


def _number(words: list[str], rng: random.Random) -> tuple[list[str], tuple[int, ...]] | None:
    places = [i for i, word in enumerate(words) if re.search(r"\d", word)]
    if not places:
        return None
    place = rng.choice(places)
    digits = list(words[place])
    at = rng.choice([i for i, sign in enumerate(digits) if sign.isdigit()])
    digits[at] = rng.choice([sign for sign in "123456789" if sign != digits[at]])
    return _with(words, place, "".join(digits))


def _calendar(words: list[str], rng: random.Random) -> tuple[list[str], tuple[int, ...]] | None:
    found = [
        (place, name, cycle)
        for place, word in enumerate(words)
        for cycle in _CYCLES
        for name in cycle
        if word.strip(".,;:()'\"") == name
    ]
    if not found:
        return None
    place, name, cycle = rng.choice(found)
    other = rng.choice([one for one in cycle if one != name])
    return _with(words, place, words[place].replace(name, other))


def _opposite(words: list[str], rng: random.Random) -> tuple[list[str], tuple[int, ...]] | None:
    pairs = [pair.split() for pair in _OPPOSITES.splitlines()]
    turned = {one: other for a, b in pairs for one, other in ((a, b), (b, a))}
    places = [i for i, word in enumerate(words) if word.strip(".,;:") in turned]
    if not places:
        return None
    place = rng.choice(places)
    bare = words[place].strip(".,;:")
    return _with(words, place, words[place].replace(bare, turned[bare]))


def _negation(words: list[str], rng: random.Random) -> tuple[list[str], tuple[int, ...]] | None:
    if "not" in words:
        place = words.index("not")
        rest = words[:place] + words[place + 1 :]
        # The verb before it now asserts what the text denies.
        marks = tuple(int(i != place - 1) for i in range(len(rest)))
        return rest, marks
    places = [i for i, word in enumerate(words[:-1]) if word in _NEGATED]
    if not places:
        return None
    place = rng.choice(places)
    new = [*words[: place + 1], "not", *words[place + 1 :]]
    return new, tuple(int(i != place + 1) for i in range(len(new)))


def _with(words: list[str], place: int, word: str) -> tuple[list[str], tuple[int, ...]]:
    new = [*words[:place], word, *words[place + 1 :]]
    return new, tuple(int(i != place) for i in range(len(new)))


def pool_with_altered(items: Iterable[Item], share: float, seed: int = 0) -> Iterator[Item]:
    """Yield pool items with some claims repeated in a changed form; nothing is known of those."""
    rng = random.Random(seed)
    for item in items:
        more = []
        for claim in item.claims:
            changed = change(claim.sentence.split(), rng) if rng.random() < share else None
            if changed:
                more.append(Claim(" ".join(changed[0])))
        yield replace(item, claims=(*item.claims, *more))
