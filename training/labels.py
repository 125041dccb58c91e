"""Check raw labels against their events, and turn each `shared` wording into a 0/1 per word.

    python -m training.labels EVENTS.jsonl RAW.jsonl [--write OUT.jsonl]

Prints one line for each fault, with event, narrative and sentence; exit code 1 if there is any.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LABELS = ("stated", "partly", "contradicted", "absent", "nothing")
KINDS = ("number", "date", "name", "place", "negation", "attribution", "cause", "role", "other")

_BRACKET = re.compile(r"\[[^\]]*\]")
_EDGE = re.compile(r"^\W+|\W+$")


class LabelError(Exception):
    """A label that does not follow the protocol."""


def kept_words(sentence: str, shared: str) -> list[int]:
    """Return 1 for each whitespace word of the sentence that `shared` keeps, else 0.

    `shared` must be a cut of the sentence: its words in their order, ignoring case, punctuation
    at their edges and whatever stands in square brackets. A word that occurs several times is
    matched so that runs stay together: the cut with the fewest gaps wins.

    Example:
        >>> kept_words("The old van hit the gate at noon.", "The van hit the gate.")
        [1, 0, 1, 1, 1, 1, 0, 0]
    """
    words = [_bare(word) for word in sentence.split()]
    wanted = [_bare(word) for word in _BRACKET.sub(" ", shared).split()]
    wanted = [word for word in wanted if word]
    if not wanted:
        raise LabelError(f"shared is no cut of the sentence: {shared!r}")
    # gaps[i]: the fewest gaps with the current wanted word at word i.
    none = len(words) + 1
    gaps = [0 if word == wanted[0] else none for word in words]
    steps = []
    for target in wanted[1:]:
        reached, before, best = [none] * len(words), [0] * len(words), (none, 0)
        for i in range(1, len(words)):
            if i > 1:  # a word that is not the neighbour costs a gap
                best = min(best, (gaps[i - 2] + 1, i - 2))
            if words[i] == target:
                reached[i], before[i] = min((gaps[i - 1], i - 1), best)
        gaps = reached
        steps.append(before)
    place = min(range(len(words)), key=gaps.__getitem__, default=0)
    if not words or gaps[place] >= none:
        raise LabelError(f"shared is no cut of the sentence: {shared!r}")
    kept = [0] * len(words)
    kept[place] = 1
    for before in reversed(steps):
        place = before[place]
        kept[place] = 1
    return kept


def finished(event: dict[str, Any], raw: dict[str, Any]) -> dict[str, Any]:
    """Return the labels of an event in full: absent entries added, words marked.

    Raises:
        LabelError: With all faults of the event, one a line.
    """
    faults, labels, nothing = [], {}, set()
    for entry in raw["labels"]:
        try:
            for full in _spread(event, entry):
                key = full["n"], full["s"], full["in"]
                if key in labels:
                    raise LabelError("labelled twice")
                labels[key] = full
                if full["label"] == "nothing":
                    nothing.add(key)
        except (LabelError, KeyError, TypeError, IndexError) as error:
            place = f"n={entry.get('n')} s={entry.get('s')} in={entry.get('in')}"
            faults.append(f"{event['id']} {place}: {type(error).__name__} {error}")
    faults += [f"{event['id']}: conflict {fault}" for fault in _conflict_faults(event, raw)]
    if faults:
        raise LabelError("\n".join(faults))
    narratives = event["narratives"]
    for n, s, other in _places(narratives):
        if (n, s, other) not in labels:
            words = [0] * len(narratives[n][s].split())
            labels[n, s, other] = _entry(n, s, other, "absent", [], None, words)
    return {
        "id": event["id"],
        "labels": [labels[key] for key in sorted(labels)],
        "common": raw.get("common", []),
        "conflicts": raw.get("conflicts", []),
    }


def _spread(event: dict[str, Any], entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the full entry, for "nothing" one for each other narrative."""
    narratives, label = event["narratives"], entry["label"]
    if label not in LABELS:
        raise LabelError(f"unknown label {label!r}")
    n, s = entry["n"], entry["s"]
    sentence = narratives[n][s]
    count = len(sentence.split())
    if label in ("nothing", "absent"):
        others = [entry["in"]] if "in" in entry else [o for o in range(len(narratives)) if o != n]
        for other in others:
            yield _entry(n, s, other, label, [], None, [0] * count)
        return
    other = entry["in"]
    if other == n or not 0 <= other < len(narratives):
        raise LabelError(f"in={other} is not another narrative")
    evidence = sorted(set(entry.get("evidence") or []))
    if not evidence or any(not 0 <= place < len(narratives[other]) for place in evidence):
        raise LabelError(f"evidence {evidence} is empty or not in narrative {other}")
    shared = entry.get("shared")
    if label == "partly" and not shared:
        raise LabelError("partly needs shared")
    if label == "stated":
        shared = None
    words = kept_words(sentence, shared) if shared else [1] * count if label == "stated" else None
    if label == "partly" and all(words or []):
        raise LabelError("shared keeps every word: label it stated, or cut it")
    yield _entry(n, s, other, label, evidence, shared, words)


def _entry(
    n: int,
    s: int,
    other: int,
    label: str,
    evidence: list[int],
    shared: str | None,
    words: list[int] | None,
) -> dict[str, Any]:
    entry: dict[str, Any] = {"n": n, "s": s, "in": other, "label": label, "evidence": evidence}
    return {**entry, "shared": shared, "words": words}


def _conflict_faults(event: dict[str, Any], raw: dict[str, Any]) -> Iterator[str]:
    for conflict in raw.get("conflicts", []):
        try:
            sides = [event["narratives"][n][s] for n, s in (conflict["a"], conflict["b"])]
            if conflict["kind"] not in KINDS or not isinstance(conflict["hard"], bool) or not sides:
                yield f"{conflict['a']}-{conflict['b']}: kind or hard is wrong"
        except (KeyError, IndexError, TypeError, ValueError):
            yield f"{conflict}: a and b must be [narrative, sentence]"


def _places(narratives: list[list[str]]) -> Iterator[tuple[int, int, int]]:
    for n, sentences in enumerate(narratives):
        for s in range(len(sentences)):
            yield from ((n, s, other) for other in range(len(narratives)) if other != n)


def _bare(word: str) -> str:
    return _EDGE.sub("", word).casefold().replace("\u2019", "'")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines; a broken line is a LabelError that names it."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(json.loads(line)) if line.strip() else None
        except json.JSONDecodeError as error:
            raise LabelError(f"{path} line {number}: {error}") from None
    return found


def main() -> None:
    """Check, report, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", type=Path)
    parser.add_argument("raw", type=Path)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    try:
        events = {event["id"]: event for event in read_lines(arguments.events)}
        raw = {one["id"]: one for one in read_lines(arguments.raw)}
    except LabelError as error:
        sys.exit(str(error))
    done, faults = [], [f"{name}: not labelled" for name in events if name not in raw]
    for name, event in events.items():
        try:
            done += [finished(event, raw[name])] if name in raw else []
        except LabelError as error:
            faults.append(str(error))
    if arguments.write:
        lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in done]
        arguments.write.write_text("".join(lines), encoding="utf-8")
    print("\n".join([*faults, f"{len(done)} of {len(events)} events are complete"]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
