"""The index of a run: what it remembers, and how it says where that stood."""

import json

import pytest

from commonground.errors import InputError
from commonground.scale import scratch_index


@pytest.fixture
def index(tmp_path):
    with scratch_index(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("key", ["plain", "lone \ud800 surrogate", "nul\0", "end\u2028of line"])
def test_any_id_is_remembered(index, tmp_path, key):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert index.seen(key, first, 3) is None
    assert index.seen(key, first, 4) == "line 3"
    assert index.seen(key, second, 1) == f"{first}, line 3"


def events(path, *names):
    rows = ({"id": name, "references": [f"of {name}"]} for name in names)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_references_by_id(index, tmp_path):
    index.add_references([events(tmp_path / "a.jsonl", "x", "\u00e9\u2028z")])
    assert index.references("\u00e9\u2028z") == ["of \u00e9\u2028z"]
    assert index.references("y") is None
    assert index.events() == 2


def test_an_id_that_comes_twice_is_told_with_both_places(index, tmp_path):
    first = events(tmp_path / "a.jsonl", "x", "y")
    with pytest.raises(InputError, match=r"b\.jsonl, line 2: duplicate id 'y' .*a\.jsonl"):
        index.add_references([first, events(tmp_path / "b.jsonl", "z", "y")])
