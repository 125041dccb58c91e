"""A process that is killed in the middle of saving keeps every label that it had acknowledged."""

import signal
import subprocess
import sys

from sqlalchemy import select

from commonground.annotate import invite, make_project, open_database, save
from commonground.database import sqlite_url
from commonground.database.tables import ItemRow, LabelRow
from commonground.io import Event, Narrative

SAVER = """
import itertools, sys
from commonground.annotate import open_database, save

database, annotator = open_database(sys.argv[1]), int(sys.argv[2])
for number in itertools.count():
    position, value = number % 50 + 1, f"text {number}"
    save(database, annotator, position, "text", value, f"saved-{number:08}")
    sys.stdout.write(f"{position} {value}\\n")
    sys.stdout.flush()
"""


def test_what_was_acknowledged_is_there_after_kill_9(tmp_path):
    url = sqlite_url(tmp_path / "labels.db")
    database = open_database(url)
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    events = {f"e{number}": Event(f"e{number}", narratives, ()) for number in range(50)}
    project = make_project(database, "Killed", "overlap", events)
    annotators = [invite(database, project.id, name)[1].id for name in ("I1", "I2")]
    database.close()

    savers = [
        subprocess.Popen(
            [sys.executable, "-c", SAVER, url, str(annotator)], stdout=subprocess.PIPE, text=True
        )
        for annotator in annotators
    ]
    acknowledged = [[saver.stdout.readline() for _ in range(30)] for saver in savers]
    for saver, lines in zip(savers, acknowledged, strict=True):
        saver.send_signal(signal.SIGKILL)
        rest = saver.communicate()[0].splitlines(keepends=True)
        lines += [line for line in rest if line.endswith("\n")]

    database = open_database(url)
    for annotator, lines in zip(annotators, acknowledged, strict=True):
        assert len(lines) >= 30
        stored = _stored(database, annotator)
        shown = [tuple(line.rstrip("\n").split(" ", 1)) for line in lines]
        # One more may have been saved whose acknowledgement never got out.
        assert stored[: len(shown)] == [(int(position), value) for position, value in shown]
        assert len(stored) <= len(shown) + 1
        save(database, annotator, 1, "text", "after", "after-the-kill")
    database.close()


def _stored(database, annotator):
    wanted = (
        select(ItemRow.position, LabelRow.value)
        .join(ItemRow, ItemRow.id == LabelRow.item_id)
        .where(LabelRow.annotator_id == annotator)
        .order_by(LabelRow.id)
    )
    with database.reading() as session:
        return [tuple(row) for row in session.execute(wanted)]
