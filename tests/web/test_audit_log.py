"""The audit log of a group: deletions, exports, roles, logins; names and ids, never texts."""

import json
import re
from html import unescape

from account_people import actions, invited, log_in, project, save
from commonground.database import audit_entries, record
from commonground.database.tables import ProjectRow
from web_browser import Browser


def test_the_log_has_deletions_and_exports_with_ids_and_never_texts(app, ada, admin):
    link, number = save(ada), project(ada)
    title = re.search(r'dir="auto">([^<]+)<', ada.get("/saved").text)[1]
    ada.get(f"/annotate/projects/{number}/labels.csv")
    ada.get("/annotate/projects/999/labels.csv")  # fails, so it is not there
    assert ada.get(f"{link}/common-ground.html").status_code == 200
    ada.put(f"/api{link}/shares/everyone")
    ada.delete(f"/api{link}")
    ada.delete(f"/api/annotate/projects/{number}")
    log_in(Browser(app), "ada", "wrong")
    page = admin.get("/people/log").text
    seen = [one for one in actions(app) if one[0] in ("ada", "nobody")]
    secret = link.rpartition("/")[2]
    assert [(who, what) for who, what, _ in seen] == [
        ("nobody", "login refused"),
        ("ada", "project deleted"),
        ("ada", "result deleted"),
        ("ada", "result shared"),
        ("ada", "result exported"),
        ("ada", "project exported"),
    ]
    assert seen[1][2] == f"project {number}"
    assert seen[5][2] == f"project {number}/labels.csv"
    assert seen[2][2] == seen[4][2]
    assert seen[2][2] == seen[3][2].removesuffix(", everyone")
    assert secret not in page
    assert title not in page
    assert "project exported" in page


def test_the_log_names_accounts(app, admin, ada, bob):
    link = save(ada)
    ada.put(f"/api{link}/shares/{bob.account.id}")
    admin.patch(f"/api/people/{ada.account.id}", json={"role": "administrator"})
    log_in(Browser(app), "bob", "wrong")
    record(app.state.database, "head", "account disabled", "account 999")  # of no account
    page = admin.get("/people/log").text
    whats = re.findall(r'data-label="What">([^<]+)<.*?data-label="About">([^<]+)<', page)
    result = audit_entries(app.state.database, 4)[-1].subject.partition(",")[0]
    assert whats == [
        ("account disabled", "account 999"),
        ("login refused", "bob"),
        ("role changed to administrator", "ada"),
        ("result shared", f"{result}, bob"),
    ]


def test_the_log_has_the_title_of_a_project_also_after_it_is_deleted(app, admin, ada, bob):
    number = project(ada)
    with app.state.database.reading() as session:
        title = session.get_one(ProjectRow, number).name
    ada.get(f"/annotate/projects/{number}/labels.csv")
    ada.put(f"/api/annotate/projects/{number}/shares/{bob.account.id}")
    ada.delete(f"/api/annotate/projects/{number}")
    with app.state.database.reading() as session:
        assert session.get(ProjectRow, number) is None
    page = unescape(admin.get("/people/log").text)
    assert re.findall(r'data-label="About">(project [^<]+)<', page) == [
        f"project {number} “{title}”",
        f"project {number} “{title}”, bob",
        f"project {number} “{title}”, labels.csv",
    ]
    line = json.loads(admin.get("/people/log.jsonl").text.splitlines()[-1])
    assert (line["subject"], line["project"]) == (f"project {number}/labels.csv", title)


def test_the_log_is_exported_as_a_file(app, admin):
    invited(admin, "=cmd|calc")
    rows = admin.get("/people/log.csv").text.splitlines()
    assert rows[0] == "id,at,actor,action,subject,account,project"
    assert rows[-1].endswith(",member invited,account 2,'=cmd|calc,")
    lines = admin.get("/people/log.jsonl").text.splitlines()
    assert '"action": "audit log exported"' in lines[0]
    assert admin.get("/people/log.exe").status_code == 422


def test_many_lines_of_the_log_are_on_several_pages(app, admin, monkeypatch):
    for number in range(103):
        record(app.state.database, "head", "counted", f"account {number}")
    first = admin.get("/people/log").text
    older = re.search(r"/people/log\?before=\d+", first)[0]
    assert (first.count("counted"), admin.get(older).text.count("counted")) == (100, 3)


def test_a_refused_login_has_the_id_of_the_account_and_never_what_was_typed(app, admin, ada):
    log_in(Browser(app), "ADA", "wrong")
    log_in(Browser(app), "a secret typed as name", "wrong")
    log_in(Browser(app), "a\0b", "wrong")
    admin.patch(f"/api/people/{ada.account.id}", json={"disabled": True})
    log_in(Browser(app), "ada")
    refused = [one for one in actions(app) if one[1] == "login refused"]
    theirs = ("nobody", "login refused", f"account {ada.account.id}")
    assert refused == [theirs, *2 * [("nobody", "login refused", "account")], theirs]
    assert "secret" not in admin.get("/people/log").text
