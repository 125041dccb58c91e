"""The pages behind a real nginx and a real Caddy, with the snippets in deploy/."""

import re

import pytest
from playwright.sync_api import expect

from proxies import caddy, nginx
from served import Served

PAGES = ("Compare", "Score", "Pyramid", "Annotate", "Saved")


@pytest.fixture
def password(tmp_path):
    file = tmp_path / "password"
    file.write_text("a long password\n")
    return ("--data", tmp_path / "data", "--password-file", file)


@pytest.fixture
def below_a_path(password, tmp_path):
    """A server below /study, behind nginx, which lets 50 MB through."""
    server = Served(*password, "--behind-proxy", "--root-path", "/study")
    with nginx(tmp_path, server.address) as site:
        yield site, server
    server.stop()


def _log_in(person, path):
    page = person.visit(path)
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


def test_all_pages_work_below_a_path_behind_nginx(people, below_a_path):
    site, _ = below_a_path
    owner = people(site)
    page = _log_in(owner, "/study/score")
    assert page.url == f"{site}/study/score"
    for name in PAGES:
        page.get_by_label("Pages").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("link", name=name, exact=True).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.url.startswith(f"{site}/study/")
    owner.visit("/study/compare")
    expect(page.locator("#link")).to_be_attached()
    link = owner.share()
    assert link.startswith("/study/saved/")
    stranger = people(site)
    stranger.visit(link).wait_for_load_state("networkidle")
    assert stranger.page.title().endswith("commonground")
    owner.visit("/study/saved")
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/study/login"))
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (768, "dark"), (390, "light")])
def test_what_a_proxy_refuses_is_explained(people, password, tmp_path, width, scheme):
    server = Served(*password, "--behind-proxy", "--root-path", "/study")
    try:
        with nginx(tmp_path, server.address, limit="2k") as site:
            look = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
            owner = people(site, **look)
            page = _log_in(owner, "/study/compare")
            owner.expects(413, 502)
            said = page.get_by_role("alert")
            ask = (
                "import('/study/static/api.js').then(async ({ api, complain }) => {"
                "try { await api('POST', '/api/score', { text: 'x'.repeat(%d) }) }"
                "catch (error) { complain(error) } })"
            )
            page.evaluate(ask % 5000)
            expect(said).to_contain_text("refuses requests of this size")
            owner.picture(f"refused-by-a-proxy-{width}")
            server.stop()
            page.evaluate(ask % 5)
            expect(said).to_contain_text("does not respond. Try again in a minute.")
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("file", "path"), [("Caddyfile", ""), ("Caddyfile.path", "/study")], ids=["name", "path"]
)
def test_caddy_adds_https(people, password, tmp_path, file, path):
    """It is trusted by its network, as in another container, and not because it is local."""
    server = Served(*password, "--trusted-proxy", "127.0.0.0/8", "--root-path", path)
    with caddy(tmp_path, server.address, file) as site:
        owner = people(site, ignore_https_errors=True)
        _log_in(owner, f"{path}/score")
        (cookie,) = owner.context.cookies()
        assert cookie["secure"]
        assert cookie["path"] == f"{path}/"
    server.stop()
