"""Pages and links as browsers save them."""

import plistlib

import pytest

from commonground.documents import extract
from commonground.errors import InputError

PAGE = "<!DOCTYPE html><title>Rain</title><nav>Home</nav><p>It rained on “Monday”.</p></html>"

MHTML = b"""From: <Saved by Blink>\r
Snapshot-Content-Location: https://example.org/rain\r
Subject: Rain\r
MIME-Version: 1.0\r
Content-Type: multipart/related;\r
\ttype="text/html";\r
\tboundary="----x"\r
\r
------x\r
Content-Type: text/html; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
<!DOCTYPE html><html><head><title>Rain</title></head><body><nav>Home</nav><p=\r
>It rained on =E2=80=9CMonday=E2=80=9D.</p></body></html>\r
------x\r
Content-Type: image/png\r
Content-Transfer-Encoding: base64\r
\r
iVBORw0KGgo=\r
------x--\r
"""


def test_a_page_in_one_file():
    found = extract(MHTML, "rain.mhtml")
    assert (found.title, found.text, found.kind) == ("Rain", "It rained on “Monday”.", "html")


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_a_web_archive(form):
    main = {"WebResourceData": PAGE.encode("utf-16"), "WebResourceTextEncodingName": "UTF-16"}
    found = extract(plistlib.dumps({"WebMainResource": main}, fmt=form))
    assert (found.title, found.text) == ("Rain", "It rained on “Monday”.")


ADDRESS = "https://example.org/ferry?id=1"


@pytest.mark.parametrize(
    "content",
    [
        f"[InternetShortcut]\r\nURL={ADDRESS}\r\nIconIndex=0\r\n".encode(),
        f"[{{000214A0}}]\nProp3=19,2\n[InternetShortcut]\nURL={ADDRESS}\n".encode(),
        f"[Desktop Entry]\nType=Link\nURL={ADDRESS}\n".encode(),
        plistlib.dumps({"URL": ADDRESS}),
        plistlib.dumps({"URL": ADDRESS}, fmt=plistlib.FMT_BINARY),
        f"\n {ADDRESS}\n".encode(),
    ],
)
def test_a_link_is_named_and_never_opened(content):
    with pytest.raises(InputError) as caught:
        extract(content)
    assert str(caught.value) == (
        f"is only a link ({ADDRESS}). Open it in a browser, then save the page as HTML or copy its "
        "text."
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"bplist00 and no more", "is a property list without a page"),
        (plistlib.dumps({"a": 1}), "is a property list without a page"),
        (plistlib.dumps([1]), "is a property list without a page"),
        (
            b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "b">]><plist><key>&a;</key></plist>',
            "is a property list without a page",
        ),
        (
            b"Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: a/b\n\na\n--x--",
            "is a saved page without HTML",
        ),
    ],
)
def test_what_holds_no_page(content, words):
    with pytest.raises(InputError, match=words):
        extract(content)


def test_a_text_with_a_link_is_a_text():
    assert extract(b"See https://example.org/ferry for more.").kind == "text"
