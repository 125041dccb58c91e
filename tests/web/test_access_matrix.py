"""Every route and every role: who is let through the gate.

A new route has to be listed here, with those who may use it. Only the gate is asked, by real
sessions; behind it stands an application that answers to everything.
"""

import pytest
from starlette.responses import PlainTextResponse

from commonground.annotate import invite, make_project
from commonground.database import Thing, Viewer, add_account, save_result, share, start_session
from commonground.io import Event, Narrative
from commonground.web import WebSettings, create_app
from commonground.web.security.middleware import Gate
from web_browser import Browser

ROLES = ("stranger", "annotator", "other", "member", "author", "administrator", "owner")
# "author" owns the project and the result, "member" has them shared, "other" has not.
USERS = {"other", "member", "author", "administrator", "owner"}
ALLOWED = {
    "all": set(ROLES),
    "users": USERS,
    "work": {"annotator", *USERS},  # the page itself refuses users, who are no annotators
    "members": {"member", "author"},
    "author": {"author"},
    "administrators": {"administrator", "owner"},
}
ROUTES = """
all            GET    /help
all            GET    /invite/{token}
all            POST   /invite/{token}
all            GET    /join/{token}
all            POST   /join/{token}
all            GET    /kept/{rest:path}
all            GET    /login
all            POST   /login
all            GET    /login/provider
all            GET    /login/provider/back
all            GET    /saved/{link}
all            GET    /saved/{link}/data
all            GET    /saved/{link}/{name}
all            GET    /static/report/{name}
users          GET    /
users          GET    /account
users          GET    /annotate
users          GET    /annotate/templates/{name}.{form}
users          POST   /api/annotate/preview
work           POST   /api/annotate/work/remarks
members        GET    /annotate/projects/{project}/adjudicated.{form}
members        GET    /annotate/projects/{project}/guidelines
members        GET    /annotate/projects/{project}/review
members        GET    /annotate/projects/{project}/review/list
members        GET    /annotate/projects/{project}/review/{position}
members        POST   /api/annotate/projects/{project}/decisions
members        POST   /api/annotate/projects/{project}/decisions/withdraw
members        POST   /api/annotate/projects/{project}/guidelines/preview
members        PUT    /api/annotate/projects/{project}/guidelines
users          POST   /api/account/password
users          DELETE /api/account/sessions
users          DELETE /api/account/sessions/{session_id}
users          POST   /api/annotate/example
users          POST   /api/annotate/projects
users          POST   /api/compare
users          GET    /api/compare/example
users          POST   /api/compare/page
users          DELETE /api/jobs/{job_id}
users          GET    /api/jobs/{job_id}
users          GET    /api/openapi.json
users          POST   /api/pyramid
users          POST   /api/pyramid/class
users          POST   /api/pyramid/corrections
users          POST   /api/pyramid/edit
users          GET    /api/pyramid/example
users          POST   /api/pyramid/marks
users          POST   /api/pyramid/page
users          POST   /api/pyramid/scores
users          POST   /api/pyramid/scores.csv
users          POST   /api/pyramid/sheets
users          POST   /api/pyramid/sheets.zip
users          POST   /api/saved
users          POST   /api/score
users          GET    /api/score/example
users          POST   /api/score/scores.{form}
users          POST   /api/score/systems
users          POST   /api/score/summaries.csv
users          POST   /api/score/systems.{form}
users          POST   /api/text
users          GET    /compare
users          GET    /kept
users          GET    /logged-in
users          GET    /pyramid
users          GET    /pyramid/template.{form}
users          GET    /saved
users          GET    /score
users          GET    /score/template.{form}
work           GET    /annotate/work/
work           GET    /annotate/work/{position}
work           POST   /api/annotate/work/labels
work           POST   /api/annotate/work/undo
work           POST   /logout
members        GET    /annotate/projects/{project}
members        GET    /annotate/projects/{project}/figures
members        GET    /annotate/projects/{project}/labels.{form}
members        POST   /api/annotate/projects/{project}/annotators
members        DELETE /api/annotate/projects/{project}/annotators/{annotator}/link
members        POST   /api/annotate/projects/{project}/annotators/{annotator}/link
author         DELETE /api/annotate/projects/{project}
author         GET    /api/annotate/projects/{project}/shares
author         DELETE /api/annotate/projects/{project}/shares/{who}
author         PUT    /api/annotate/projects/{project}/shares/{who}
author         DELETE /api/saved/{link}
author         PATCH  /api/saved/{link}
author         GET    /api/saved/{link}/shares
author         DELETE /api/saved/{link}/shares/{who}
author         PUT    /api/saved/{link}/shares/{who}
administrators POST   /api/people
administrators DELETE /api/people/sessions/{session_id}
administrators PATCH  /api/people/{account}
administrators POST   /api/people/{account}/hand-over
administrators POST   /api/people/{account}/link
administrators GET    /people
administrators GET    /people/log
administrators GET    /people/log.{form}
"""
TABLE = [tuple(line.split()) for line in ROUTES.strip().splitlines()]
OPTIONAL = {"/login/provider", "/login/provider/back"}


def routes(found):
    for route in found:
        inner = getattr(route, "original_router", route)
        if getattr(route, "methods", None):
            yield from ((method, route.path) for method in route.methods - {"HEAD"})
        elif hasattr(inner, "routes"):
            yield from routes(inner.routes)


@pytest.fixture(scope="module")
def gated(tmp_path_factory):
    """Browsers of every role at the gate, and the ids in the paths."""
    settings = WebSettings(data=tmp_path_factory.mktemp("web"), workers=0, password="p" * 12)
    app = create_app(settings)
    database = app.state.database
    gate = Gate(PlainTextResponse("reached"), settings=settings)

    async def asgi(scope, receive, send):
        await gate({**scope, "app": app, "state": {}}, receive, send)

    def browser(role, account=None, annotator=None):
        made = Browser(asgi)
        secret, session = start_session(
            database, role, annotator, account=account, mark=app.state.owner_mark
        )
        made.cookies.set(settings.cookie, secret)
        made.headers["X-CSRF-Token"] = session.csrf
        return made

    plain = ("author", "member", "other")
    numbers = {name: add_account(database, f"the-{name}", "member")[1].id for name in plain}
    head = add_account(database, "head", "administrator")[1].id
    author = Viewer(numbers["author"])
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    events = {"e": Event("e", narratives, ())}
    project = make_project(database, "Rain", "overlap", events, owner=author).id
    link = save_result(database, "compare", {}, "A title", owner=author).link
    for thing in (Thing(project=project), Thing(saved=link)):
        share(database, thing, numbers["member"])
    annotator = invite(database, project, "Ada")[1].id
    people = {name: browser("member", number) for name, number in numbers.items()}
    people |= {
        "stranger": Browser(asgi),
        "annotator": browser("annotator", None, annotator),
        "administrator": browser("administrator", head),
        "owner": browser("owner"),
    }
    return people, {"project": project, "link": link, "annotator": annotator, "account": head}


def path_of(template, ids):
    for name, value in {
        **ids,
        "form": "csv",
        "who": "everyone",
        "position": 1,
        "rest:path": ids["link"],
        "name": "page.css",
    }.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template.replace("{", "").replace("}", "")


def test_every_route_is_listed(make_app):
    here = {(method, path) for method, path in routes(make_app().routes)}
    listed = {(method, path) for _, method, path in TABLE}
    assert {path for _, path in listed - here} <= OPTIONAL, "routes that are gone"
    assert here - listed == set(), "list these routes, with those who may use them"


@pytest.mark.parametrize(("who", "method", "path"), TABLE)
def test_who_is_let_through(gated, who, method, path):
    people, ids = gated
    reached = {
        role
        for role, browser in people.items()
        if browser.request(method, path_of(path, ids)).text == "reached"
    }
    assert set(people) == set(ROLES)
    assert reached == ALLOWED[who]


@pytest.mark.parametrize("end", ["%0a", "%0d%0a", "%00", "%7f"])
def test_no_control_character_leads_around_the_gate(gated, end):
    """Routes match a path that ends in a line break like the path without it."""
    people, ids = gated
    for _, method, path in TABLE:
        for role, browser in people.items():
            answer = browser.request(method, path_of(path, ids) + end)
            assert answer.status_code == 404, (role, method, path)


@pytest.mark.parametrize(
    "number", ["+1", "01", "1.0", " 1", "1%20", "%31%0a", "٧", "1_0", "", "-1"]
)
def test_a_project_has_one_spelling_only(gated, number):
    people, ids = gated
    spelled = number.replace("1", str(ids["project"]))
    for path in (f"/annotate/projects/{spelled}", f"/api/annotate/projects/{spelled}/shares"):
        answer = people["author"].get(path)
        assert answer.status_code == 404
        assert answer.text != "reached"


def test_what_is_anothers_reads_as_what_does_not_exist(gated):
    people, ids = gated
    for path, missing in (
        (f"/annotate/projects/{ids['project']}", "/annotate/projects/999999"),
        (f"/api/saved/{ids['link']}/shares", "/api/saved/AAAAAAAAAAAAAAAAAAAAAA/shares"),
    ):
        one, two = (people["other"].get(where) for where in (path, missing))
        assert (one.status_code, one.text) == (two.status_code, two.text)
        assert one.status_code == 404
