"""`commonground accounts`: for the first administrator, and when nobody can log in any more."""

import json

import pytest

from commonground.cli import run
from commonground.database import (
    account_of_link,
    find_session,
    list_accounts,
    open_database,
    sqlite_url,
    start_session,
)


@pytest.fixture
def accounts(tmp_path, capsys):
    """Runs the command; its exit code, and what it printed."""

    def call(*arguments):
        code = run(["accounts", *arguments, "--data", str(tmp_path)])
        said = capsys.readouterr()
        return code, said.out.strip() or said.err.strip()

    return call


@pytest.fixture
def opened(tmp_path):
    database = open_database(sqlite_url(tmp_path / "commonground.db"))
    yield database
    database.close()


def test_a_person_is_added_and_the_link_is_theirs(accounts, opened):
    code, link = accounts("add", "Ada", "--admin", "--address", "https://study.example.org/")
    assert code == 0
    assert link.startswith("https://study.example.org/join/")
    (ada,) = list_accounts(opened)
    assert account_of_link(opened, link.rpartition("/")[2]) == ada
    assert (ada.name, ada.role, ada.state) == ("ada", "administrator", "invited")
    listed = json.loads(accounts("list", "--json")[1])
    assert listed == {
        "accounts": [{"id": 1, "name": "ada", "role": "administrator", "state": "invited"}]
    }
    assert "ada" in accounts("list")[1]


def test_a_reset_replaces_the_link(accounts, opened):
    first = accounts("add", "ada")[1].rpartition("/")[2]
    second = accounts("reset-password", "ADA")[1].rpartition("/")[2]
    assert account_of_link(opened, first) is None
    assert account_of_link(opened, second).name == "ada"


def test_a_disabled_account_is_out_and_comes_back(accounts, opened):
    accounts("add", "ada")
    secret, _ = start_session(opened, "member", account=1)
    assert accounts("disable", "ada") == (0, "")
    assert find_session(opened, secret) is None
    assert list_accounts(opened)[0].state == "disabled"
    assert accounts("reset-password", "ada")[0] == 2
    assert accounts("enable", "ada")[0] == 0
    assert accounts("role", "ada", "administrator")[0] == 0
    assert list_accounts(opened)[0].role == "administrator"
    log = [json.loads(line)["action"] for line in accounts("log")[1].splitlines()]
    assert log[:3] == ["role changed to administrator", "account enabled", "account disabled"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("add", "a b"), "a name cannot have spaces"),
        (("disable", "carol"), "there is no account 'carol'"),
        (("role", "ada", "king"), "role"),
        (("add", "ada"), "there is already an account 'ada'"),
    ],
)
def test_what_is_wrong_is_one_line(accounts, call, words):
    accounts("add", "ada")
    code, said = accounts(*call)
    assert code == 2
    assert words in said
    assert "\n" not in said


def test_a_folder_and_a_database_name_what_to_leave_out(accounts, monkeypatch):
    url = "postgresql://nobody@127.0.0.1:1/none"
    assert accounts("list", "--database", url) == (
        2,
        "commonground: give either --data or --database, not both",
    )
    monkeypatch.setenv("COMMONGROUND_DATABASE", url)
    code, said = accounts("list")
    assert code == 2
    assert "--data or the environment variable COMMONGROUND_DATABASE, not both" in said
