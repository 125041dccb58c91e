"""The local engine: what comes back, whoever is killed on the way."""

import json
import multiprocessing
import os
import signal

import pytest

from commonground.errors import CommongroundError, InputError
from commonground.scale import Chunk, Local
from commonground.scale.local import Guarded, find_killers
from scale_work import DiesAtOnce, Double, NoModel, NoVocabulary, chunks_of


def lines(outcome):
    return [json.loads(line) for line in outcome.rows.splitlines()]


def outcomes(chunks, workers, work=None):
    return dict(Local(workers).run(work or Double(), chunks))


@pytest.mark.parametrize("workers", [1, 2])
def test_every_chunk_comes_back_with_its_rows_in_order(workers):
    found = outcomes(chunks_of([1, 2], [3], [], [4, 5]), workers)
    assert sorted(found) == [0, 1, 2, 3]
    assert lines(found[0]) == [{"id": "r1", "double": 2}, {"id": "r2", "double": 4}]
    assert lines(found[2]) == []
    assert [row["double"] for row in lines(found[3])] == [8, 10]


def test_outcomes_come_in_the_order_they_are_done():
    chunks = chunks_of(*[[number] for number in range(40)])
    assert [number for number, _ in Local(1).run(Double(), chunks)] == list(range(40))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_row_that_fails_costs_only_itself(workers):
    found = outcomes(chunks_of([1, "refuse", 2], [3, "break"]), workers)
    assert [row["double"] for row in lines(found[0])] == [2, 4]
    (refused,) = found[0].failures
    assert (refused.line, refused.id, refused.reason) == (2, "r2", "this is refused")
    (broken,) = found[1].failures
    assert broken.reason == "unexpected ValueError: two lines"


def test_chunks_are_taken_as_they_are_needed():
    taken = []

    def endless():
        for number in range(10_000):
            taken.append(number)
            yield Chunk(number, ())

    engine = Local(2).run(Double(), endless())
    for _ in range(20):
        next(engine)
    assert len(taken) <= 20 + 2 * 2 + 1
    engine.close()


def test_a_worker_that_is_killed_is_replaced_and_its_chunk_done(tmp_path):
    mark = tmp_path / "killed"
    found = outcomes(chunks_of([1], [f"die once: {mark}", 7], [2], [3]), 2)
    assert mark.exists()
    assert {number: len(lines(outcome)) for number, outcome in found.items()} == {
        0: 1,
        1: 2,
        2: 1,
        3: 1,
    }
    assert not any(outcome.failures for outcome in found.values())


@pytest.mark.parametrize("workers", [1, 2])
def test_of_a_chunk_that_kills_only_the_killers_are_given_up(workers):
    found = outcomes(chunks_of([1], [3, "die", 5, "refuse", 6], [2], ["die"]), workers)
    assert [row["double"] for row in lines(found[1])] == [6, 10, 12]
    assert {failure.id: failure.reason for failure in found[1].failures} == {
        "r2": "the process that worked on this row was killed, more than once",
        "r4": "this is refused",
    }
    assert lines(found[3]) == []
    assert [failure.id for failure in found[3].failures] == ["r1"]
    assert len(lines(found[0])) == len(lines(found[2])) == 1


def test_the_last_shard_of_many_does_not_kill_the_run():
    last = Chunk(7, chunks_of([1, "die"])[0].items)
    found = outcomes([last], 2)[7]
    assert [failure.id for failure in found.failures] == ["r2"]


def halved(killers, items=40):
    """The items that are given up, and how many processes that takes."""
    deaths = [range(items)]

    def kills(piece):
        if killers & set(piece):
            deaths.append(piece)
            return True
        return False

    return find_killers(items, kills), len(deaths)


def test_killers_are_found_by_halves():
    assert halved({7}) == ([7], 6)
    assert halved({0, 39})[0] == [0, 39]
    assert halved(set(range(0, 40, 5)))[0] == list(range(0, 40, 5))


def test_too_many_killers_are_not_searched_for_one_by_one():
    found, deaths = halved(set(range(0, 400, 2)), items=400)
    assert set(range(0, 400, 2)) <= set(found)
    assert deaths < 120


@pytest.mark.parametrize("workers", [1, 2])
def test_missing_models_end_the_run(workers):
    with pytest.raises(CommongroundError, match="no such model"):
        outcomes(chunks_of([1], [2]), workers, NoModel())
    with pytest.raises(CommongroundError, match="weights are gone"):
        outcomes(chunks_of([1], ["model"]), workers)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_nobody_foresaw_ends_the_run_with_its_reason(workers):
    with pytest.raises(CommongroundError, match=r"FileNotFoundError: .*vocabulary"):
        outcomes(chunks_of([1], [2]), workers, NoVocabulary())


def test_a_single_chunk_needs_no_other_process():
    engine = Local(2).run(Double(), chunks_of([1]))
    assert [row["double"] for row in lines(next(engine)[1])] == [2]
    assert multiprocessing.active_children() == []


def test_a_guarded_work_gives_what_the_engine_gives():
    (chunk,) = chunks_of([3, "die", 5, "refuse", 6])
    assert Guarded(Double())(chunk.items) == outcomes([Chunk(7, chunk.items)], 2)[7]


def test_workers_that_cannot_start_end_the_run():
    with pytest.raises(CommongroundError, match="ended while it loaded"):
        outcomes(chunks_of([1], [2]), 2, DiesAtOnce())


def test_no_process_is_left_behind():
    engine = Local(2).run(Double(), chunks_of(*[["slow"]] * 6))
    next(engine)
    engine.close()
    assert multiprocessing.active_children() == []


@pytest.fixture
def interruptible():
    # A shell starts its background jobs with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_still_reaches_this_process():
    list(Local(2).run(Double(), chunks_of([1], [2])))
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


def test_no_more_processes_than_there_is_work_for():
    engine = Local(6).run(Double(), chunks_of([1], [2], [3]))
    next(engine)
    assert len(multiprocessing.active_children()) == 3
    engine.close()


def test_how_many_workers():
    assert Local().workers >= 1
    with pytest.raises(InputError, match="--workers must be 1 or more"):
        Local(0)
