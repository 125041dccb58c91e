"""People with real browsers of their own, in which nothing may go wrong unnoticed."""

import base64
import json
import os
import re
from contextlib import suppress
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Error, expect

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PICTURES = Path("system-artefacts")
PATIENCE = 30_000  # milliseconds, for a machine that is busy with other things
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}
# Playwright adds the style "body {}" to a page in Firefox before it takes a picture. The pages
# refuse it, as they should, and Firefox names it by its hash.
_PICTURE_STYLE = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA="

expect.set_options(timeout=PATIENCE)

# What a user who drops or pastes files does, which Playwright has no word for.
_CARRIER = """files => {
  const carrier = new DataTransfer();
  for (const { name, content } of files) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    carrier.items.add(new File([bytes], name));
  }
  return carrier;
}"""


class Person:
    """Somebody in front of a browser that was never here before.

    `faults` are messages in the browser's console (a breach of the Content-Security-Policy is
    one), errors of scripts, answers that were failures, and requests to other places.
    """

    def __init__(self, browser, address, **look):
        self.address = address
        self.context = browser.new_context(base_url=address, **look)
        self.context.set_default_timeout(PATIENCE)
        self.faults = []
        self._expected = set()
        self.context.on("console", self._console)
        self.context.on("weberror", self._error)
        self.context.on("request", self._request)
        self.context.on("response", self._response)
        self.page = self.context.new_page()

    def expects(self, *statuses):
        """Failures that belong to what the test is about."""
        self._expected |= set(statuses)

    def visit(self, path):
        self.page.goto(path)
        return self.page

    def drop(self, selector, **files):
        """Drop files on a part of the page: `name_txt=b"..."` is the file name.txt."""
        given = [
            {"name": name.replace("_", "."), "content": base64.b64encode(content).decode()}
            for name, content in files.items()
        ]
        carrier = self.page.evaluate_handle(_CARRIER, given)
        for event in ("dragover", "drop"):
            self.page.dispatch_event(selector, event, {"dataTransfer": carrier})

    def saved(self, button):
        """Press a button that saves a file: its suggested name, and its bytes."""
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=button, exact=True).or_(
                self.page.get_by_role("link", name=button, exact=True)
            ).click()
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()

    def share(self):
        """Save the result under a link; return the link."""
        self.page.get_by_role("button", name="Share link").click()
        place = self.page.locator(".link:visible a")
        expect(place).to_be_visible()
        return place.get_attribute("href")

    def tab_to(self, target, most=80):
        """Move to an element with the Tab key alone."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if target.evaluate("one => one === document.activeElement"):
                return
        raise AssertionError(f"{target} is not reached by {most} tabs")

    def is_asked_to_stay(self):
        """Whether the browser asks before it leaves the page, which it stays on in that case."""
        asked = []

        def stay(dialog):
            asked.append(dialog.type)
            dialog.dismiss()

        self.page.on("dialog", stay)
        with suppress(Error):  # the way to the other page is given up
            self.page.goto("/annotate")
        self.page.remove_listener("dialog", stay)
        return asked == ["beforeunload"]

    def picture(self, name):
        """Keep a picture of the whole page."""
        PICTURES.mkdir(exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    def check_access(self):
        """axe-core finds nothing serious or critical in the page as it stands."""
        # Contrast is measured on colours, and not while they change from one to the other.
        self.page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
        self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        grave = [
            (one["id"], node["target"], node["failureSummary"])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
        assert not grave, f"{self.page.url}: {json.dumps(grave, indent=1)}"

    def check_width(self):
        """Nothing makes the page wider than the screen."""
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(wide) <= 0, f"{self.page.url} scrolls sideways"

    def leave(self):
        """Close the browser; whatever went wrong in it comes out now."""
        self.context.close()
        assert not self.faults, self.faults

    def _console(self, message):
        if message.type not in ("error", "warning"):
            return
        status = re.search(r"Failed to load resource.* status of (\d+)", message.text)
        if status and int(status[1]) in self._expected:
            return
        self.faults.append(f"console: {message.text} ({message.location['url']})")

    def _error(self, error):
        if _PICTURE_STYLE not in str(error.error):
            self.faults.append(str(error.error))

    def _request(self, request):
        if not request.url.startswith((f"{self.address}/", "data:", "blob:", "file:")):
            self.faults.append(f"asks elsewhere: {request.url}")

    def _response(self, response):
        if response.status >= 400 and response.status not in self._expected:
            self.faults.append(f"{response.status}: {response.url}")


def picks(page, panel="s"):
    """What can be chosen in a list of findings."""
    return page.locator(f"#panel-{panel} .item:visible .pick")
