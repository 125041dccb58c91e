"""Rows that survive a kill."""

import gzip
import json

import pytest

from commonground.errors import InputError
from commonground.io import ResumableRows, read_rows

ROWS = [{"id": name, "summary": f"said by {name}"} for name in ("a", "b", "c")]


class KilledError(Exception):
    pass


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def part(path):
    return path.with_name("out.jsonl.part")


def write(path, rows=ROWS, *, resume=False, kill_before=None):
    """Write what is not there; what was there at the start."""
    out = ResumableRows(path, resume=resume)
    with out.writing():
        for row in rows:
            if row["id"] == kill_before:
                raise KilledError
            if row["id"] not in out.done:
                out.write(row)
    return out.done


def read(path):
    return [row.values for row in read_rows(path)]


def test_the_file_gets_its_name_when_all_rows_are_there(path, part):
    out = ResumableRows(path, resume=False)
    with out.writing():
        out.write(ROWS[0])
        assert not path.exists()
        assert read(part) == ROWS[:1]  # on the disk before the next one is asked for
    assert read(path) == ROWS[:1]
    assert not part.exists()


def test_a_run_that_was_killed_goes_on_where_it_stopped(path, part):
    with pytest.raises(KilledError):
        write(path, kill_before="c")
    assert not path.exists()
    assert write(path, resume=True) == {"a", "b"}
    assert read(path) == ROWS
    assert not part.exists()


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_half_a_row_is_written_again(path, part, cut):
    lines = [json.dumps(row) for row in ROWS]
    part.write_text(f"{lines[0]}\n{lines[1][:cut]}")
    assert write(path, resume=True) == {"a"}
    assert read(path) == ROWS


def test_killed_within_the_first_row(path, part):
    part.write_text('{"id": "a", "summ')
    assert write(path, resume=True) == set()
    assert read(path) == ROWS


def test_without_resume_what_is_left_is_not_overwritten(path, part):
    part.write_text('{"id": "a"}\n')
    with pytest.raises(
        InputError, match=r"interrupted run; continue it with --resume, or delete it$"
    ):
        write(path)
    assert part.read_text() == '{"id": "a"}\n'


def test_a_run_that_ended_goes_on_with_new_rows(path):
    write(path, ROWS[:2])
    assert write(path, resume=True) == {"a", "b"}
    assert read(path) == ROWS


def test_resume_with_nothing_there_begins(path):
    assert write(path, resume=True) == set()
    assert read(path) == ROWS


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.part"])
@pytest.mark.parametrize(
    "content", ["notes of mine\n", "notes of mine", '{"name": 1}\n', "[1]\n", "5\n", "\x00\x01"]
)
def test_a_foreign_file_is_left_as_it_is(path, part, name, content):
    foreign = path.with_name(name)
    foreign.write_text(content)
    with pytest.raises(InputError, match=r"out\.jsonl.*: is not a file of results"):
        write(path, resume=True)
    assert foreign.read_text() == content
    assert {one.name for one in path.parent.iterdir()} == {name}


def test_packed_files(tmp_path):
    path = tmp_path / "out.jsonl.gz"
    with pytest.raises(KilledError):
        write(path, kill_before="b")
    assert write(path, resume=True) == {"a"}
    assert read(path) == ROWS
    assert gzip.decompress(path.read_bytes()).count(b"\n") == 3
    assert write(path, resume=True) == {"a", "b", "c"}
    assert read(path) == ROWS
    path.write_bytes(b"not packed")
    with pytest.raises(InputError, match="is not a file of results"):
        write(path, resume=True)


def test_a_link_is_followed(path, tmp_path):
    target = tmp_path / "target.jsonl"
    target.touch()
    path.symlink_to(target)
    write(path)
    assert path.is_symlink()
    assert read(target) == ROWS


def test_what_cannot_be_written_is_said_before_the_work(path, tmp_path):
    path.touch()
    with pytest.raises(InputError, match="is an input file"):
        ResumableRows(path, path, resume=False)
    with pytest.raises(InputError, match="is a folder"):
        ResumableRows(tmp_path, resume=False)
    with pytest.raises(InputError, match="its folder is missing"):
        ResumableRows(tmp_path / "no" / "out.jsonl", resume=False)


def test_lone_surrogates_are_escaped(path):
    write(path, [{"id": "\ud800"}])
    assert write(path, [{"id": "\ud800"}], resume=True) == {"\ud800"}


def test_a_file_that_is_there_is_not_replaced_unasked(path):
    path.write_text("my notes")
    with pytest.raises(InputError, match="already exists; --overwrite replaces it"):
        ResumableRows(path, resume=False)
    assert ResumableRows(path, resume=False, overwrite=True).done == set()
