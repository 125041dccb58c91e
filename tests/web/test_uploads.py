"""Files as people have them, read by a worker."""

from web_files import docx


def test_a_file_that_is_read_in_a_worker(working):
    file = {"file": ("..\\Letters/July report.docx", docx(paragraphs=["Rain fell."]))}
    found = working.result("/api/text", files=file)
    assert found["result"] == {
        "name": "July report.docx",
        "title": "",
        "text": "Rain fell.",
        "notices": [],
    }


def test_its_name_is_in_what_went_wrong(working):
    found = working.result("/api/text", files={"file": ("old.doc", b"\xd0\xcf\x11\xe0")})
    assert found["state"] == "failed"
    assert found["error"] == "old.doc is an old Office file. Save it as DOCX."


def test_a_table_is_not_taken_for_one_text(working):
    rows = b"student,summary\nAda,The dam broke.\nBen,Nobody was hurt.\n"
    for name in ("class.csv", "Class.XLSX"):
        found = working.result("/api/text", files={"file": (name, rows)})
        assert found["error"] == (
            f"{name} is a table, not a text. Save each text as a file of its own."
        )
