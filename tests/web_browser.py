"""A browser for the tests of the pages."""

import re
import time

from fastapi.testclient import TestClient

ORIGIN = "http://localhost"


class Browser(TestClient):
    """A browser at this machine: it sends its origin, and the token of the page it saw."""

    def __init__(self, app):
        super().__init__(app, base_url=ORIGIN, follow_redirects=False)
        self.headers["Origin"] = ORIGIN

    def visit(self, path="/compare"):
        """Open a page and take its token, as the page's script would."""
        page = self.get(path)
        if found := re.search('<meta name="csrf" content="([^"]+)">', page.text):
            self.headers["X-CSRF-Token"] = found[1]
        return page

    def result(self, path, **sent):
        """Start a job and wait for its end; what the page is told of it."""
        answer = self.post(path, **sent)
        assert answer.status_code == 202, answer.text
        while True:
            status = self.get(f"/api/jobs/{answer.json()['job']}", params={"after": 0}).json()
            if status["state"] in ("done", "failed", "cancelled"):
                return status
            time.sleep(0.02)


def csv_text(answer):
    """The text of a CSV file, which begins with the mark that Excel needs."""
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return answer.content.decode("utf-8-sig")
