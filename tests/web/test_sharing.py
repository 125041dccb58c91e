"""Projects and saved results of a group: each has their own, and shares them."""

from urllib.parse import quote

import pytest

from account_people import PASSWORD, actions, logged_in, project, save
from commonground.database import hashed
from web_browser import Browser


def test_each_sees_their_own(app, ada, bob, admin):
    link, number = save(ada), project(ada)
    assert link in ada.get("/saved").text
    assert f"/annotate/projects/{number}" in ada.get("/annotate").text
    for other in (bob, admin):
        assert link not in other.get("/saved").text
        assert f"/annotate/projects/{number}" not in other.get("/annotate").text
        assert other.get(f"/annotate/projects/{number}").status_code == 404
        assert other.get(f"/annotate/projects/{number}/labels.csv").status_code == 404
        assert other.delete(f"/api/annotate/projects/{number}").status_code == 404
        assert other.delete(f"/api{link}").status_code == 404
        page = other.get(link)  # whoever has the link can view it
        assert page.status_code == 200
        assert 'data-act="delete"' not in page.text
        assert 'id="share-people"' not in page.text
        assert "shared with you" not in page.text
    assert 'data-act="delete"' in ada.get(link).text


def test_people_with_accounts_can_be_shared_with(ada):
    for path in ("/compare", "/score", "/pyramid", save(ada)):
        assert "Share with people" in ada.get(path).text


def test_with_a_password_alone_there_is_nobody_to_share_with(make_app):
    password = "correct horse"
    with Browser(make_app(password=password)) as owner:
        owner.post("/login", data={"password": password})
        owner.visit()
        link = save(owner)
        for path in ("/compare", "/score", "/pyramid", link):
            page = owner.get(path)
            assert page.status_code == 200
            assert "Share with people" not in page.text


@pytest.mark.parametrize("who", ["one", "everyone"])
def test_what_is_shared_is_seen_and_not_deleted_until_it_is_no_longer(app, ada, bob, who):
    link, number = save(ada), project(ada)
    who = str(bob.account.id) if who == "one" else who
    shares = (f"/api{link}/shares", f"/api/annotate/projects/{number}/shares")
    for path in shares:
        assert ada.put(f"{path}/{who}").status_code == 204
        assert ada.put(f"{path}/{who}").status_code == 204
        assert [one["who"] for one in ada.get(path).json()["shared"]] == [who]
        assert who not in [one["who"] for one in ada.get(path).json()["others"]]
    listed = bob.get("/saved").text
    assert link in listed
    assert "shared with you by ada" in listed
    assert "shared with you by ada" in bob.get(link).text
    assert 'data-act="delete"' not in listed
    page = bob.get(f"/annotate/projects/{number}")
    assert page.status_code == 200
    assert 'id="delete"' not in page.text
    assert 'id="share-people"' not in page.text
    assert bob.get(f"/annotate/projects/{number}/labels.csv").status_code == 200
    for path in (f"/api/annotate/projects/{number}", f"/api{link}"):
        assert bob.delete(path).status_code == 403
    for path in shares:
        assert bob.put(f"{path}/everyone").status_code == 403
        assert bob.get(path).status_code == 403
        assert ada.delete(f"{path}/{who}").status_code == 204
    assert link not in bob.get("/saved").text
    assert bob.get(f"/annotate/projects/{number}").status_code == 404


def test_sharing_with_nobody_known_is_refused(ada):
    link = save(ada)
    assert ada.put(f"/api{link}/shares/999").status_code == 400
    for who in ("0", "-1", "nobody", "1e3"):
        assert ada.put(f"/api{link}/shares/{who}").status_code == 422


def test_saved_says_who_sees_the_list(make_app, ada):
    assert "it has your own results and those that others share with you" in ada.get("/saved").text
    with Browser(make_app()) as anyone:
        anyone.visit()
        assert "Every user of this machine can see this list" in anyone.get("/saved").text


def test_the_script_of_shares_loads_after_the_page_and_only_where_it_is_used(ada):
    link, number = save(ada), project(ada)
    for path in (link, f"/annotate/projects/{number}"):
        main, _, after = ada.get(path).text.partition("</main>")
        assert 'id="share-people"' in main
        assert "<script" not in main
        assert after.count("/static/share.js") == 1
    assert "share.js" not in ada.get(f"/annotate/projects/{number}/guidelines").text


def test_what_the_owner_shares_is_named_as_theirs(make_app):
    app = make_app(password="the owner's password", accounts=True)
    owner, ada = Browser(app), logged_in(app, "ada")
    owner.post("/login", data={"password": "the owner's password"})
    owner.visit()
    link = save(owner)
    assert "shared with you" not in owner.get("/saved").text
    assert owner.put(f"/api{link}/shares/everyone").status_code == 204
    listed = ada.get("/saved").text
    assert "shared with you by the server&#39;s owner" in listed
    assert 'data-act="copy"' in listed


@pytest.mark.parametrize("page", ["compare", "pyramid", "score"])
def test_results_are_shared_with_people_where_there_are_people(make_app, ada, page):
    with Browser(make_app()) as anyone:
        anyone.visit()
        for one, count in ((ada, 1), (anyone, 0)):
            assert one.get(f"/{page}").text.count('id="people"') == count
    assert 'id="people"' not in ada.get(save(ada)).text  # it has its own place for that


def everything(link):
    """The addresses below the link of a result of Compare."""
    return (link, f"{link}/data", f"{link}/common-ground.html")


def test_a_link_for_chosen_people_opens_for_nobody_else(app, ada, bob, admin):
    link = save(ada, public=False)
    eve, visitor = logged_in(app, "eve"), Browser(app)
    assert ada.put(f"/api{link}/shares/{bob.account.id}").status_code == 204
    for path in everything(link):
        for allowed in (ada, bob, admin):
            assert allowed.get(path).status_code == 200
        refused = eve.get(path)
        assert refused.status_code == 403
        assert "Only people with whom this result is shared can view it" in refused.text
        asked = visitor.get(path)
        assert (asked.status_code, asked.headers["location"]) == (
            303,
            f"/login?next={quote(path, '')}",
        )
        for end in ("%0a", "/", "?a=b"):
            assert eve.get(path + end).status_code in (403, 404)
            assert visitor.get(path + end).status_code in (303, 404)
    assert visitor.get(link.replace("/saved/", "/kept/")).headers["location"] == link
    assert "Only people with whom it is shared can view this page" in bob.get(link).text
    assert "chosen people</span>" in bob.get("/saved").text
    assert link not in admin.get("/saved").text
    ada.delete(f"/api{link}/shares/{bob.account.id}")
    assert bob.get(link).status_code == 403


def test_everyone_with_an_account_is_also_chosen_people(app, ada, bob):
    link, annotator = save(ada, public=False), Browser(app)
    ada.put(f"/api{link}/shares/everyone")
    assert bob.get(link).status_code == 200
    assert Browser(app).get(link).status_code == 303
    invitation = ada.post(
        f"/api/annotate/projects/{project(ada)}/annotators", json={"name": "Lin"}
    ).json()["link"]
    annotator.post(invitation, data={})
    assert annotator.get(link).status_code == 403


def test_only_the_owner_makes_a_link_public_and_the_log_has_it(app, ada, bob):
    link, visitor = save(ada, public=False), Browser(app)
    ada.put(f"/api{link}/shares/{bob.account.id}")
    assert bob.patch(f"/api{link}", json={"public": True}).status_code == 403
    assert 'id="share-public">' in ada.get(link).text
    for public, status in ((True, 200), (False, 303)):
        assert ada.patch(f"/api{link}", json={"public": public}).status_code == 204
        assert {visitor.get(path).status_code for path in everything(link)} == {status}
    assert ada.patch(f"/api{link}", json={"title": "Another"}).status_code == 204
    assert visitor.get(link).status_code == 303  # what is not named stays
    assert ada.patch(f"/api{link}", json={"public": None}).status_code == 422
    done = [(what, which) for _, what, which in actions(app) if what.startswith("link")]
    result = f"result {hashed(link.rpartition('/')[2])[:12]}"
    assert done == [("link limited to people", result), ("link opened for anyone", result)]


def test_after_the_login_the_link_opens(app, ada, bob):
    link, visitor = save(ada, public=False), Browser(app)
    ada.put(f"/api{link}/shares/{bob.account.id}")
    form = {"name": "bob", "password": PASSWORD, "next": link}
    answer = visitor.post("/login", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, link)
    assert visitor.get(link).status_code == 200
