"""Files, folders and globs; rows of tables as of lines."""

import gzip
import json

import pytest

from commonground.errors import InputError
from commonground.io import (
    BadRow,
    count_rows,
    encoded,
    find_files,
    form_of,
    join,
    read_events,
    read_predictions,
    read_rows,
    try_rows,
    would_read,
)

ROWS = [
    {"id": "a", "count": 1, "of": {"f1": 0.5, "deep": {"x": "y"}}, "list": [1, {"k": None}]},
    {"id": "b", "count": 2, "of": {"f1": 0.25, "deep": {"x": None}}, "list": []},
]
FLAT = [
    {"id": "a", "count": 1, "of.f1": 0.5, "of.deep.x": "y", "list": '[1, {"k": null}]'},
    {"id": "b", "count": 2, "of.f1": 0.25, "list": "[]"},
]
TABLES = ("parquet", "arrow")


@pytest.fixture
def folder(tmp_path):
    for name in (
        "b.jsonl",
        "a.parquet",
        "c.jsonl.gz",
        "_errors.jsonl",
        ".hidden.jsonl",
        "x.txt",
        "y.xls",
    ):
        (tmp_path / name).touch()
    (tmp_path / "sub.jsonl").mkdir()
    return tmp_path


def names(paths):
    return [path.name for path in paths]


def test_a_folder_stands_for_its_files_of_rows(folder):
    assert names(find_files([folder])) == ["a.parquet", "b.jsonl", "c.jsonl.gz"]


def test_names_keep_their_order_and_each_file_comes_once(folder):
    given = [folder / "c.jsonl.gz", folder / "x.txt", f"{folder}/*.jsonl*", folder]
    assert names(find_files(given)) == ["c.jsonl.gz", "x.txt", "b.jsonl", "a.parquet"]


def test_rows_that_failed_in_a_run_are_read_only_where_they_are_meant(folder):
    (folder / "b.jsonl.errors.jsonl").touch()
    assert names(find_files([f"{folder}/*.jsonl"])) == ["b.jsonl"]
    assert names(find_files([folder])) == ["a.parquet", "b.jsonl", "c.jsonl.gz"]
    meant = [f"{folder}/_*.jsonl", f"{folder}/*.errors.jsonl", folder / "_errors.jsonl"]
    assert names(find_files(meant)) == ["_errors.jsonl", "b.jsonl.errors.jsonl"]


def test_a_name_with_signs_of_a_glob_is_a_file_if_it_is_there(tmp_path):
    path = tmp_path / "run[1].jsonl"
    path.touch()
    assert find_files([path]) == (path,)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("none.jsonl", "no such file or folder"),
        ("none-*.jsonl", "matches no file"),
        ("*_errors.jsonl", "matches no file that is read"),
        ("sub.*", "matches no file that is read"),
        ("y.xls", "is not a file of rows"),
        ("sub.jsonl", "is a folder without files of rows"),
    ],
)
def test_names_that_mean_nothing(folder, name, told):
    with pytest.raises(InputError, match=told):
        find_files([folder / name])


@pytest.mark.parametrize(
    ("name", "path", "read"),
    [
        (".", "out.jsonl", True),
        (".", "sub.jsonl/out.jsonl", False),
        ("*.jsonl", "out.jsonl", True),
        ("*.jsonl", "_out.jsonl", False),
        ("_*.jsonl", "_out.jsonl", True),
        ("*.jsonl", "out.jsonl.errors.jsonl", False),
        ("*.jsonl", "new/out.jsonl", False),
        ("*/*.jsonl", "new/out.jsonl", True),
        ("**/*.jsonl", "out.jsonl", True),
        ("**/*.jsonl", "new/deep/out.jsonl", True),
        ("new/**", "new/deep/out.jsonl", True),
        ("old/**/*.jsonl", "new/deep/out.jsonl", False),
        ("b.jsonl", "b.jsonl", False),
    ],
)
def test_what_a_name_stands_for_before_it_is_there(folder, name, path, read):
    assert would_read(str(folder / name), folder / path) == read


@pytest.mark.parametrize("form", TABLES)
def test_tables_hold_what_rows_hold(tmp_path, form):
    pytest.importorskip("pyarrow")
    path = tmp_path / f"t.{form}"
    path.write_bytes(encoded(ROWS, form))
    assert form_of(path) == form
    assert [dict(row.values) for row in read_rows(path)] == FLAT
    assert count_rows(path) == 2


@pytest.mark.parametrize("form", TABLES)
def test_tables_are_joined_though_one_is_empty_or_lacks_a_column(tmp_path, form):
    pytest.importorskip("pyarrow")
    parts = []
    for number, rows in enumerate((ROWS[:1], [], [{"id": "c", "new": 1.5}], ROWS[1:])):
        parts.append(tmp_path / f"part-{number}.{form}")
        parts[-1].write_bytes(encoded(rows, form))
    whole = tmp_path / f"whole.{form}"
    with whole.open("wb") as out:
        join(parts, form, out)
    assert [dict(row.values) for row in read_rows(whole)] == [
        FLAT[0],
        {"id": "c", "new": 1.5},
        FLAT[1],
    ]


@pytest.mark.parametrize("form", TABLES)
def test_a_column_without_a_value_fits_any_other(tmp_path, form):
    pytest.importorskip("pyarrow")
    parts = [tmp_path / f"{number}.{form}" for number in range(2)]
    for part, value in zip(parts, (None, 1.5), strict=True):
        part.write_bytes(encoded([{"id": "a", "number": value, "none": None}], form))
    with (tmp_path / f"whole.{form}").open("wb") as out:
        join(parts, form, out)
    found = [dict(row.values) for row in read_rows(tmp_path / f"whole.{form}")]
    assert found == [{"id": "a"}, {"id": "a", "number": 1.5}]


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz"])
def test_lines_are_joined_as_they_are(tmp_path, form):
    parts = [tmp_path / f"{number}.{form}" for number in range(3)]
    for part, rows in zip(parts, (ROWS[:1], [], ROWS[1:]), strict=True):
        part.write_bytes(encoded(rows, form))
    whole = tmp_path / f"whole.{form}"
    with whole.open("wb") as out:
        join(parts, form, out)
    assert [row.values for row in read_rows(whole)] == ROWS
    assert count_rows(whole) == 2


def test_a_stream_of_arrow_is_read_too(tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist([{"id": str(number)} for number in range(3000)])
    path = tmp_path / "s.arrow"
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)
    assert [row.values["id"] for row in read_rows(path)] == [str(n) for n in range(3000)]
    assert count_rows(path) == 3000


def test_data_sets_and_predictions_in_tables(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    events = [
        {"id": "a", "narratives": [{"source": None, "text": "T."}], "references": ["R."]},
        {"id": "b", "narratives": [], "references": None},
    ]
    parquet.write_table(pa.Table.from_pylist(events), tmp_path / "d.parquet")
    found = read_events(tmp_path / "d.parquet")
    assert found["a"].narratives[0].source == "narrative 1"
    assert found["b"].references == ()
    rows = [{"id": 1, "summary": "S.", "system": None}, {"id": 2, "summary": None}]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "p.parquet")
    reading = read_predictions(tmp_path / "p.parquet")
    assert next(reading).system == ""
    with pytest.raises(InputError, match=r'p\.parquet, row 2: "summary" is missing'):
        next(reading)


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_what_is_no_table_is_one_line(tmp_path, name):
    pytest.importorskip("pyarrow")
    path = tmp_path / name
    with pytest.raises(InputError, match="no such file"):
        list(read_rows(path))
    path.write_text("not a table")
    for work in (lambda: list(read_rows(path)), lambda: count_rows(path)):
        with pytest.raises(InputError, match=r"t\.\w+: is a damaged (Parquet|Arrow) file$"):
            work()


def test_bad_lines_stand_in_their_place(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1}\r\n\n[1]\n\xff\n  \n{"id": 2}')
    found = list(try_rows(path))
    assert [(type(row).__name__, row.line) for row in found] == [
        ("Row", 1),
        ("BadRow", 3),
        ("BadRow", 4),
        ("Row", 6),
    ]
    bad = [row for row in found if isinstance(row, BadRow)]
    assert "must be a JSON object, not a list" in str(bad[0].error)
    assert "is not UTF-8 text" in str(bad[1].error)
    assert count_rows(path) == 4


def test_lone_surrogates_have_a_form_everywhere(tmp_path):
    pytest.importorskip("pyarrow")
    row = {"id": "\ud800", "list": ["\ud800"]}
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(encoded([row], "jsonl.gz"))
    assert json.loads(gzip.decompress(path.read_bytes())) == row
    table = tmp_path / "t.parquet"
    table.write_bytes(encoded([row], "parquet"))
    (found,) = read_rows(table)
    assert found.values == {"id": "\\ud800", "list": '["\\ud800"]'}


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"A Parquet or Arrow file needs the extra \[arrow\]"):
        encoded(ROWS, "parquet")
