"""Sessions and saved results: what is found again, and what is not stored."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from commonground.database import (
    LIFETIMES,
    change_saved,
    delete_saved,
    end_session,
    find_saved,
    find_session,
    list_saved,
    save_result,
    start_session,
)


def test_a_session_is_found_by_its_secret_until_it_ends(database):
    secret, started = start_session(database, "owner")
    other, _ = start_session(database, "owner")
    assert find_session(database, secret) == started
    assert started.role == "owner"
    assert started.annotator is None
    end_session(database, secret)
    assert find_session(database, secret) is None
    assert find_session(database, other) is not None


def test_a_session_expires_and_is_swept_away(database, now):
    secret, started = start_session(database, "owner", now=now)
    assert started.expires_at == now + LIFETIMES["owner"]
    assert find_session(database, secret, now=started.expires_at - timedelta(seconds=1))
    assert find_session(database, secret, now=started.expires_at) is None
    start_session(database, "owner", now=started.expires_at)
    assert _rows(database, "sessions") == 1


def test_the_secret_and_what_was_never_a_secret_open_nothing(database):
    secret, started = start_session(database, "owner")
    for wrong in ("", started.id, secret[:-1], secret.upper(), "\0", "\ud800", "x" * 100_000):
        assert find_session(database, wrong) is None
    with database.reading() as session:
        stored = session.execute(text("SELECT * FROM sessions")).one()
    assert secret not in map(str, stored)


def test_every_session_has_secrets_of_its_own(database):
    started = [start_session(database, "owner") for _ in range(20)]
    assert len({secret for secret, _ in started} | {one.csrf for _, one in started}) == 40


def test_a_saved_result_comes_back_as_it_was(database, now):
    data = {"texts": ["A \0 null, a lone \ud800, <script>, ünïcode"], "at_least": 2, "none": None}
    saved = save_result(database, "compare", data, now=now)
    assert find_saved(database, saved.link) == saved
    assert saved.created_at == now
    assert len(saved.link) >= 20


def test_saved_results_are_listed_the_newest_first(database, now):
    titles = ["first", "a \0 null, a lone \ud800", "third"]
    made = [
        save_result(database, "score", {}, title, now=now + timedelta(hours=place))
        for place, title in enumerate(titles)
    ]
    found = list_saved(database, 10)
    assert [one.title for one in found] == titles[::-1]
    assert [(one.link, one.kind, one.created_at) for one in found] == [
        (one.link, "score", one.created_at) for one in reversed(made)
    ]
    assert [one.title for one in list_saved(database, 1, 1)] == titles[1:2]
    delete_saved(database, made[2].link)
    assert [one.title for one in list_saved(database, 1)] == titles[1:2]


def test_an_unknown_link_is_nothing(database):
    saved = save_result(database, "compare", {})
    for wrong in ("", saved.link[:-1], saved.link + "x", "%", "\0", "\ud800", "ü"):
        assert find_saved(database, wrong) is None


def _rows(database, table):
    with database.reading() as session:
        return session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


def test_an_expired_result_is_gone_and_the_next_save_removes_it(database, now):
    late = save_result(database, "score", {}, "late", expires_at=now + timedelta(days=1), now=now)
    after = now + timedelta(days=1)
    assert find_saved(database, late.link, now=after - timedelta(seconds=1)) == late
    assert find_saved(database, late.link, now=after) is None
    assert list_saved(database, 10, now=after) == []
    assert [row.title for row in list_saved(database, 10, now=now)] == ["late"]
    save_result(database, "score", {}, "new", now=after)
    assert [row.title for row in list_saved(database, 10, now=now)] == ["new"]


def test_a_result_is_renamed_and_its_expiry_moved(database):
    saved = save_result(database, "score", {"n": 1}, "Old")
    assert change_saved(database, saved.link, title="Neu: ü 😀 \0")
    assert find_saved(database, saved.link).title == "Neu: ü 😀 \0"
    later = datetime(2999, 1, 1, tzinfo=UTC)
    assert change_saved(database, saved.link, expires_at=later)
    found = find_saved(database, saved.link)
    assert (found.expires_at, found.data) == (later, {"n": 1})
    assert change_saved(database, saved.link, expires_at=None)
    assert find_saved(database, saved.link).expires_at is None
    assert not change_saved(database, "none", title="x")


def test_titles_are_searched_in_every_script(database):
    for title in ("Über die Brücke", "the bridge", "ΣΊΣΥΦΟΣ", "100%"):
        save_result(database, "score", {}, title)
    found = lambda words: [row.title for row in list_saved(database, 10, words=words)]  # noqa: E731
    assert found("brücke ÜBER") == ["Über die Brücke"]
    assert found("σίσυφοσ") == ["ΣΊΣΥΦΟΣ"]
    assert found("%") == ["100%"]
    assert found("_") == []
    assert list_saved(database, 10, kind="compare") == []
