"""Runs: one row for each row of the input, whatever happens between."""

import errno
import json
import os
import shutil
import signal

import pytest
from filelock import FileLock

from commonground.errors import CommongroundError, InputError
from commonground.scale import Failure, InterruptedRunError, Local, Output, RunFolder, run
from scale_work import Double, rows_of

BAD = Failure("in.jsonl", 3, None, "is not JSON")


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("the rows are the tests' own")
    return path


@pytest.fixture
def opened(source, tmp_path):
    def open_folder(name="out/", resume=False, shard_rows=2, form=None, **more):
        output = Output.of(f"{tmp_path}/{name}", form)
        return RunFolder(output, [source], resume=resume, shard_rows=shard_rows, usual=9, **more)

    return open_folder


def go(folder, rows, *, signature="S|a:1", engine=None, **more):
    with folder:
        folder.begin(signature)
        work = Double(folder.output.form)
        return run(rows, work, engine or Local(1), folder, total=len(rows), **more)


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_shards_and_errors_hold_every_row_once(opened, tmp_path):
    seen = []
    rows = rows_of(1, 2, BAD, "refuse", 5)
    ended = go(opened(), rows, advance=lambda *counts: seen.append(counts))
    out = tmp_path / "out"
    assert (ended.rows, ended.new, ended.failed, ended.shards) == (5, 5, 2, 3)
    assert [read(out / f"part-0000{n}.jsonl") for n in range(3)] == [
        [{"id": "r1", "double": 2}, {"id": "r2", "double": 4}],
        [],
        [{"id": "r5", "double": 10}],
    ]
    assert [row["line"] for row in read(out / "_errors.jsonl")] == [3, 4]
    assert seen == [(2, 5), (4, 5), (5, 5)]


def test_one_file_is_put_together_and_the_folder_removed(opened, tmp_path):
    folder = opened("out.jsonl")
    go(folder, rows_of(1, 2, 3))
    assert [row["double"] for row in read(tmp_path / "out.jsonl")] == [2, 4, 6]
    assert folder.path.name == "out.jsonl.run"
    folder.remove()
    assert {one.name for one in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl"}


class Interrupted(Local):
    """An engine that is interrupted after so many chunks."""

    def __init__(self, after):
        super().__init__(1)
        self._after = after

    def run(self, work, chunks):
        for done, outcome in enumerate(super().run(work, chunks)):
            if done == self._after:
                raise KeyboardInterrupt
            yield outcome


def test_what_is_done_is_kept_and_not_done_again(opened, tmp_path):
    with pytest.raises(InterruptedRunError) as told:
        go(opened(), rows_of(1, 2, 3, 4, 5), engine=Interrupted(2))
    assert told.value.exit_code == 130
    assert str(told.value) == ("interrupted; 4 of 5 rows are done, in out; continue with --resume")
    before = (tmp_path / "out" / "part-00001.jsonl").stat()
    with pytest.raises(InputError, match="belongs to an unfinished run; continue it with --resume"):
        opened()
    ended = go(opened(resume=True, shard_rows=None), rows_of(1, 2, 3, 4, 5))
    assert (ended.rows, ended.new) == (5, 1)
    after = (tmp_path / "out" / "part-00001.jsonl").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("name", ["out/", "out.jsonl"])
@pytest.mark.parametrize("damaged", ["part-00000.jsonl", "_run/00000.errors.jsonl"])
def test_a_damaged_shard_is_done_again(opened, tmp_path, name, damaged):
    rows = rows_of(1, "refuse", 3, 4, 5)
    with pytest.raises(InterruptedRunError):
        go(opened(name), rows, engine=Interrupted(2))
    shard = opened(name, resume=True).path / damaged
    shard.write_bytes(shard.read_bytes()[:-9])  # cut in the middle of a row
    with (folder := opened(name, resume=True)):
        folder.begin("S|a:1")
        assert (folder.done(0), folder.done(1), folder.rows_done(5)) == (False, True, 2)
    ended = go(opened(name, resume=True), rows)
    assert (ended.rows, ended.new, ended.failed) == (5, 3, 1)
    out = tmp_path / name
    paths = sorted(out.glob("part-*")) if out.is_dir() else [out]
    assert [row["double"] for path in paths for row in read(path)] == [2, 6, 8, 10]


def test_a_shard_of_the_same_size_with_other_bytes_is_done_again(opened, tmp_path):
    with pytest.raises(InterruptedRunError):
        go(opened(), rows_of(1, 2, 3), engine=Interrupted(1))
    shard = tmp_path / "out" / "part-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"4", b"5"))
    go(opened(resume=True), rows_of(1, 2, 3))
    assert [row["double"] for row in read(shard)] == [2, 4]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_finished_folder_stays_as_it_is(opened, tmp_path, form):
    rows = rows_of("refuse", 2, 3)
    go(opened(form=form), rows)
    assert go(opened(resume=True, form=form), rows).new == 0


def test_a_run_without_a_shard_leaves_nothing(opened, tmp_path):
    with pytest.raises(InterruptedRunError, match=r"^interrupted; none of 2 rows is done$"):
        go(opened(), rows_of(1, 2), engine=Interrupted(0))
    assert {one.name for one in tmp_path.iterdir()} == {"in.jsonl"}


def test_strict_stops_at_the_first_and_keeps_what_is_done(opened, tmp_path):
    with pytest.raises(InputError, match=r"^in\.jsonl, line 4: this is refused; 2 of 5 rows are"):
        go(opened(), rows_of(1, 2, 3, "refuse", 5), strict=True)
    assert [one.name for one in (tmp_path / "out").glob("part-*")] == ["part-00000.jsonl"]


def test_other_settings_are_told(opened, source):
    with pytest.raises(InterruptedRunError):
        go(opened(), rows_of(1, 2, 3), engine=Interrupted(1))
    with pytest.raises(InputError, match=r"other settings \(a 1, now 2\); use the same"):
        opened(resume=True).begin("S|a:2")
    with pytest.raises(InputError, match=r"\(--shard-rows 2, now 3\)"):
        opened(resume=True, shard_rows=3)
    with pytest.raises(InputError, match=r"\(format jsonl, now jsonl\.gz\)"):
        opened(resume=True, form="jsonl.gz").begin("S|a:1")
    source.write_text("other rows")
    with pytest.raises(InputError, match=r"in\.jsonl has changed since the run started"):
        opened(resume=True)


def test_pipes_cannot_be_read_again(opened, source, tmp_path):
    source.unlink()
    source.mkdir()
    with pytest.raises(InputError, match=r"in\.jsonl: is not a regular file"):
        opened()
    assert [one.name for one in tmp_path.iterdir()] == ["in.jsonl"]


def test_errors_of_an_earlier_run_do_not_stay(opened, tmp_path):
    go(opened("out.jsonl"), rows_of(1, "refuse"))
    folder = opened("out.jsonl", resume=True)
    assert (tmp_path / "out.jsonl.errors.jsonl").exists()
    folder.remove()
    go(opened("out.jsonl", overwrite=True), rows_of(1, 2))
    assert not (tmp_path / "out.jsonl.errors.jsonl").exists()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.errors.jsonl"])
@pytest.mark.parametrize("resume", [False, True])
def test_a_file_that_is_there_is_not_replaced(opened, tmp_path, name, resume):
    failed = {"file": "in.jsonl", "line": 1, "id": None, "reason": "is not JSON"}
    (tmp_path / name).write_text(json.dumps(failed))
    with pytest.raises(InputError, match=f"{name}: already exists.*; --overwrite replaces"):
        opened("out.jsonl", resume=resume)
    go(opened("out.jsonl", overwrite=True), rows_of(1))
    assert read(tmp_path / "out.jsonl") == [{"id": "r1", "double": 2}]


def test_what_is_no_file_of_errors_is_never_replaced_by_one(opened, tmp_path):
    notes = tmp_path / "out.jsonl.errors.jsonl"
    notes.write_text('{"my": "notes"}')
    with pytest.raises(InputError, match="is needed for failed rows"):
        opened("out.jsonl", overwrite=True)
    with pytest.raises(InputError, match=r"errors\.jsonl: is an input file"):
        RunFolder(Output.of(f"{tmp_path}/out.jsonl"), [notes], resume=False, shard_rows=1, usual=1)
    with pytest.raises(InputError, match=r"delete the folder .*out first"):
        opened("out/", overwrite=True)


def test_two_runs_are_not_mixed(opened, tmp_path):
    waiting, late = opened(), opened()
    with opened() as folder:
        folder.begin("S|a:1")
        for again in (lambda: waiting.begin("S|a:1"), opened, lambda: opened(resume=True)):
            with pytest.raises(InputError, match="out: another run is writing to it"):
                again()
        run(rows_of(1, 2, 3), Double(), Local(1), folder, total=3)
    with pytest.raises(InputError, match="belongs to an unfinished run"):
        late.begin("S|a:1")  # which was opened before there was any
    go(opened(resume=True), rows_of(1, 2, 3))
    assert [one.name for one in (tmp_path / "out").glob("part-*")]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_folder_that_was_removed_is_locked_anew(opened, tmp_path):
    before, after = opened(), opened()
    before.begin("S|a:1")
    shutil.rmtree(tmp_path / "out")
    after.begin("S|a:1")
    before.release()  # which must leave the new lock alone
    with pytest.raises(InputError, match="another run is writing"):
        opened()
    after.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_run_locks_nobody_out(opened):
    pid = os.fork()
    if pid == 0:
        opened().begin("S|a:1")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert go(opened(resume=True), rows_of(1)).rows == 1


@pytest.mark.parametrize(("code", "runs"), [(errno.ENOLCK, True), (errno.EACCES, False)])
def test_a_file_system_without_locks_does_not_end_the_run(opened, monkeypatch, code, runs):
    def refuse(lock):
        raise OSError(code, "Refused")

    monkeypatch.setattr(FileLock, "_acquire", refuse)
    if runs:
        assert go(opened(), rows_of(1)).rows == 1
    else:
        with pytest.raises(CommongroundError, match=r"out: not written \(refused\)"):
            go(opened(), rows_of(1))


def test_what_killed_runs_have_left_is_removed(opened, tmp_path):
    go(opened(), rows_of(1, 2, 3))
    out = tmp_path / "out"
    left = [
        out / ".part-00001.jsonl.17-0a1b2c3d",
        out / "_run" / ".00001.notes.json.17-0a1b2c3d",
        out / "_run" / "index-17-0a1b2c3d.sqlite",
    ]
    mine = [out / ".part-00001.jsonl.bak", out / "_run" / "mine.txt"]
    for path in (*left, *mine):
        path.touch()
    go(opened(resume=True), rows_of(1, 2, 3))
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in mine)


@pytest.mark.parametrize("lost", ["00001.notes.json", "00001.errors.jsonl"])
def test_a_shard_without_its_notes_is_done_again(opened, tmp_path, lost):
    go(opened(), rows_of(1, 2, 3, "refuse", 5))
    (tmp_path / "out" / "_run" / lost).unlink()
    ended = go(opened(resume=True), rows_of(1, 2, 3, "refuse", 5))
    assert (ended.new, ended.failed) == (2, 1)


def test_names_of_outputs(tmp_path):
    assert Output.of(f"{tmp_path}/a.jsonl.gz").errors.name == "a.jsonl.gz.errors.jsonl"
    assert Output.of(f"{tmp_path}/a.feather").form == "arrow"
    assert Output.of(f"{tmp_path}/a.b/").folder
    assert Output.of(f"{tmp_path}/a", "parquet").form == "parquet"
    with pytest.raises(InputError, match=r"end in \.jsonl, \.jsonl\.gz, \.parquet"):
        Output.of("out.txt")
    with pytest.raises(InputError, match="its name says jsonl, but --format is parquet"):
        Output.of("out.jsonl", "parquet")
    with pytest.raises(InputError, match="unknown format 'parket'; did you mean 'parquet'"):
        Output.of("out", "parket")


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_shards_of_one_run_have_the_same_columns(opened, tmp_path, form):
    dataset = pytest.importorskip("pyarrow.dataset")
    go(opened(form=form), rows_of("refuse", "refuse", 1, 2.5, 3), engine=Local(1))
    paths = [tmp_path / "out" / f"part-0000{number}.{form}" for number in range(3)]
    kinds = [dataset.dataset(path, format=form).schema for path in paths]
    assert kinds[0].names == ["id", "double"]
    assert [str(one.type) for one in kinds[0]] == ["string", "double"]
    assert kinds == kinds[:1] * 3
    whole = dataset.dataset(tmp_path / "out", format=form).to_table()
    assert whole["double"].to_pylist() == [2, 5, 6]
