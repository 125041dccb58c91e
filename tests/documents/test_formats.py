"""Files of any kind: read, or refused in one line."""

import gzip
import io
import sys

import pytest

from commonground.documents import extract, read_document
from commonground.errors import InputError, MissingExtraError
from web_files import docx, packed, pdf


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"Rain fell.\r\nIt rained.\r", "Rain fell.\nIt rained.\n"),
        (b"\xef\xbb\xbfRain fell.", "Rain fell."),
        (pdf("Rain fell on Monday."), "Rain fell on Monday."),
        (docx(paragraphs=["Rain fell.", "It rained."]), "Rain fell.\n\nIt rained."),
    ],
)
def test_the_content_decides(content, text):
    assert extract(content, "anything.xyz").text == text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no text"),
        (b" \n ", "has no text"),
        (pdf(""), "has no text. If it is a scan, run OCR first"),
        (b"<html><body></body></html>", r"^has no text\.$"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office file. Save it as DOCX"),
        (b"{\\rtf1 rain}", "is an RTF file"),
        (b"\x89PNG\r\n\x1a\n", "is an image"),
        (b"rain\0fell", "is not a text, HTML, PDF or DOCX file"),
        (packed({"notes.txt": b"rain"}), "is an archive, not a DOCX"),
        (b"PK\x03\x04 and no more", "is a damaged DOCX file"),
        (b"%PDF-1.7 and no more", "is a damaged PDF file"),
        (pdf("Rain.")[:300], "is a damaged PDF file"),
        (packed({"word/document.xml": b"<rain"}), "is a damaged DOCX file"),
        (b"rain " * 300_000, "is too long: over 1,000,000 characters"),
        (b"<html>" + b"<p>rain " * 300_000, "is too long: over 1,000,000 characters"),
        (b"<html>" + b"<br>" * 500_001, "is too large: over 500,000 elements"),
        (b"<html>" + b"<div>" * 6_000, "is nested too deeply: over 5,000 elements"),
        (pdf("Rain.", pages=501), "is too long: over 500 pages"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line(content, words):
    with pytest.raises(InputError, match=words) as caught:
        extract(content)
    assert "\n" not in str(caught.value)


def test_an_archive_that_unpacks_to_much_more():
    with pytest.raises(InputError, match="is too large when unpacked"):
        extract(packed({"word/document.xml": b" " * 60_000_001}))


def test_a_locked_pdf():
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(pdf("Rain."))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(InputError, match="is locked with a password"):
        extract(out.getvalue())


@pytest.mark.parametrize(("package", "kind"), [("pypdf", "PDF"), ("docx", "DOCX")])
def test_a_missing_extra_is_named(monkeypatch, package, kind):
    monkeypatch.setitem(sys.modules, package, None)
    content = {"pypdf": pdf("Rain."), "docx": docx(paragraphs=["Rain."])}[package]
    with pytest.raises(MissingExtraError) as caught:
        extract(content)
    assert str(caught.value) == (
        f"Reading {kind} files needs the extra [documents]: pip install 'commonground[documents]'"
    )


def test_a_file_on_disk(tmp_path):
    plain, packed_ = tmp_path / "a.md", tmp_path / "a.md.gz"
    plain.write_bytes(b"# Rain\n\nIt *rained*.")
    packed_.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_document(plain) == read_document(packed_)
    assert read_document(plain).text == "It rained."


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", None, "no such file or folder"),
        ("a.txt", b"", "has no text"),
        ("a.gz", b"\x1f\x8b no more", "is a damaged gzip file"),
        ("a.png", b"\x89PNG", "is an image"),
    ],
)
def test_the_path_is_in_the_error(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert str(caught.value) == f"{path}: {words}"
