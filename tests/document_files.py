"""PDF files whose lines are where a test puts them."""

import textwrap
import zlib


def pdf_of(*pages, title=None):
    """A PDF file; each page is a list of lines `(x, y, words)` or `(x, y, words, size)`."""
    info = f"/Info << /Title ({title}) >>" if title else ""
    fixed = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [".encode()
        + b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(pages)))
        + b"] >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    objects = [*fixed, *(part for n, page in enumerate(pages) for part in _page(n, page))]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
    out += f"trailer\n<< /Size {size} /Root 1 0 R {info} >>\n".encode()
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def column(text, x=72, top=700, width=60, leading=12):
    """The lines of a paragraph, set from the top; words are broken at hyphens only."""
    lines = textwrap.wrap(text, width, break_on_hyphens=False)
    return [(x, top - leading * number, line) for number, line in enumerate(lines)]


def _page(number, lines):
    drawn = b"".join(_drawn(*line) for line in lines)
    packed = zlib.compress(drawn)
    yield (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
        b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number)
    )
    yield b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)


def _drawn(x, y, words, size=10):
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n".encode("cp1252")
