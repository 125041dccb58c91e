"""People with accounts, each in a browser of their own."""

from commonground.database import accept_link, add_account, audit_entries, start_session
from commonground.web.pages.results import compare
from web_browser import Browser

PASSWORD = "a password for tests"


def account(app, name, role="member"):
    """Add somebody who has set a password; the account."""
    database = app.state.database
    token, _ = add_account(database, name, role)
    return accept_link(database, token, password_hash=app.state.hasher.hash(PASSWORD))


def logged_in(app, name, role="member"):
    """Add somebody and log them in, without the login page; the browser."""
    browser = Browser(app)
    browser.account = account(app, name, role)
    secret, session = start_session(app.state.database, role, account=browser.account.id)
    browser.cookies.set(app.state.settings.cookie, secret)
    browser.headers["X-CSRF-Token"] = session.csrf
    return browser


def save(browser, **more):
    """Save the example of Compare; the link's path."""
    data = compare.PAGE.example().model_dump(mode="json")
    answer = browser.post("/api/saved", json={"kind": "compare", "data": data, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["link"]


def project(browser):
    """Make the example project; its number."""
    return browser.post("/api/annotate/example").json()["project"]


def invited(admin, name, role="member"):
    """Invite somebody; the link's path."""
    answer = admin.post("/api/people", json={"name": name, "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()["link"]


def log_in(browser, name, password=PASSWORD):
    """Send the login page's form; the answer."""
    return browser.post("/login", data={"name": name, "password": password})


def actions(app):
    """Who did what to which id, newest first."""
    return [(one.actor, one.action, one.subject) for one in audit_entries(app.state.database, 100)]
