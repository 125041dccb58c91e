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
