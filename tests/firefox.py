"""Debian's Firefox ESR, driven by Playwright over WebDriver BiDi, without a driver of its own.

Playwright calls a stock Firefox the channel "moz-firefox". Some of it differs from Chromium:

- the colour scheme is a preference of the whole browser;
- a click always scrolls to its target;
- `fill` leaves the old digits in a field for numbers, and `tap` does nothing;
- a download is seen in its folder only.
"""

import os
import time
from contextlib import contextmanager

FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")
_SCHEME = "layout.css.prefers-color-scheme.content-override"
_SCHEMES = {"dark": 0, "light": 1}


@contextmanager
def launched(playwright, folder, scheme="light"):
    """Run a Firefox whose home and downloads are in a folder."""
    browser = playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=FIREFOX,
        downloads_path=folder,
        # Firefox does not start as root in the home of somebody else.
        env={**os.environ, "HOME": str(folder)},
        firefox_user_prefs={_SCHEME: _SCHEMES[scheme]},
    )
    try:
        yield browser
    finally:
        browser.close()


def downloaded(folder, name, patience=30):
    """Wait for a downloaded file; return its bytes."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        # Firefox writes to another name first, so the file is complete as soon as it has bytes.
        if (folder / name).exists() and (content := (folder / name).read_bytes()):
            return content
        time.sleep(0.1)
    raise AssertionError(f"{name} was not saved; the folder has {sorted(folder.iterdir())}")
