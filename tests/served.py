"""`commonground serve` as a process of its own, and browsers that talk to it over the network."""

import re
import subprocess
import sys

import httpx


class Served:
    """A server process; `address` is where it listens, `link` what it printed."""

    def __init__(self, *arguments, port=0, token=False):
        command = [sys.executable, "-m", "commonground", "serve", "--no-browser", "--workers", "1"]
        if not token:
            command.append("--no-token")
        self.process = subprocess.Popen(
            [*command, "--port", str(port), *map(str, arguments)],
            stderr=subprocess.PIPE,
            text=True,
        )
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"listening on ((http://[^/\s]+)/\S*) ", line):
                self.link, self.address = found[1], found[2]
                return
        raise AssertionError("".join(said))

    def kill(self):
        """End it with kill -9."""
        self.process.kill()
        self.process.communicate()

    def stop(self):
        """End it as Ctrl-C does; what it said since it listened."""
        if self.process.poll() is None:
            self.process.terminate()
        # Who was killed has said all it had to say.
        return "" if self.process.stderr.closed else self.process.communicate()[1]

    def browser(self):
        """A browser that was never here."""
        return Visitor(self.address)


class Visitor(httpx.Client):
    """A browser: it keeps cookies, sends its origin, and the token of the page it saw."""

    def __init__(self, address):
        super().__init__(base_url=address, headers={"Origin": address}, timeout=60)

    def visit(self, path):
        """Open a page and take its token, as the page's script would."""
        page = self.get(path)
        if found := re.search('<meta name="csrf" content="([^"]+)">', page.text):
            self.headers["X-CSRF-Token"] = found[1]
        return page
