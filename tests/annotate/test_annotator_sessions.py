"""Sessions of annotators, whose invitation links start them."""

from commonground.database import end_all_sessions, find_session, start_session


def test_all_of_a_role_are_logged_out_together(database, first):
    owner, _ = start_session(database, "owner")
    annotator, _ = start_session(database, "annotator", first)
    end_all_sessions(database, "owner")
    assert find_session(database, owner) is None
    assert find_session(database, annotator) is not None
