"""Word files: tables in place, changes accepted, nothing from the margins."""

import io

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from commonground.documents import extract
from commonground.errors import InputError
from web_files import docx, packed


def inserted(paragraph, xml):
    for element in parse_xml(f"<w:p {nsdecls('w')}>{xml}</w:p>"):
        paragraph._p.append(element)


def run(words):
    return f'<w:r><w:t xml:space="preserve">{words}</w:t></w:r>'


def test_paragraphs_lists_and_tables_in_order():
    document = Document()
    document.add_heading("What happened", 1)
    document.add_paragraph("The ferry ran aground.")
    table = document.add_table(2, 3)
    for row, words in zip(table.rows, (("Boat", "People", "Hurt"), ("Ada", "90", "")), strict=True):
        for cell, word in zip(row.cells, words, strict=True):
            cell.text = word
    document.add_paragraph("Nobody was hurt.", style="List Bullet")
    document.add_paragraph(" ")
    document.add_paragraph("All were\tbrought\nashore.")
    assert extract(docx(document)).text == (
        "What happened\n\nThe ferry ran aground.\n\nBoat\tPeople\tHurt\n\nAda\t90\t\n\n"
        "Nobody was hurt.\n\nAll were\tbrought\nashore."
    )


def test_a_merged_cell_is_read_once():
    document = Document()
    table = document.add_table(1, 3)
    table.rows[0].cells[0].merge(table.rows[0].cells[1]).text = "Both"
    table.rows[0].cells[2].text = "one"
    assert extract(docx(document)).text == "Both\tone"


def test_changes_are_accepted_and_hidden_text_is_not_read():
    document = Document()
    paragraph = document.add_paragraph("The ferry ran ")
    inserted(
        paragraph,
        f'<w:del w:id="1"><w:r><w:delText>ashore</w:delText></w:r>{run("into a bank")}</w:del>'
        f'<w:ins w:id="2">{run("aground")}</w:ins>{run(" on ")}'
        f'<w:moveFrom w:id="3">{run("Friday")}</w:moveFrom>'
        f'<w:moveTo w:id="4">{run("Saturday")}</w:moveTo>'
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t xml:space="preserve"> at dawn</w:t></w:r>'
        '<w:r><w:instrText>PAGEREF x</w:instrText></w:r><w:hyperlink w:anchor="a">'
        f"{run(' off Skarholm')}</w:hyperlink>{run('.')}",
    )
    assert extract(docx(document)).text == "The ferry ran aground on Saturday at dawn off Skarholm."


def test_headers_footers_footnotes_and_comments_are_not_read():
    document = Document()
    document.sections[0].header.paragraphs[0].text = "The Harbour Post"
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    paragraph = document.add_paragraph("The ferry ran aground")
    inserted(paragraph, '<w:r><w:footnoteReference w:id="2"/></w:r>' + run("."))
    document.add_comment(paragraph.runs[0], text="Really?", author="A", initials="a")
    assert extract(docx(document)).text == "The ferry ran aground."


@pytest.mark.parametrize(
    ("property_", "heading", "title", "text"),
    [
        ("", "The ferry", "The ferry", "It ran aground."),
        ("A report", "", "A report", "It ran aground."),
        ("A report", "The ferry", "The ferry", "It ran aground."),
        ("", "", "", "It ran aground."),
    ],
)
def test_the_title(property_, heading, title, text):
    document = Document()
    document.core_properties.title = property_
    if heading:
        document.add_heading(heading, 0)
    document.add_paragraph("It ran aground.")
    found = extract(docx(document))
    assert (found.title, found.text, found.kind) == (title, text, "docx")


def test_entities_are_not_expanded():
    out = io.BytesIO(docx(paragraphs=["x"]))
    import zipfile

    with zipfile.ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["word/document.xml"] = (
        b'<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
        + b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        + b"<w:body><w:p><w:r><w:t>seen &e;</w:t></w:r></w:p></w:body></w:document>"
    )
    try:
        text = extract(packed(parts)).text
    except InputError as error:
        text = str(error)
    assert "root:" not in text
