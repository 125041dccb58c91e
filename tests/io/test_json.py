"""JSON files: every wrong one is one line that names the file."""

import pytest

from commonground.errors import InputError
from commonground.io import read_json


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: is not JSON (Expecting value at column 1)"),
        (b'{"a": 1\n"b": 2}', "line 2: is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"NaN", "NaN and infinite numbers"),
        (b"1e999", "NaN and infinite numbers"),
        (b'"\\ud800"', "half of a surrogate pair"),
        (b"9" * 5000, "digits"),
        (b'{"weight": 1' + b"0" * 400 + b"}", "308 digits"),
        (b'"\xff"', "is not UTF-8 text"),
    ],
)
def test_wrong_files(content, reason, tmp_path):
    path = tmp_path / "values.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_json(path)
    assert str(caught.value).startswith(str(path))
    assert reason in str(caught.value)
