"""Login at an OpenID provider, against a real one on this machine, also one that lies."""

import socket
import threading
import time
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from account_people import account
from commonground.database import add_account, audit_entries, list_accounts, setup_link
from commonground.errors import InputError
from commonground.web import OidcSettings, WebSettings
from web_browser import Browser


class Provider:
    """A provider; a test changes `claims`, `key` or `header` to let it lie."""

    def __init__(self, issuer):
        self.issuer = issuer
        self.key = self.real = RSAKey.generate_key(2048, {"kid": "one"})
        self.claims, self.codes = {}, {}
        self.app = FastAPI()
        self.app.get("/.well-known/openid-configuration")(self.metadata)
        self.app.get("/keys")(self.keys)
        self.app.post("/token")(self.token)

    def metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
        }

    def keys(self):
        return KeySet([self.real]).as_dict(private=False)

    def authorized(self, address):
        """Log in there: the query of the answer."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked["nonce"]
        return {"code": code, "state": asked["state"]}

    async def token(self, request: Request):
        form = await request.form()
        nonce = self.codes.pop(form["code"], None)  # a code works once
        if nonce is None or not form["code_verifier"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": "pages",
            "sub": "ada-1",
            "email": "ada@example.org",
            "email_verified": True,
            "nonce": nonce,
            "iat": now,
            "exp": now + 300,
            **self.claims,
        }
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}


@pytest.fixture(scope="module")
def running():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        provider = Provider(f"http://127.0.0.1:{listening.getsockname()[1]}")
        server = uvicorn.Server(uvicorn.Config(provider.app, log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield provider
        server.should_exit = server.force_exit = True
        thread.join()


@pytest.fixture
def provider(running):
    running.claims, running.key = {}, running.real
    return running


@pytest.fixture
def app(make_app, provider):
    oidc = OidcSettings(provider.issuer, "pages", "secret", ("example.org",))
    return make_app(accounts=True, oidc=oidc)


def began(browser, **asked):
    answer = browser.get("/login/provider", params=asked)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


def came_back(browser, provider, **asked):
    query = provider.authorized(began(browser, **asked))
    return browser.get("/login/provider/back", params=query)


def test_somebody_of_the_domain_comes_in_and_has_one_account(app, provider):
    browser = Browser(app)
    assert f"Log in with {urlsplit(provider.issuer).hostname}" in browser.get("/login").text
    answer = came_back(browser, provider, next="/score")
    assert (answer.status_code, answer.headers["location"]) == (303, "/score")
    assert browser.get("/score").status_code == 200
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert came_back(Browser(app), provider).status_code == 303
    (ada,) = list_accounts(app.state.database)
    assert (ada.name, ada.role, ada.by_provider) == ("ada@example.org", "member", True)


def test_an_invited_person_of_another_domain_joins_by_their_link(app, provider):
    provider.claims = {"sub": "eve-2", "email": "eve@elsewhere.net"}
    assert came_back(Browser(app), provider).status_code == 403
    token, _ = add_account(app.state.database, "eve", "administrator")
    assert "Use 127.0.0.1 instead" in Browser(app).get(f"/join/{token}").text
    browser = Browser(app)
    assert came_back(browser, provider, join=token).status_code == 303
    assert browser.get("/people").status_code == 200
    assert came_back(Browser(app), provider).status_code == 303
    provider.claims = {"sub": "mallory", "email": "m@elsewhere.net"}
    assert came_back(Browser(app), provider, join=token).status_code == 403  # it was used


def test_the_first_administrator_is_named_by_their_address(app, provider):
    token = setup_link(app.state.database)
    assert "Your login name is then your e-mail address there" in (
        Browser(app).get(f"/join/{token}").text
    )
    browser = Browser(app)
    assert came_back(browser, provider, join=token).status_code == 303
    (ada,) = list_accounts(app.state.database)
    assert (ada.name, ada.role, ada.by_provider) == ("ada@example.org", "administrator", True)
    assert [(one.actor, one.action) for one in audit_entries(app.state.database, 2)][1:] == [
        ("ada@example.org", "link used")
    ]
    assert ">ada@example.org</a>" in browser.get("/").text


@pytest.mark.parametrize("email", ["eve", "two words@example.org", None])
def test_without_a_usable_address_the_first_administrator_keeps_the_name(app, provider, email):
    add_account(app.state.database, "eve", "member")
    token = setup_link(app.state.database)
    provider.claims = {"email": email}
    assert came_back(Browser(app), provider, join=token).status_code == 303
    assert [one.name for one in list_accounts(app.state.database)] == ["admin", "eve"]


def test_a_name_that_somebody_chose_stays(app, provider):
    for role in ("administrator", "member"):
        token, _ = add_account(app.state.database, f"eve-{role}", role)
        provider.claims = {"sub": role}
        assert "e-mail address there" not in Browser(app).get(f"/join/{token}").text
        assert came_back(Browser(app), provider, join=token).status_code == 303
    names = [one.name for one in list_accounts(app.state.database)]
    assert names == ["eve-administrator", "eve-member"]


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "true"},
        {"email": "ada@example.org.evil.net"},
        {"email": "ada@evil-example.org"},
        {"email": None},
        {"email": "two words@example.org"},
    ],
)
def test_an_address_that_is_not_verified_or_of_another_domain_admits_nobody(app, provider, claims):
    provider.claims = claims
    answer = came_back(Browser(app), provider)
    assert answer.status_code == 403
    assert "Ask an administrator for an invitation" in answer.text
    assert list_accounts(app.state.database) == []


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1_000_000_000},
        {"iss": "https://evil.example"},
        {"aud": "another-client"},
        {"sub": ""},
    ],
)
def test_a_token_with_wrong_claims_is_refused(app, provider, claims):
    provider.claims = claims
    answer = came_back(Browser(app), provider)
    assert answer.status_code == 403
    assert list_accounts(app.state.database) == []
    assert audit_entries(app.state.database, 1)[0].action == "login refused"


def test_a_forged_signature_is_refused(app, provider):
    provider.key = RSAKey.generate_key(2048, {"kid": "one"})
    answer = came_back(Browser(app), provider)
    assert answer.status_code == 403
    assert "The provider&#39;s answer was not accepted" in answer.text


def test_a_wrong_state_and_another_browser_are_refused(app, provider):
    browser = Browser(app)
    query = provider.authorized(began(browser))
    wrong = {**query, "state": "invented"}
    assert browser.get("/login/provider/back", params=wrong).status_code == 403
    query = provider.authorized(began(Browser(app)))
    stolen = Browser(app).get("/login/provider/back", params=query)
    assert stolen.status_code == 403
    assert "started in another browser" in stolen.text


def test_an_answer_works_once(app, provider):
    browser = Browser(app)
    query = provider.authorized(began(browser))
    assert browser.get("/login/provider/back", params=query).status_code == 303
    assert browser.get("/login/provider/back", params=query).status_code == 403
    began(browser)
    assert browser.get("/login/provider/back", params=query).status_code == 403


def test_a_name_with_a_password_is_not_taken_over(app, provider):
    account(app, "ada@example.org")
    assert came_back(Browser(app), provider).status_code == 403


def test_a_disabled_account_stays_out(app, provider):
    from commonground.database import set_disabled

    assert came_back(Browser(app), provider).status_code == 303
    set_disabled(app.state.database, 1, disabled=True)
    assert came_back(Browser(app), provider).status_code == 403


def test_a_disabled_person_gets_no_second_account(app, provider):
    from commonground.database import set_disabled

    database = app.state.database
    token, ada = add_account(database, "ada", "member")
    assert came_back(Browser(app), provider, join=token).status_code == 303
    set_disabled(database, ada.id, disabled=True)
    assert came_back(Browser(app), provider).status_code == 403
    token, _ = add_account(database, "ada2", "member")
    assert came_back(Browser(app), provider, join=token).status_code == 403
    assert [one.state for one in list_accounts(database)] == ["disabled", "invited"]


def test_answers_to_logins_that_never_began_do_not_fill_the_log(app):
    browser = Browser(app)
    for _ in range(3):
        assert browser.get("/login/provider/back", params={"code": "x"}).status_code == 403
    assert audit_entries(app.state.database, 1) == []


def test_a_provider_that_is_gone_or_has_another_name_is_one_line(make_app, provider):
    for issuer in ("http://127.0.0.1:1", provider.issuer.replace("127.0.0.1", "localhost")):
        browser = Browser(make_app(accounts=True, oidc=OidcSettings(issuer, "pages", "secret")))
        answer = browser.get("/login/provider")
        assert answer.status_code == 502
        assert "The provider" in answer.text


def test_settings_that_are_none_are_refused(make_app, tmp_path):
    for issuer in ("http://id.example.org", "id.example.org", ""):
        with pytest.raises(InputError, match="is not an address like https"):
            OidcSettings(issuer, "pages", "secret")
    oidc = OidcSettings("https://id.example.org", "pages", "hidden")
    assert "hidden" not in repr(oidc)
    with pytest.raises(InputError, match="--accounts"):
        WebSettings(data=tmp_path, oidc=oidc)
    assert Browser(make_app(accounts=True)).get("/login/provider").status_code == 404
