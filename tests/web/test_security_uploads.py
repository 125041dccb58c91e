"""Attacks by files: bombs, mazes, strange names; the server and its worker live on."""

import zlib

import pytest

from web_files import docx, packed, pdf

WORD = {
    "[Content_Types].xml": b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/'
    b'package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.'
    b'openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main'
    b'+xml"/></Types>',
    "_rels/.rels": b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/'
    b'package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/'
    b'officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    b"</Relationships>",
}
BODY = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    b"<w:body><w:p><w:r><w:t>%b</w:t></w:r></w:p></w:body></w:document>"
)


def word(head=b"", words=b"Rain fell."):
    return packed({**WORD, "word/document.xml": head + BODY % words})


def laughs():
    """Entities that grow tenfold at each of nine levels."""
    lines = [b'<!ENTITY e0 "lol">']
    lines += [b'<!ENTITY e%d "%b">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10)]
    return b"<!DOCTYPE w [%b]>" % b"".join(lines)


def sent(working, content, name="file"):
    return working.result("/api/text", files={"file": (name, content)})


def test_the_harmless_file_of_this_make_is_read(working):
    assert sent(working, word())["result"]["text"] == "Rain fell."


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda: packed({"word/document.xml": bytes(80_000_000)}), id="zip-bomb"),
        pytest.param(
            lambda: packed({f"{n}": b"" for n in range(2001)} | {"word/document.xml": b""}),
            id="zip-of-many",
        ),
        pytest.param(
            lambda: pdf("", stream=zlib.compress(b"0 " * 60_000_000, 9)), id="pdf-stream-bomb"
        ),
        pytest.param(lambda: pdf("x", pages=501), id="pdf-of-many-pages"),
        pytest.param(lambda: word(laughs(), b"&e9;"), id="billion-laughs"),
        pytest.param(lambda: pdf("long " * 30_000, pages=20), id="too-much-text"),
    ],
)
def test_a_bomb_is_refused_in_a_line_and_the_worker_lives_on(working, content):
    found = sent(working, content())
    assert found["state"] == "failed", found["result"]["text"][:50]
    assert "\n" not in found["error"]
    assert found["error"].startswith("file ")
    assert sent(working, b"Rain fell.")["state"] == "done"


def test_a_file_cannot_fetch_another(working, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    head = b'<!DOCTYPE w [<!ENTITY e SYSTEM "%b">]>' % secret.as_uri().encode()
    found = sent(working, word(head, b"Rain &e; fell."))
    assert "the secret" not in str(found)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\Windows\\win.ini", "win.ini"),
        ("<script>alert(1)</script>", "script>"),
        ("a\u202etxt.exe", "atxt.exe"),
        ("x" * 500, "x" * 120),
        ("..", ".."),
    ],
)
def test_a_name_is_words_for_people_and_never_a_path(working, name, shown):
    assert sent(working, b"Rain fell.", name)["result"]["name"] == shown


def test_markup_in_a_file_stays_text(working):
    found = sent(working, docx(paragraphs=["<script>alert(1)</script>"]))
    assert found["result"]["text"] == "<script>alert(1)</script>"


def test_a_file_that_is_too_large_does_not_come_in(owner):
    answer = owner.post("/api/text", files={"file": ("big.txt", bytes(26_000_000))})
    assert answer.status_code == 413
    assert answer.json()["error"] == "Too large (limit 25 MB)."


def test_what_is_no_file_is_refused(owner):
    assert owner.post("/api/text", json={"file": "/etc/passwd"}).status_code == 422
    assert owner.post("/api/text", data={"file": "/etc/passwd"}).status_code == 422
