"""Accounts and shares in the database, on SQLite and PostgreSQL."""

from commonground.database import (
    OWNER,
    Thing,
    Viewer,
    accept_link,
    access_to,
    add_account,
    audit_entries,
    find_login,
    hand_over,
    has_administrator,
    list_saved,
    record,
    save_result,
    set_disabled,
    setup_link,
    share,
    shares_of,
    unshare,
)


def test_a_link_is_used_up_and_a_disabled_account_is_not_found(database):
    token, ada = add_account(database, "Ada", "administrator")
    assert not has_administrator(database)
    assert accept_link(database, token, password_hash="hash").state == "active"
    assert accept_link(database, token, password_hash="other") is None
    assert find_login(database, "ADA")[1] == "hash"
    assert has_administrator(database)
    assert setup_link(database) is None
    set_disabled(database, ada.id, disabled=True)
    assert find_login(database, "ada") is None
    assert find_login(database, "a\0b") is None
    assert find_login(database, "\ud800") is None


def test_each_sees_their_own_and_what_is_shared(database):
    ada, bob = (Viewer(add_account(database, name, "member")[1].id) for name in ("ada", "bob"))
    mine = {who: save_result(database, "score", {}, owner=who).link for who in (OWNER, ada)}
    thing = Thing(saved=mine[ada])

    def seen(viewer):
        return {(one.link, one.mine) for one in list_saved(database, 10, viewer=viewer)}

    assert seen(OWNER) == {(mine[OWNER], True)}
    assert seen(bob) == set()
    for target, viewers in ((bob.account, {bob}), (None, {bob, OWNER})):
        share(database, thing, target)
        share(database, thing, target)
        assert [one.account for one in shares_of(database, thing)] == [target]
        for viewer in (bob, OWNER):
            assert ((mine[ada], False) in seen(viewer)) == (viewer in viewers)
            assert access_to(database, viewer, thing) == ("member" if viewer in viewers else None)
        unshare(database, thing, target)
    assert access_to(database, ada, thing) == "owner"
    assert hand_over(database, OWNER, bob) == (0, 1)
    assert seen(bob) == {(mine[OWNER], True)}


def test_the_log_is_read_backwards(database):
    for number in range(3):
        record(database, "ada", "counted", str(number))
    newest, *_ = entries = audit_entries(database, 2)
    assert [one.subject for one in entries] == ["2", "1"]
    assert [one.subject for one in audit_entries(database, 5, newest.id)] == ["1", "0"]


def test_the_log_has_the_names_of_accounts(database):
    number = add_account(database, "ada", "member")[1].id
    for subject in (f"account {number}", f"project 7, account {number}", "account 999", "account"):
        record(database, "head", "counted", subject)
    lines = [(one.about, one.account) for one in audit_entries(database, 4)]
    assert lines[:2] == [("account", ""), ("account 999", "")]
    assert lines[2:] == [("project 7, ada", "ada"), ("ada", "ada")]
