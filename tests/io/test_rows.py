"""Rows in and out of files, and a clear line for each way they can be wrong."""

import gzip
import json

import pytest

from commonground.errors import CommongroundError, InputError
from commonground.io import (
    Event,
    Narrative,
    read_events,
    read_predictions,
    read_rows,
    read_text,
    write_events,
    write_rows,
)


@pytest.fixture
def file(tmp_path):
    def write(content, name="rows.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def message(reader, path):
    with pytest.raises(InputError) as caught:
        list(reader(path))
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(str(path), "FILE")


def test_rows_with_byte_order_mark_crlf_and_blank_lines(file):
    path = file(b'\xef\xbb\xbf{"id": "a"}\r\n\r\n{"id": "b"}')
    assert [(row.line, row.values["id"]) for row in read_rows(path)] == [(1, "a"), (3, "b")]


def test_gzip_is_unpacked(file):
    path = file(gzip.compress(b'{"id": "a"}\n'), "rows.jsonl.gz")
    assert [row.identifier() for row in read_rows(path)] == ["a"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"id": 1}\n{"id": }', "FILE, line 2: is not JSON (Expecting value at column 8)"),
        ("[1, 2]", "FILE, line 1: must be a JSON object, not a list"),
        ("17", "FILE, line 1: must be a JSON object, not a number"),
        (b'{"id": "caf\xe9"}', "FILE, line 1: is not UTF-8 text (byte 0xE9 at column 12)"),
        (b"\x89PNG\r\n\x1a\n\0\0", "FILE, line 1: is not UTF-8 text (byte 0x89 at column 1)"),
        (b"abc\0def", "FILE, line 1: is a binary file, not text"),
        ('{"id": "a"}'.encode("utf-16"), "FILE: is UTF-16 text; save it as UTF-8"),
        ("[" * 200_000, "FILE, line 1: is JSON nested too deeply"),
    ],
)
def test_files_that_are_not_jsonl(file, content, expected):
    assert message(read_rows, file(content)).startswith(expected)


def test_files_that_cannot_be_read(file, tmp_path):
    assert message(read_rows, tmp_path / "none.jsonl") == "FILE: no such file or folder"
    assert message(read_rows, tmp_path) == "FILE: is a folder, not a file"
    whole = gzip.compress(b'{"id": "a"}\n' * 100)
    assert message(read_rows, file(whole[:-9], "cut.gz")) == "FILE: is a damaged gzip file"
    assert message(read_rows, file(b"plain", "no.gz")) == "FILE: is a damaged gzip file"


def test_events(file):
    row = {
        "id": 7,
        "narratives": [{"source": "north", "text": "Snow fell."}, {"text": "It snowed."}],
        "references": ["Snow."],
    }
    (event,) = read_events(file(json.dumps(row))).values()
    assert event.id == "7"
    assert [n.source for n in event.narratives] == ["north", "narrative 2"]
    assert event.references == ("Snow.",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"references": []}', 'FILE, line 1: "id" is missing (keys here: "references")'),
        (
            '{"id": "a", "reference": []}',
            'FILE, line 1: "narratives" and "references" are both missing (keys here: "id", ',
        ),
        ('{"id": " ", "references": []}', 'FILE, line 1: "id" must be a string that is not blank'),
        ('{"id": true, "references": []}', 'FILE, line 1: "id" must be a string that is not blank'),
        ('{"id": "a", "references": "x"}', 'FILE, line 1: "references" must be a list, not a str'),
        ('{"id": "a", "references": [1]}', 'FILE, line 1: "references": number 1 must be a string'),
        ('{"id": "a", "narratives": ["x"]}', 'FILE, line 1: "narratives": number 1 must be an obj'),
        ('{"id": "a", "references": []}\n' * 2, "FILE, line 2: duplicate id 'a' (first in line 1)"),
    ],
)
def test_wrong_events(file, content, expected):
    assert message(read_events, file(content)).startswith(expected)


def test_predictions_of_two_systems_may_share_ids(file):
    rows = [{"id": "a", "summary": "S", "system": system} for system in ("x", "y")]
    path = file("\n".join(map(json.dumps, rows)))
    assert [(p.id, p.system, p.line) for p in read_predictions(path)] == [
        ("a", "x", 1),
        ("a", "y", 2),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"id": "a"}', 'FILE, line 1: "summary" is missing (keys here: "id")'),
        ('{"id": "a", "summary": null}', 'FILE, line 1: "summary" must be a string, not null'),
        (
            '{"id": "a", "summary": "", "system": "s"}\n{"id": "a", "summary": "", "system": "s"}',
            "FILE, line 2: duplicate id 'a' of system 's' (first in line 1)",
        ),
    ],
)
def test_wrong_predictions(file, content, expected):
    assert message(read_predictions, file(content)) == expected


def test_written_rows_come_back_whatever_they_hold(tmp_path):
    rows = [{"id": "é", "text": "a\u2028b\U0001f600\n"}, {"id": "2", "value": 0.1 + 0.2}]
    path = tmp_path / "out.jsonl"
    write_rows(path, rows)
    assert [dict(row.values) for row in read_rows(path)] == rows


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('"\\ud800"', "half of a surrogate pair is not a character"),
        ('{"\\uDEAD": 1}', "half of a surrogate pair is not a character"),
        ("NaN", "NaN and infinite numbers are not allowed"),
        ("-Infinity", "NaN and infinite numbers are not allowed"),
        ("1e999", "NaN and infinite numbers are not allowed"),
        ("9" * 400 + ".0", "NaN and infinite numbers are not allowed"),
    ],
)
def test_values_that_are_not_standard_json_are_refused_with_their_line(file, value, reason):
    path = file('{"id": "1", "summary": "a"}\n{"id": "2", "summary": "b", "more": ' + value + "}")
    assert message(read_predictions, path).endswith(f"line 2: is not JSON ({reason})")


def test_a_whole_surrogate_pair_is_a_letter(file):
    path = file('{"id": "1", "summary": "\\ud83d\\ude00 1e5 NaN Infinity"}')
    assert [row.summary for row in read_predictions(path)] == ["\U0001f600 1e5 NaN Infinity"]


def test_packed_rows_come_back_and_the_mode_stays(tmp_path):
    path = tmp_path / "out.jsonl.gz"
    write_rows(path, [{"id": "1"}])
    path.chmod(0o600)
    write_rows(path, [{"id": "2"}])
    assert [row.identifier() for row in read_rows(path)] == ["2"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "out.jsonl"
    write_rows(path, [{"id": "old"}])

    def rows():
        yield {"id": "new"}
        raise RuntimeError("the work failed")

    with pytest.raises(RuntimeError):
        write_rows(path, rows())
    assert [row.identifier() for row in read_rows(path)] == ["old"]
    assert list(tmp_path.iterdir()) == [path]


def test_writing_where_there_is_no_folder_is_one_line(tmp_path):
    with pytest.raises(CommongroundError, match=r"out\.jsonl: not written \(no such file"):
        write_rows(tmp_path / "none" / "out.jsonl", [])


def test_text_files(file):
    assert read_text(file(b"\xef\xbb\xbfOne.\r\nTwo.\r\n", "a.txt")) == "One.\nTwo."


def test_a_reader_that_goes_on_after_bad_rows(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text(
        '{"id": "a", "references": ["One."]}\nnot json\n{"id": "a", "references": []}\n'
        '{"id": "b", "references": "One."}\n{"id": "c", "narratives": [{"text": "x"}]}\n'
    )
    complaints = []
    events = read_events(path, complaints.append)
    assert list(events) == ["a", "c"]
    assert [str(one).split(": ")[0].rsplit(", ")[-1] for one in complaints] == [
        "line 2",
        "line 3",
        "line 4",
    ]


def test_written_events_are_read_back_as_they_were(tmp_path):
    events = [
        Event("a", (Narrative("left", "Über «Rain»."), Narrative("right", "x")), ("One.", "")),
        Event("b", (), ("\u2028 two",)),
    ]
    write_events(tmp_path / "data.jsonl", events)
    assert list(read_events(tmp_path / "data.jsonl").values()) == events
