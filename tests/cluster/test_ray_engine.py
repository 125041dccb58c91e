"""The Ray engine: the rows of the local one, whatever is lost on the way (`make test-scale`)."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from commonground.cli import run
from commonground.errors import CommongroundError, InputError
from commonground.scale import Chunk, Local
from commonground.scale._ray import Ray
from scale_stories import EVENTS, PREDICTIONS
from scale_work import Double, NoModel, chunks_of


def processes():
    """Ray's processes that are descendants of this one or have no parent left."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if "raylet/raylet" in line]


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path):
    many = [
        row | {"id": row["id"], "system": f"{row['system']} {number}"}
        for number in range(20)
        for row in PREDICTIONS
    ]
    return [
        *("--predictions", written(tmp_path / "p.jsonl", many)),
        *("--references", written(tmp_path / "d.jsonl", EVENTS)),
    ]


def test_rows_that_fail_chunks_that_kill_and_empty_ones(tmp_path):
    before = processes()
    mark = tmp_path / "killed"
    chunks = chunks_of([1, "refuse", 2], [], [f"die once: {mark}", 7], ["die", 5], *[[3]] * 20)
    found = dict(Ray(2).run(Double(), chunks))
    safe = {number: chunk for number, chunk in enumerate(chunks) if number not in (2, 3)}
    assert sorted(found) == list(range(len(chunks)))
    assert {number: found[number] for number in safe} == dict(Local(1).run(Double(), safe.values()))
    assert mark.exists()
    assert [json.loads(line)["double"] for line in found[2].rows.splitlines()] == [0, 14]
    assert found[3].rows == b""
    assert {failure.reason for failure in found[3].failures} == {
        "the actor that worked on this shard was lost, 2 times"
    }
    assert processes() == before


def test_trouble_ends_the_run_and_what_was_started():
    before = processes()
    with pytest.raises(CommongroundError, match="no such model"):
        list(Ray(1).run(NoModel(), chunks_of([1], [2])))

    def unreadable():
        yield Chunk(0, ())
        raise InputError("rows.jsonl, line 7: is not JSON")

    with pytest.raises(InputError, match="line 7"):
        list(Ray(1).run(Double(), unreadable()))
    assert processes() == before


def test_chunks_are_taken_as_they_are_needed():
    taken = []

    def endless():
        for number in range(10_000):
            taken.append(number)
            yield Chunk(number, tuple(chunks_of(["slow"])[0].items))

    engine = Ray(1).run(Double(), endless())
    for _ in range(3):
        next(engine)
    assert len(taken) < 100
    engine.close()


def test_a_node_is_killed_and_the_rows_are_those_of_the_local_engine(cluster, files, tmp_path):
    local, spread = tmp_path / "local", tmp_path / "spread"
    usual = ["--encoder", "static", "--shard-rows", "4"]
    assert run(["score", *files, *usual, "--output", f"{local}/"]) == 0
    lost = []

    # The first shards that are there show that actors are at work; then a node goes.
    from commonground.scale import RunFolder

    write = RunFolder.write

    def then_kill(self, *arguments):
        write(self, *arguments)
        if not lost:
            lost.append(cluster.worker_nodes.copy().pop())
            cluster.remove_node(lost[0], allow_graceful=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "write", then_kill)
        spread_options = ["--engine", "ray", "--address", cluster.address]
        assert run(["score", *files, *usual, "--output", f"{spread}/", *spread_options]) == 0
    assert lost
    parts = sorted(path.name for path in local.glob("part-*"))
    assert len(parts) > 10
    assert sorted(path.name for path in spread.glob("part-*")) == parts
    assert all((spread / name).read_bytes() == (local / name).read_bytes() for name in parts)


def test_an_address_where_there_is_nothing_is_one_line(files, tmp_path, capsys):
    nowhere = ["--engine", "ray", "--address", "127.0.0.1:1", "--output", str(tmp_path / "o.jsonl")]
    assert run(["score", *files, "--encoder", "static", *nowhere]) == 1
    said = capsys.readouterr().err
    assert "no Ray cluster at 127.0.0.1:1" in said and said.count("\n") == 1


def test_nothing_is_reported_and_nothing_shown_to_others():
    Ray()
    list(Ray(1).run(Double(), chunks_of([1])))
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert not list(Path("/tmp").glob("cg-ray-*"))
