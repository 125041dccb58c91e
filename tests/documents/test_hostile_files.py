"""Files made to stop a reader: each ends at once, with its text or one line."""

import io
import zipfile

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject

from commonground.documents import extract
from commonground.documents.pdf_layout import Line, Piece, lines_of
from commonground.documents.pdf_paragraphs import paragraphs
from commonground.errors import InputError
from document_files import pdf_of
from web_files import docx, packed

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def document(rows):
    """A DOCX file with a table; a row is the XML of its cells."""
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    xml = f'<w:document xmlns:w="{WORD}"><w:body><w:tbl><w:tblPr/><w:tblGrid/>{table}</w:tbl>'
    with zipfile.ZipFile(io.BytesIO(docx())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return packed(parts | {"word/document.xml": f"{xml}<w:sectPr/></w:body></w:document>"})


def cell(text, merged=""):
    return f"<w:tc><w:tcPr>{merged}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"


def test_a_cell_that_claims_a_thousand_million_columns():
    wide = cell("wide", '<w:gridSpan w:val="1000000000"/>')
    assert extract(document([wide + cell("next")])).text == "wide\tnext"


def test_a_cell_over_thousands_of_rows():
    first = cell("all", '<w:vMerge w:val="restart"/>') + cell("one")
    rest = cell("", "<w:vMerge/>") + cell("more")
    rows = extract(document([first, *[rest] * 3000])).text.split("\n\n")
    assert rows == ["all\tone", *["all\tmore"] * 3000]


def test_a_word_of_half_a_million_letters():
    line = Line("a" * 500_000, 0, 0, 10)
    assert list(paragraphs([[line]])) == [line.text]


def test_a_page_with_a_hundred_thousand_pieces_in_two_columns():
    left = [Piece("a", 0, 10 * n, 9) for n in range(50_000)]
    right = [Piece("b", 400, -10 * n - 5, 9) for n in range(50_000)]
    assert len(lines_of(left + right)) == 100_000


def mhtml(part):
    start = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n'
    return f"{start}{part}\n\n<p>It rained.</p>\n--b--\n".encode()


PLIST = '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "a" "b"><plist>{}</plist>'


@pytest.mark.parametrize(
    "content",
    [
        mhtml("Content-Type: message/rfc822\n\n" * 3000),
        mhtml("Content-Type: text/html; a=" + "(" * 3000),
        PLIST.format("<date>x</date>").encode(),
        PLIST.format("<key>a</key>").encode(),
    ],
)
def test_saved_pages_that_break_their_parsers(content):
    with pytest.raises(InputError, match=r"damaged MHTML|without a page"):
        extract(content)


@pytest.mark.parametrize("charset", ["unicode_escape", "raw_unicode_escape", "idna", "punycode"])
def test_charsets_that_are_only_of_python(charset):
    text = f"<meta charset={charset}> Rain \\ud800 fell-".encode() + b"\xff"
    found = extract(text, "a.txt").text
    assert "\\ud800 fell-ÿ" in found


def test_a_font_that_names_half_of_a_character():
    names = DecodedStreamObject()
    names.set_data(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"1 beginbfchar <61> <d800> endbfchar endcmap"
    )
    writer = PdfWriter(clone_from=io.BytesIO(pdf_of([(72, 700, "rain a fell")])))
    font = writer.pages[0]["/Resources"]["/Font"]["/F1"]
    font[NameObject("/ToUnicode")] = writer._add_object(names)
    out = io.BytesIO()
    writer.write(out)
    assert extract(out.getvalue()).text == "r\ufffdin \ufffd fell"
