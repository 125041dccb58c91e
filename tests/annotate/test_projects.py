"""Projects and invitations: what annotators are shown, and who gets in."""

from dataclasses import replace

import pytest
from sqlalchemy import delete, text

from commonground.annotate import (
    ConflictError,
    NotFoundError,
    accept,
    close_invitation,
    delete_project,
    each_progress,
    each_project,
    find_annotator,
    find_item,
    find_project,
    invite,
    make_project,
    renew_invitation,
    save,
)
from commonground.database import find_session, start_session
from commonground.database.tables import SessionRow
from commonground.errors import InputError
from commonground.io import Event, Prediction


def test_items_follow_the_data_set_then_the_outputs(database, project, first):
    assert (project.items, project.units) == (3, 11)
    assert find_project(database, project.id) == project
    items = [find_item(database, first, position) for position in (1, 2, 3)]
    assert [item.summary for item in items] == [
        ("The ferry ran aground.", "The captain wept."),
        ("A ferry sank.",),
        ("Two thousand people saw the fair.",),
    ]
    assert items[0].references == (("The ferry ran aground.", "Nobody was hurt."), ("All safe.",))
    assert [unit.key for unit in items[0].units] == [
        "precision/1",
        "precision/2",
        "recall/1/1",
        "recall/1/2",
        "recall/2/1",
    ]


@pytest.mark.parametrize("protocol", ["score", "precision-recall"])
def test_those_who_rate_see_narratives_and_no_references(database, events, outputs, protocol):
    project = make_project(database, "Rated", protocol, events, outputs)
    annotator = invite(database, project.id, "L1")[1].id
    item = find_item(database, annotator, 1)
    assert item.references == ()
    assert [source for source, _ in item.narratives] == ["Harbour Post", "Coast Radio"]
    with database.reading() as session:
        stored = session.execute(text("SELECT content FROM events")).scalars().all()
    assert not any("All safe" in content for content in stored)


def test_those_who_write_see_each_event_once(database, events, outputs):
    project = make_project(database, "Written", "overlap", events, outputs)
    annotator = invite(database, project.id, "I1")[1].id
    assert (project.items, project.units) == (2, 2)
    item = find_item(database, annotator, 2)
    assert (item.summary, item.references) == ((), ())
    assert item.narratives[1] == ("Evening Sheet", "In spite of rain, 2,000 visited the fair.")


def test_each_of_many_items_is_of_its_own_event(database, events):
    narratives = events["ferry"].narratives
    many = {f"event {number}": Event(f"event {number}", narratives, ()) for number in range(2_500)}
    outputs = [Prediction(name, f"About {name}.", "careful", 1) for name in many]
    make_project(database, "Many", "score", many, outputs)
    with database.reading() as session:
        joined = "SELECT name, summary FROM items JOIN events ON event_id = events.id"
        stored = session.execute(text(f"{joined} ORDER BY position")).all()
    assert [tuple(row) for row in stored] == [(name, f'["About {name}."]') for name in many]


@pytest.mark.parametrize(
    ("protocol", "change", "message"),
    [
        ("sentence", {}, "did you mean 'sentences'"),
        ("sentences", {"predictions": []}, "needs outputs, and there are none"),
        ("sentences", {"events": {}}, "the data set has no events"),
        ("sentences", {"name": " \t "}, "name is empty"),
        ("sentences", {"name": "a\nb"}, "control characters"),
        ("sentences", {"name": "x" * 101}, "longer than 100"),
    ],
)
def test_what_cannot_be_a_project_is_said(database, events, outputs, protocol, change, message):
    given = {"name": "Any", "events": events, "predictions": outputs} | change
    with pytest.raises(InputError, match=message):
        make_project(database, given["name"], protocol, given["events"], given["predictions"])
    assert each_project(database) == []


def test_an_event_must_have_what_the_protocol_shows(database, events, outputs):
    bare = {key: replace(event, references=()) for key, event in events.items()}
    with pytest.raises(InputError, match="id 'ferry' has no references"):
        make_project(database, "Any", "sentences", bare, outputs)
    bare = {key: replace(event, narratives=()) for key, event in events.items()}
    with pytest.raises(InputError, match="id 'ferry' has no texts"):
        make_project(database, "Any", "score", bare, outputs)


def test_outputs_must_belong_to_the_data_set_and_differ(database, events, outputs):
    with pytest.raises(InputError, match="line 9: id 'storm' is not in the data set"):
        make_project(database, "Any", "score", events, [Prediction("storm", "Wind.", "", 9)])
    twice = [*outputs, Prediction("ferry", "Again.", "loose ", 4)]
    with pytest.raises(InputError, match="id 'ferry' by 'loose' appears twice"):
        make_project(database, "Any", "score", events, twice)


@pytest.mark.parametrize("bad", ["a nul \0 inside", "half \ud800 of it"])
def test_what_no_database_holds_is_refused_at_the_door(database, events, bad):
    for outputs in ([Prediction("ferry", bad, "", 1)], [Prediction("ferry", "Fine.", bad, 1)]):
        with pytest.raises(InputError, match="invalid characters"):
            make_project(database, "Any", "score", events, outputs)
    wrong = {bad: Event(bad, events["ferry"].narratives, ())}
    with pytest.raises(InputError, match="invalid characters"):
        make_project(database, "Any", "overlap", wrong)


def test_a_token_lets_in_until_it_is_renewed_or_closed(database, project):
    token, annotator = invite(database, project.id, "  L1 ")
    assert annotator.name == "L1"
    assert accept(database, token) == annotator
    secret, session = start_session(database, "annotator", annotator.id)
    assert (session.annotator, session.project) == (annotator.id, project.id)
    newer = renew_invitation(database, project.id, annotator.id)
    assert find_session(database, secret) is None
    assert accept(database, newer) == annotator
    for wrong in (token, "", newer[:-1], "\ud800"):
        with pytest.raises(NotFoundError, match="not valid"):
            accept(database, wrong)
    close_invitation(database, project.id, annotator.id)
    with pytest.raises(NotFoundError):
        accept(database, newer)
    assert find_annotator(database, annotator.id)[0].open is False


def test_no_token_is_stored(database, project):
    token, _ = invite(database, project.id, "L1")
    with database.reading() as session:
        (row,) = session.execute(text("SELECT * FROM annotators")).all()
    assert token not in map(str, row)


def test_names_are_unique_within_a_project(database, project, first, events, outputs):
    with pytest.raises(ConflictError, match="already has an annotator 'L1'"):
        invite(database, project.id, "L1 ")
    other = make_project(database, "Other", "score", events, outputs)
    assert invite(database, other.id, "L1")[1].id != first


def test_invitations_belong_to_their_project(database, project, first, events, outputs):
    other = make_project(database, "Other", "score", events, outputs)
    with pytest.raises(NotFoundError):
        renew_invitation(database, other.id, first)
    with pytest.raises(NotFoundError):
        close_invitation(database, other.id, first)
    with pytest.raises(NotFoundError):
        invite(database, 99, "L1")


def test_nobody_waits_while_sentences_are_split(database, events, outputs, monkeypatch):
    """SQLite has one writer at a time: another must get in while the texts are taken apart."""
    split = []

    def sentences(text):
        with database.writing() as other:
            other.execute(delete(SessionRow))
        split.append(text)
        return [text]

    monkeypatch.setattr("commonground.annotate.projects.sentences", sentences)
    make_project(database, "Two events", "sentences", events, outputs)
    assert len(split) == 6  # each text once: three summaries and three references


def test_progress_and_where_to_resume(database, project, first, second):
    for number, unit in enumerate(find_item(database, first, 1).units):
        save(database, first, 1, unit.key, "P", f"one-{number:08}")
    save(database, first, 2, "precision/1", "A", "two-00000001")
    (_, one), (_, other) = each_progress(database, project.id)
    assert (one.labels, one.units, one.items, one.resume) == (6, 11, 3, 2)
    assert (other.labels, other.resume) == (0, 1)


def test_a_project_goes_with_all_that_is_its(database, project, first, events, outputs):
    save(database, first, 1, "precision/1", "P", "only-label-1")
    other = make_project(database, "Other", "score", events, outputs)
    secret, _ = start_session(database, "annotator", first)
    delete_project(database, project.id)
    assert [one.name for one in each_project(database)] == ["Other"]
    assert find_session(database, secret) is None
    with database.reading() as session:
        counts = {
            table: session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            for table in ("labels", "annotators", "items", "events")
        }
    assert counts == {"labels": 0, "annotators": 0, "items": other.items, "events": 2}


def test_a_number_is_never_given_again(database, project, events, outputs):
    delete_project(database, project.id)
    assert make_project(database, "Next", "score", events, outputs).id > project.id
