"""Files as people have them, read as text."""

import io

import pytest
from docx import Document

from commonground.errors import InputError
from commonground.web.tasks.files import document_text
from web_files import docx, packed, pdf


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"Rain fell.\r\nIt rained.\r", "Rain fell.\nIt rained.\n"),
        (b"\xef\xbb\xbfRain fell.", "Rain fell."),
        ("Rain fell — \u201chard\u201d.".encode("utf-16"), "Rain fell — “hard”."),
        ("caf\xe9 \u201cbar\u201d".encode("cp1252"), "café “bar”"),
        (b"# Rain\n\n**It** fell.", "# Rain\n\n**It** fell."),
        (b"a < b <p> no page", "a < b <p> no page"),
        (
            b"<!DOCTYPE html><html><head><title>T</title><style>p {}</style></head><body>"
            b"<p>Rain &amp; snow<br>fell.</p><script>alert(1)</script><ul><li>one<li>two</ul>",
            "Rain & snow\nfell.\n\none\n\ntwo",
        ),
    ],
)
def test_text_markdown_and_html(content, text):
    assert document_text(content) == text


def test_a_pdf():
    assert document_text(pdf("Rain fell on Monday.")) == "Rain fell on Monday."


def test_a_word_file_with_a_table_in_its_place():
    document = Document()
    document.add_paragraph("Before.")
    document.add_table(1, 2)
    for cell, words in zip(document.tables[0].rows[0].cells, ("left", "right"), strict=True):
        cell.text = words
    document.add_paragraph("After.")
    assert document_text(docx(document)) == "Before.\n\nleft\tright\n\nAfter."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (pdf(""), "has no text. If it is a scan, run OCR first"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office file. Save it as DOCX"),
        (b"{\\rtf1 rain}", "is an RTF file"),
        (b"\x89PNG\r\n\x1a\n", "is an image"),
        (b"rain\0fell", "is not a text, PDF or DOCX file"),
        (packed({"notes.txt": b"rain"}), "is an archive, not a DOCX"),
        (b"PK\x03\x04 and no more", "is a damaged DOCX file"),
        (b"%PDF-1.7 and no more", "is a damaged PDF file"),
        (pdf("Rain.")[:300], "is a damaged PDF file"),
        (packed({"word/document.xml": b"<rain"}), "is a damaged DOCX file"),
        (b"rain " * 300_000, "is too long: over 1,000,000 characters"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line(content, words):
    with pytest.raises(InputError, match=words):
        document_text(content)


def test_a_locked_pdf():
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(pdf("Rain."))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(InputError, match="is locked with a password"):
        document_text(out.getvalue())


def test_a_file_that_is_read_in_a_worker(working):
    file = {"file": ("..\\Letters/July report.docx", docx(paragraphs=["Rain fell."]))}
    found = working.result("/api/text", files=file)
    assert found["result"] == {
        "name": "July report.docx",
        "text": "Rain fell.",
        "notices": [],
    }


def test_its_name_is_in_what_went_wrong(working):
    found = working.result("/api/text", files={"file": ("old.doc", b"\xd0\xcf\x11\xe0")})
    assert found["state"] == "failed"
    assert found["error"] == "old.doc is an old Office file. Save it as DOCX."
