"""Reads a page as a browser would, and fails where its tags do not match."""

from html.parser import HTMLParser

VOID = {"meta", "br", "link", "input"}


class Reader(HTMLParser):
    """Collects elements and words, and fails on tags that do not match."""

    def __init__(self, page):
        super().__init__()
        self.open, self.found, self.words = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip() and self.open[-1] not in ("style", "script"):
            self.words.append((self.open[-1], data.strip()))

    def inside(self, tag):
        return [words for where, words in self.words if where == tag]

    def named(self, tag):
        return [attrs for name, attrs in self.found if name == tag]

    def loaded(self):
        """What the page fetches from elsewhere: everything but data within it."""
        links = [one["href"] for one in self.named("link") if not one["href"].startswith("data:")]
        return links + [one.get("src") for one in self.named("img")]
