"""Make the picture of the start page from a real page: python website/picture.py.

It needs what `make test-system` installs: playwright and a Chromium.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import commonground as cg
from commonground.io import Narrative

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "overlap.png"
NAMES = {"left": "harbour", "right": "union"}


def main() -> None:
    """Compare the two reports of the README and photograph the page."""
    code = re.search(r"```python\n(.*?left = .*?)result = ", readme(), flags=re.DOTALL)
    if code is None:
        sys.exit("README.md has no example that begins with left = (")
    texts: dict[str, Any] = {}
    exec(code[1].split("```python\n")[-1], texts)
    narratives = [Narrative(source, texts[name]) for name, source in NAMES.items()]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "ferry.html"
        cg.overlap(narratives).to_html(page, title="Two reports of a ferry")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=False
        )
        view = browser.new_page(viewport={"width": 1200, "height": 530})
        view.goto(page.as_uri())
        view.locator(".pick").first.click()
        view.screenshot(path=PICTURE)
        browser.close()


def readme() -> str:
    """Return the text of the README."""
    return (ROOT / "README.md").read_text("utf-8")


if __name__ == "__main__":
    main()
