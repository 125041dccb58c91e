"""Values that nobody expects, and documents with one of them in a random place."""

import copy
import json

# What an attacker tries first: limits of types, things that look like others, escapes.
ODD = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 10**400, -(10**30), 0.5, -0.0, 1e308, 5e-324),
    *("", " ", "\n", "x", "0", "-1", "1e5", "null", "..", "../../etc/passwd", "/", "\\", "\0"),
    *("=1+1", "<script>alert(1)</script>", "{{7*7}}", "%s%n", "\u202e", "\u200b", "e\u0301" * 50),
    *("\U0001f469\u200d\U0001f4bb", "\ufeff", "\u2028", "a" * 5000, "é" * 300, "word " * 400),
    *([], {}, [[]], [None], {"": None}, [1, "x"], {"a": {"b": []}}, [{}], [[1, 2]], {"id": 1}),
]
# Written into the text, since Python's writer would not write them.
RAW = [
    *("NaN", "-Infinity", "1e999", '"\\ud800"', "9" * 5000, "[" * 2000 + "]" * 2000),
    *("[" * 100_000, '{"a":' * 3000 + "1" + "}" * 3000, "", "{", '"\\u0000"', "01", "'x'", "1,"),
]
_MARK = "\u0001here\u0001"


def places(value, path=()):
    """Yield the path to every value inside a document, and to the document."""
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def changed(document, random):
    """Return the text of a document with one to three places changed."""
    document = copy.deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        document = _change(document, random)
    if random.random() < 0.1:
        path = random.choice(list(places(document)))
        document = _put(document, path, _MARK)
        return json.dumps(document).replace(json.dumps(_MARK), random.choice(RAW))
    return json.dumps(document)


def _change(document, random):
    path = random.choice(list(places(document)))
    action = random.random()
    if path and action < 0.15:
        return _drop(document, path)
    if action < 0.25:
        value = _get(document, path)
        if isinstance(value, list) and value:
            return _put(document, path, random.choice((value * 2, value[:-1], value[::-1])))
        if isinstance(value, dict):
            return _put(document, path, {**value, random.choice(("", "x", "id")): 1})
    if action < 0.4:  # a value from another place: right in form, wrong in meaning
        return _put(document, path, _get(document, random.choice(list(places(document)))))
    return _put(document, path, random.choice(ODD))


def _get(document, path):
    for key in path:
        document = document[key]
    return document


def _put(document, path, value):
    if not path:
        return copy.deepcopy(value)
    _get(document, path[:-1])[path[-1]] = copy.deepcopy(value)
    return document


def _drop(document, path):
    del _get(document, path[:-1])[path[-1]]
    return document
