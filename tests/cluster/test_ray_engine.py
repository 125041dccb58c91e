"""The Ray engine: the rows of the local one, whatever is lost on the way (`make test-scale`)."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from subprocess import PIPE

import pytest

from commonground import __version__
from commonground.cli import run
from commonground.errors import CommongroundError, InputError
from commonground.scale import Chunk, Local, Ray
from scale_stories import EVENTS, PREDICTIONS
from scale_work import DiesAtOnce, Double, Environment, NoModel, NoVocabulary, chunks_of


def processes():
    """Ray's processes that are descendants of this one or have no parent left."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if "raylet/raylet" in line]


def children(title):
    """The processes with such a title that this one has started, or theirs."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    known = {os.getpid()}
    for _ in range(4):
        known |= {int(pid) for pid, parent, _ in rows if int(parent) in known}
    return [int(pid) for pid, _, words in rows if int(pid) in known and title in words]


def wait_for(there):
    for _ in range(1200):
        if there():
            return
        time.sleep(0.1)
    pytest.fail("it did not come")


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


def test_rows_that_fail_rows_that_kill_and_empty_chunks(tmp_path):
    before = processes()
    mark = tmp_path / "killed"
    once = [f"die once: {mark}", 7]
    chunks = chunks_of([1, "refuse", 2], [], once, [3, "die", 5], *[[3]] * 10)
    found = dict(Ray(2).run(Double(), chunks))
    assert sorted(found) == list(range(len(chunks)))
    assert mark.exists()
    # The local engine finds the mark, so that nothing is killed there but by the killer.
    assert found == dict(Local(2).run(Double(), chunks))
    assert [json.loads(line)["double"] for line in found[3].rows.splitlines()] == [6, 10]
    assert [failure.id for failure in found[3].failures] == ["r2"]
    assert processes() == before


@pytest.mark.parametrize("lost", ["ReadSource", "QueueActor"])
def test_what_hands_out_the_rows_is_killed_and_all_rows_come_back(lost):
    chunks = chunks_of(*[[number] for number in range(12)])
    killed = []

    def source():
        for chunk in chunks:
            if chunk.number == 5:
                wait_for(lambda: children(lost))
                for pid in children(lost):
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)
            yield chunk

    found = dict(Ray(1).run(Double(), source()))
    assert killed
    assert found == dict(Local(1).run(Double(), chunks))


def test_trouble_ends_the_run_and_what_was_started(monkeypatch):
    before = processes()
    with pytest.raises(CommongroundError, match="no such model"):
        list(Ray(1).run(NoModel(), chunks_of([1], [2])))
    with pytest.raises(CommongroundError, match=r"node 127.0.0.1 cannot work: FileNotFoundError"):
        list(Ray(1).run(NoVocabulary(), chunks_of([1], [2])))
    with pytest.raises(CommongroundError, match="ended while it loaded its models"):
        list(Ray(1).run(DiesAtOnce(), chunks_of([1], [2])))

    def unreadable():
        yield Chunk(0, ())
        raise InputError("rows.jsonl, line 7: is not JSON")

    with pytest.raises(InputError, match="line 7"):
        list(Ray(1).run(Double(), unreadable()))
    monkeypatch.setattr("commonground.scale.ray.engine.__version__", "9.9")
    reason = rf"node 127.0.0.1 cannot work: it has commonground {__version__}, .* needs 9.9"
    with pytest.raises(CommongroundError, match=reason):
        list(Ray(1).run(Double(), chunks_of([1])))
    assert processes() == before


def test_a_cluster_is_found_by_itself(cluster):
    chunks = chunks_of([1], [2])
    assert dict(Ray(1, "auto").run(Double(), chunks)) == dict(Local(1).run(Double(), chunks))


def test_the_client_of_ray_is_refused():
    with pytest.raises(InputError, match=r"ray://127.0.0.1:10001: .* with --address auto or HOST"):
        Ray(1, "ray://127.0.0.1:10001")


def test_settings_travel_and_secrets_do_not(cluster, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_PASSWORD", "open sesame")
    monkeypatch.setenv("COMMONGROUND_API_KEY", "a key")
    monkeypatch.setenv("COMMONGROUND_CACHE_SIZE", "7")
    (outcome,) = dict(Ray(1, cluster.address).run(Environment(), chunks_of([1]))).values()
    names = json.loads(outcome.rows)["names"]
    assert "COMMONGROUND_CACHE_SIZE" in names
    assert not {"COMMONGROUND_PASSWORD", "COMMONGROUND_API_KEY"} & set(names)


def test_a_lost_worker_is_nothing_to_talk_about():
    # In another process, since Ray reads what silences it as it is imported.
    script = (
        "from commonground.scale.ray.engine import Ray\n"
        "from scale_work import Double, chunks_of\n"
        "if __name__ == '__main__':\n"
        "    print(len(list(Ray(1).run(Double(), chunks_of([1], ['die'])))))\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (said.stdout, said.stderr, said.returncode) == ("2\n", "", 0)


def test_chunks_are_taken_as_they_are_needed():
    taken = []

    def endless():
        for number in count():  # an engine that read them all first would never return
            taken.append(number)
            # Those after the first few take long, so a busy machine does not reach many of them.
            rows = ["slow"] * (1 if number < 3 else 20)
            yield Chunk(number, tuple(chunks_of(rows)[0].items))

    engine = Ray(1).run(Double(), endless())
    for _ in range(3):
        next(engine)
    assert len(taken) < 1_000  # Ray decides how far ahead: while its actors start, some hundred
    engine.close()


@pytest.mark.parametrize("losses", [1, 2])
def test_nodes_are_killed_and_the_rows_are_those_of_the_local_engine(
    cluster, files, tmp_path, losses
):
    local, spread = tmp_path / "local", tmp_path / "spread"
    usual = ["--encoder", "static", "--shard-rows", "4"]
    assert run(["score", *files, *usual, "--output", f"{local}/"]) == 0
    lost, written = [], []

    # The first shards that are there show that actors are at work; then a node goes, and after
    # some more of them the other one, so that only the head is left.
    from commonground.scale import RunFolder

    write = RunFolder.write

    def then_kill(self, *arguments):
        write(self, *arguments)
        written.append(arguments)
        if len(lost) < losses and len(written) > 3 * len(lost):
            lost.append(cluster.worker_nodes.copy().pop())
            cluster.remove_node(lost[-1], allow_graceful=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "write", then_kill)
        spread_options = ["--engine", "ray", "--address", cluster.address]
        assert run(["score", *files, *usual, "--output", f"{spread}/", *spread_options]) == 0
    assert len(lost) == losses
    parts = sorted(path.name for path in local.glob("part-*"))
    assert len(parts) > 10
    assert sorted(path.name for path in spread.glob("part-*")) == parts
    assert all((spread / name).read_bytes() == (local / name).read_bytes() for name in parts)


def test_an_address_where_there_is_nothing_is_one_line(files, tmp_path, capsys):
    nowhere = ["--engine", "ray", "--address", "127.0.0.1:1", "--output", str(tmp_path / "o.jsonl")]
    assert run(["score", *files, "--encoder", "static", *nowhere]) == 1
    said = capsys.readouterr().err
    assert "no Ray cluster at 127.0.0.1:1: Connection refused" in said and said.count("\n") == 1


HOLD = """
import ray, sys, time
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="error")
@ray.remote(num_cpus=1)
class Holder:
    def there(self):
        return True
held = [Holder.remote() for _ in range(3)]
print(all(ray.get([one.there.remote() for one in held])), flush=True)
sys.stdin.read()
"""


def test_a_cluster_that_others_have_is_waited_for_and_it_is_said(cluster, monkeypatch):
    monkeypatch.setattr("commonground.scale.ray.engine._PATIENCE", 1.0)
    command = [sys.executable, "-c", HOLD, cluster.address]
    said = []
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as others:

        def tell(line):
            said.append(line)
            others.stdin.close()

        assert others.stdout.readline() == "True\n"
        chunks = chunks_of([1], [2])
        found = dict(Ray(1, cluster.address, tell).run(Double(), chunks))
    assert found == dict(Local(1).run(Double(), chunks))
    assert said == [
        "no result from the Ray cluster yet; it may have no free core or GPU; still waiting"
    ]


def test_workers_share_a_gpu(cluster, monkeypatch):
    cluster.add_node(num_cpus=3, num_gpus=1, node_ip_address="127.0.0.1")
    monkeypatch.setenv("COMMONGROUND_DEVICE", "cuda")
    chunks = chunks_of(*[[number] for number in range(6)])
    found = dict(Ray(3, cluster.address).run(Double(), chunks))
    assert found == dict(Local(1).run(Double(), chunks))


def test_an_error_without_words_is_told_by_its_name(monkeypatch):
    def refuse(**options):
        raise RuntimeError

    monkeypatch.setattr("ray.init", refuse)
    with pytest.raises(CommongroundError, match=r"at this machine: RuntimeError$"):
        list(Ray(1).run(Double(), chunks_of([1])))


def test_an_address_of_ipv6_is_asked_for_without_its_brackets(monkeypatch):
    asked = []

    def refuse(address, timeout):
        asked.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("socket.create_connection", refuse)
    with pytest.raises(CommongroundError, match="Connection refused"):
        list(Ray(1, "[2001:db8::1]:6379").run(Double(), chunks_of([1])))
    assert asked == [("2001:db8::1", 6379)]


def test_nothing_is_reported_and_nothing_shown_to_others():
    Ray()
    list(Ray(1).run(Double(), chunks_of([1])))
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert not list(Path("/tmp").glob("cg-ray-*"))
