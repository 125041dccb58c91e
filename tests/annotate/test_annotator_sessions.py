"""Sessions of annotators, whose invitation links start them."""

from commonground.database import OWNER, end_sessions, find_session, start_session


def test_the_owner_is_logged_out_everywhere_but_here(database, first):
    owner, _ = start_session(database, "owner")
    annotator, _ = start_session(database, "annotator", first)
    here, session = start_session(database, "owner")
    end_sessions(database, OWNER, but=session.id)
    assert find_session(database, owner) is None
    assert find_session(database, here) == session
    assert find_session(database, annotator) is not None
