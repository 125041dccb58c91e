"""Check the links of a built site without a network: python website/check_links.py FOLDER."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """Collects the links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what a tag links to, and its id."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def broken_links(folder: Path) -> list[str]:
    """Return a line for each link to a file or an anchor that does not exist."""
    pages = {path: read(path) for path in sorted(folder.rglob("*.html"))}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            target = target / "index.html" if target.is_dir() else target
            where = f"{path.relative_to(folder)}: {link}"
            if not target.exists():
                broken.append(f"{where}: no such file")
            elif parts.fragment and not anchored(pages, folder, target, unquote(parts.fragment)):
                broken.append(f"{where}: no such anchor")
    return broken


def anchored(pages: dict[Path, Links], folder: Path, target: Path, anchor: str) -> bool:
    """Whether a page has an anchor; scripts read those that begin with `__`."""
    page = pages.get(folder / target.relative_to(folder.resolve()))
    return page is None or anchor in page.anchors or anchor.startswith("__")


def read(path: Path) -> Links:
    """Return the links and anchors of a page."""
    page = Links()
    page.feed(path.read_text("utf-8"))
    return page


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]))
    sys.stderr.writelines(f"{line}\n" for line in found)
    sys.exit(1 if found else 0)
