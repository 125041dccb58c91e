"""A page that stays open while its server is started again."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from served import Served


def test_a_page_goes_on_after_the_server_was_started_again(people, tmp_path):
    first = Served("--data", tmp_path)
    owner = people(first.address)
    page = owner.visit("/compare")
    first.stop()
    again = Served("--data", tmp_path, port=urlsplit(first.address).port)
    try:
        owner.expects(401)
        owner.share()
        expect(page.locator("#alert")).to_be_empty()
        # The browser fetches the icon when it likes, perhaps while there is no server.
        owner.faults[:] = [
            fault for fault in owner.faults if not fault.endswith("/static/report/mark.svg)")
        ]
    finally:
        again.stop()
