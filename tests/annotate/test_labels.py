"""Labels: nothing is lost or overwritten, every change can be taken back, once."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from commonground.annotate import (
    ConflictError,
    NotFoundError,
    find_item,
    invite,
    make_project,
    save,
    save_remark,
    undo,
)
from commonground.database.tables import LabelRow
from commonground.errors import InputError


def _history(database, annotator):
    with database.reading() as session:
        rows = session.scalars(
            select(LabelRow).where(LabelRow.annotator_id == annotator).order_by(LabelRow.id)
        )
        return [(row.unit, row.value, row.superseded_at is None) for row in rows]


def _labels(database, annotator, position=1):
    return dict(find_item(database, annotator, position).labels)


def test_two_annotators_of_one_item_do_not_meet(database, first, second):
    save(database, first, 1, "precision/1", "P", "first-label")
    save(database, second, 1, "precision/1", "A", "first-label")
    assert _labels(database, first) == {"precision/1": "P"}
    assert _labels(database, second) == {"precision/1": "A"}


def test_the_last_of_two_tabs_holds_and_the_other_stays_in_the_history(database, first):
    save(database, first, 1, "precision/1", "P", "tab-one-1")
    saved = save(database, first, 1, "precision/1", "PP", "tab-two-1")
    assert (saved.value, saved.progress.labels) == ("PP", 1)
    assert _history(database, first) == [("precision/1", "P", False), ("precision/1", "PP", True)]


def test_a_repeated_request_saves_once(database, first):
    saved = save(database, first, 1, "precision/1", "P", "the-same-key")
    assert save(database, first, 1, "precision/1", "P", "the-same-key") == saved
    save(database, first, 1, "precision/1", "A", "another-key")
    late = save(database, first, 1, "precision/1", "P", "the-same-key")
    assert late.value == "A"
    assert len(_history(database, first)) == 2
    with pytest.raises(ConflictError):
        save(database, first, 1, "precision/1", "PP", "the-same-key")


def test_a_label_that_waited_replaces_no_newer_one(database, first):
    save(database, first, 1, "precision/1", "P", "the-first")
    with pytest.raises(ConflictError, match="newer label"):
        save(database, first, 1, "precision/1", "A", "from-before", over=(None,))
    assert save(database, first, 1, "precision/1", "A", "from-then", over=("P",)).value == "A"
    # A repeated request is no conflict with itself.
    assert save(database, first, 1, "precision/1", "A", "from-then", over=("P",)).value == "A"
    # Nor is the same label, given elsewhere.
    assert save(database, first, 1, "precision/1", "A", "from-both", over=("P",)).value == "A"
    assert save(database, first, 1, "recall/1/1", "A", "never-any", over=(None,)).value == "A"


def test_a_remark_that_waited_replaces_no_newer_one(database, first):
    def remark(comment, over=None):
        return save_remark(
            database, first, 1, "precision/1", flagged=True, comment=comment, over=over
        )

    remark("Odd.", over=(False, ""))
    with pytest.raises(ConflictError, match="newer comment"):
        remark("Very odd.", over=(False, ""))
    remark("Odd.", over=(False, ""))  # a repeated request
    assert remark("Very odd.", over=(True, "Odd.")).comment == "Very odd."


def test_undo_goes_back_step_by_step_across_items(database, first):
    save(database, first, 1, "precision/1", "P", "step-one")
    save(database, first, 1, "precision/1", "A", "step-two")
    last = save(database, first, 2, "precision/1", "PP", "step-three")
    undone = undo(database, first, last.undoable)
    assert (undone.position, undone.unit, undone.value) == (2, "precision/1", None)
    undone = undo(database, first, undone.undoable)
    assert (undone.position, undone.value) == (1, "P")
    undone = undo(database, first, undone.undoable)
    assert (undone.value, undone.undoable, undone.progress.labels) == (None, None, 0)
    assert len(_history(database, first)) == 6


def test_undoing_twice_by_accident_takes_back_one(database, first):
    save(database, first, 1, "precision/1", "P", "step-one")
    last = save(database, first, 1, "precision/2", "P", "step-two")
    assert undo(database, first, last.label) == undo(database, first, last.label)
    assert _labels(database, first) == {"precision/1": "P"}


def test_undo_does_not_take_back_what_another_tab_did_since(database, first):
    seen = save(database, first, 1, "precision/1", "P", "step-one")
    save(database, first, 1, "precision/2", "P", "other-tab")
    with pytest.raises(ConflictError, match="another tab"):
        undo(database, first, seen.label)


def test_nobody_undoes_the_labels_of_others(database, first, second):
    saved = save(database, first, 1, "precision/1", "P", "step-one")
    for label in (saved.label, 999):
        with pytest.raises(NotFoundError):
            undo(database, second, label)
    undone = undo(database, first, saved.label)
    with pytest.raises(NotFoundError):
        undo(database, first, undone.label)


@pytest.mark.parametrize(
    ("position", "unit", "value", "key", "message"),
    [
        (0, "precision/1", "P", "good-key", "no item 0"),
        (4, "precision/1", "P", "good-key", "no item 4"),
        (1, "precision/3", "P", "good-key", "no unit 'precision/3'"),
        (1, "score", "P", "good-key", "no unit"),
        (1, "precision/1", "p", "good-key", "P, PP or A, not 'p'"),
        (1, "precision/1", "", "good-key", "P, PP or A"),
        (1, "precision/1", "P", "short", "needs a key"),
        (1, "precision/1", "P", "undo:12345", "needs a key"),
    ],
)
def test_what_is_no_label_is_refused(database, first, position, unit, value, key, message):
    with pytest.raises(InputError, match=message):
        save(database, first, position, unit, value, key)
    assert _history(database, first) == []


@pytest.mark.parametrize("value", ["0", "11", "", "5.0", "٥", "-1", "1e1", "100000", "P"])
def test_scores_are_whole_numbers_from_1_to_10(database, events, outputs, value):
    project = make_project(database, "Rated", "precision-recall", events, outputs)
    annotator = invite(database, project.id, "L1")[1].id
    with pytest.raises(InputError, match="whole number from 1 to 10"):
        save(database, annotator, 1, "recall", value, "good-key")
    assert save(database, annotator, 1, "recall", "10", "good-key").value == "10"


def test_an_empty_overlap_is_an_answer(database, events):
    project = make_project(database, "Written", "overlap", events)
    annotator = invite(database, project.id, "I1")[1].id
    saved = save(database, annotator, 1, "text", " \r\n ", "empty-one")
    assert (saved.value, saved.progress.labels, saved.progress.resume) == ("", 1, 2)
    assert (
        save(database, annotator, 2, "text", "One.\r\nTwo.\r", "some-lines").value == "One.\nTwo."
    )
    for wrong in ("nul \0", "half \ud800", "x" * 20_001):
        with pytest.raises(InputError):
            save(database, annotator, 1, "text", wrong, "wrong-one")


def test_an_annotator_reaches_no_other_project(database, first, events, outputs):
    other = make_project(database, "Larger", "score", events, [*outputs, *_more(outputs)])
    stranger = invite(database, other.id, "S")[1].id
    saved = save(database, stranger, 6, "score", "7", "their-own")
    with pytest.raises(NotFoundError):
        find_item(database, first, 6)
    with pytest.raises(NotFoundError):
        save(database, first, 6, "score", "1", "not-theirs")
    with pytest.raises(NotFoundError):
        undo(database, first, saved.label)
    assert _labels(database, stranger, 6) == {"score": "7"}


def _more(outputs):
    return [type(one)(one.id, one.summary, f"{one.system} again", one.line) for one in outputs]


def test_many_tabs_at_once_lose_nothing(database, first, second):
    units = [unit.key for unit in find_item(database, first, 1).units]
    failures = []

    def tab(annotator, number):
        try:
            for unit in units:
                save(database, annotator, 1, unit, "P", f"tab-{number}-{unit.replace('/', '-')}")
        except Exception as error:
            failures.append(error)

    threads = [
        threading.Thread(target=tab, args=(who, n)) for n in range(4) for who in (first, second)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for who in (first, second):
        assert _labels(database, who) == dict.fromkeys(units, "P")
        assert len(_history(database, who)) == 4 * len(units)
        assert sum(holds for _, _, holds in _history(database, who)) == len(units)


actions = st.lists(
    st.tuples(st.sampled_from(["precision/1", "precision/2", "recall/1/1"]), st.sampled_from("PA"))
    | st.none(),
    max_size=12,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=actions)
def test_saving_and_undoing_is_a_stack(database, project, actions):
    annotator = invite(database, project.id, f"H{_fresh()}")[1].id
    stack = []
    for number, action in enumerate(actions):
        if action:
            save(database, annotator, 1, *action, f"action-{number:04}")
            stack.append(action)
        elif stack:
            undo(database, annotator, find_item(database, annotator, 1).undoable)
            stack.pop()
        assert _labels(database, annotator) == dict(stack)


_names = iter(range(10_000))


def _fresh():
    return next(_names)
