"""Quotas: an annotator cannot fill the disk, and a new link lets a diligent one go on."""

import pytest
from sqlalchemy import update

from commonground.annotate import (
    QuotaError,
    find_item,
    invite,
    make_project,
    renew_invitation,
    save,
    undo,
)
from commonground.database.tables import AnnotatorRow


def _set(database, **counts):
    with database.writing() as session:
        session.execute(update(AnnotatorRow).values(**counts))


def _counts(database, annotator):
    with database.reading() as session:
        row = session.get_one(AnnotatorRow, annotator)
        return row.saves, row.characters


def test_every_row_is_counted_and_a_repeated_request_is_not(database, first):
    saved = save(database, first, 1, "precision/1", "PP", "step-one")
    save(database, first, 1, "precision/1", "PP", "step-one")
    assert _counts(database, first) == (1, 2)
    undo(database, first, saved.label)
    assert _counts(database, first) == (2, 2)


def test_saves_end_at_the_limit_and_what_is_saved_stays(database, project, first):
    most = 1_000 + 10 * 11  # the project has eleven units
    _set(database, saves=most - 1)
    last = save(database, first, 1, "precision/1", "P", "the-last-one")
    with pytest.raises(QuotaError, match="1,110 saves") as refused:
        save(database, first, 1, "precision/2", "P", "one-too-many")
    assert refused.value.status == 429
    with pytest.raises(QuotaError):
        undo(database, first, last.label)
    # A request whose answer was lost is still answered.
    assert save(database, first, 1, "precision/1", "P", "the-last-one") == last
    assert dict(find_item(database, first, 1).labels) == {"precision/1": "P"}
    renew_invitation(database, project.id, first)
    assert save(database, first, 1, "precision/2", "P", "after-renewal").value == "P"


def test_long_texts_end_at_the_limit(database, events):
    project = make_project(database, "Written", "overlap", events)
    writer = invite(database, project.id, "I1")[1].id
    most = 2_000_000 + 2 * 40_000
    _set(database, characters=most - 20_000)
    save(database, writer, 1, "text", "x" * 20_000, "fits-exactly")
    with pytest.raises(QuotaError, match="2,080,000 characters") as refused:
        save(database, writer, 1, "text", "x", "one-too-many")
    assert refused.value.status == 413
    assert _counts(database, writer) == (1, most)
