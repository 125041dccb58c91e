"""Small PDF, DOCX and ZIP files for the tests of the pages."""

import io
import zipfile
import zlib

from docx import Document


def packed(parts):
    """A ZIP file of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name, content)
    return out.getvalue()


def docx(document=None, paragraphs=()):
    """A DOCX file."""
    document = document or Document()
    for words in paragraphs:
        document.add_paragraph(words)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def pdf(words, pages=1, stream=None):
    """A PDF file, the words on each page; or with a packed stream instead."""
    drawn = f"BT /F1 12 Tf 72 700 Td ({words}) Tj ET".encode() if words else b""
    content = zlib.compress(drawn) if stream is None else stream
    kids = " ".join(["3 0 R"] * pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(places) + 1, table)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(places) + 1,
        start,
    )
    return bytes(out)
