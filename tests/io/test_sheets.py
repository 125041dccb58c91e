"""Spreadsheets as data sets and outputs: what is read, and which cell is wrong."""

import datetime
import io
import json
import zipfile

import pytest
from openpyxl import Workbook

from commonground.cli import run
from commonground.errors import InputError
from commonground.io import (
    BadRow,
    Event,
    Narrative,
    count_rows,
    ignored_columns,
    read_events,
    read_predictions,
    try_rows,
)

HEADER = ["ID", "Source_1", "Narrative 1", "text2", "reference_1", "Reference 2", "remarks"]
ROWS = [
    ["ferry", "Harbour Post", "A ferry, the Star, ran aground.", "It ran aground.", "Aground.", ""],
    [12, "", 'Called "fair".', "Two\nlines.", "", "Rain; sun.", "mine"],
]
EVENTS = {
    "ferry": Event(
        "ferry",
        (
            Narrative("Harbour Post", "A ferry, the Star, ran aground."),
            Narrative("narrative 2", "It ran aground."),
        ),
        ("Aground.",),
    ),
    "12": Event(
        "12",
        (Narrative("narrative 1", 'Called "fair".'), Narrative("narrative 2", "Two\nlines.")),
        ("Rain; sun.",),
    ),
}


def sheet(path, rows):
    """Write a file of the kind that its name shows."""
    if path.suffix == ".xlsx":
        book = Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
        return path
    import csv

    delimiter = "\t" if path.suffix == ".tsv" else ";" if "semicolon" in path.name else ","
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream, delimiter=delimiter).writerows(rows)
    return path


@pytest.mark.parametrize("name", ["d.xlsx", "d.csv", "d.tsv", "semicolons.csv"])
def test_every_kind_gives_the_same_events(tmp_path, name):
    path = sheet(tmp_path / name, [HEADER, *ROWS])
    assert read_events(path) == EVENTS
    assert count_rows(path) == 2
    assert ignored_columns(path) == ["remarks"]


def test_outputs_keep_their_row_for_messages(tmp_path):
    rows = [["summary", "id", "system"], ["Rain.", "fair", "a"], [], ["", "ferry", "a"]]
    one, two = read_predictions(sheet(tmp_path / "o.csv", rows))
    assert (one.id, one.summary, one.system, one.line) == ("fair", "Rain.", "a", 2)
    assert (two.summary, two.place) == ("", f"{tmp_path}/o.csv, line 4")


def test_lines_of_csv_are_counted_as_an_editor_does(tmp_path):
    rows = [["id", "reference"], ["fair", "Rain.\nSun."], ["fair", "Hail."]]
    with pytest.raises(InputError, match=r"line 4: duplicate id 'fair' .*first in line 2"):
        read_events(sheet(tmp_path / "o.csv", rows))
    with pytest.raises(InputError, match=r"row 3: duplicate id 'fair' .*first in row 2"):
        read_events(sheet(tmp_path / "o.xlsx", rows))


def _problems(path):
    return [
        str(row.error).removeprefix(f"{path}, ")
        for row in try_rows(path)
        if isinstance(row, BadRow)
    ]


def test_each_wrong_cell_has_a_line_with_its_row_and_column(tmp_path):
    rows = [
        ["id", "source 1", "narrative 1", "reference 1"],
        ["", "Post", "Text.", True],
        ["b", "Post", "", "#REF!"],
        ["c", "", datetime.date(2026, 1, 2), "Fine."],
        ["d", "", "Text.", "Fine."],
    ]
    path = sheet(tmp_path / "d.xlsx", rows)
    assert _problems(path) == [
        "row 2, column D (reference 1): is TRUE or FALSE; write it as text",
        "row 2, column A (id): is blank",
        "row 3, column D (reference 1): is #REF!, an error of the spreadsheet",
        "row 3, column B (source 1): has a source, but text 1 is blank",
        "row 4, column C (narrative 1): is a date or a time; format the cell as text",
    ]
    with pytest.raises(InputError, match="row 2, column D"):
        read_events(path)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([["name", "text"], ["a", "b"]], 'line 1: no column is named "id"'),
        ([[]], "(columns here: none)"),
        ([["id", "text 1", "Narrative_1"], ["a", "b", "c"]], "are the same column"),
        ([["id", "reference"], ["a", "b", "c, d"]], "line 2: has 3 cells for 2 columns"),
        ([["id", "reference"], ["a", "b"], ["a", "c"]], "duplicate id 'a' (first in line 2)"),
        ([["id", "summary"], ["a", "b"]], '"narratives" and "references" are both missing'),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, rows, words):
    with pytest.raises(InputError) as error:
        read_events(sheet(tmp_path / "d.csv", rows))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def _archive(path, **parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", content)


def test_files_that_are_no_spreadsheets_are_refused(tmp_path):
    path = tmp_path / "x.xlsx"
    cases = [
        (b"\xd0\xcf\x11\xe0 old", "is an old or locked Excel file"),
        (b"plain text", "is not an XLSX file"),
        (b"PK\x03\x04 cut", "is not an XLSX file"),
    ]
    for content, words in cases:
        path.write_bytes(content)
        with pytest.raises(InputError, match=words):
            list(try_rows(path))
    _archive(path, word__document="<a/>")
    with pytest.raises(InputError, match="an archive, not an XLSX"):
        list(try_rows(path))
    _archive(path, xl__workbook="<broken")
    with pytest.raises(InputError, match="is a damaged XLSX file"):
        list(try_rows(path))


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.xlsx"
    _archive(path, xl__workbook="<a/>", xl__sharedStrings=b"\0" * 310_000_000)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(InputError, match="too large when unpacked"):
        list(try_rows(path))


def test_entities_are_not_expanded(tmp_path):
    good, bad = tmp_path / "good.xlsx", tmp_path / "bad.xlsx"
    sheet(good, [["id", "reference"], ["a", "b"]])
    laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(bad, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name.startswith("xl/worksheets/"):
                content = laughs.encode() + content.replace(b"<v>0</v>", b"<v>&b;</v>")
            target.writestr(name, content)
    with pytest.raises(InputError, match="is a damaged XLSX file"):
        list(try_rows(bad))


def test_a_sheet_that_claims_a_huge_size_is_read_as_it_is(tmp_path):
    book = Workbook()
    for row in [["id", "reference"], ["a", "b"]]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    path = tmp_path / "claims.xlsx"
    with zipfile.ZipFile(stream) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name).replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
            target.writestr(name, content)
    assert list(read_events(path)) == ["a"]


def test_the_command_line_reads_spreadsheets(tmp_path, capsys):
    data = sheet(tmp_path / "d.xlsx", [["id", "reference 1"], ["a", "It rained on Monday."]])
    outputs = sheet(
        tmp_path / "o.csv", [["id", "system", "summary"], ["a", "s", "It rained on Monday."]]
    )
    command = ["score", "--metric", "rouge", "--predictions", str(outputs), "--json"]
    assert run([*command, "--references", str(data)]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert (system["system"], system["items"]) == ("s", 1)
    assert system["rouge"]["mean"]["rouge1"]["f1"] == 1.0
