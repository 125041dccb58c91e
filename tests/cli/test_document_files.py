"""Commands read files as people have them, and say so if a language is unknown."""

import json

import pytest

from commonground.cli import run
from web_files import docx, pdf

FERRY = (
    "The ferry ran aground on Saturday. All 212 people on board were brought ashore by lifeboats."
)
NORNA = "All 212 people on board were brought ashore. The Norna had run aground on Saturday."
GERMAN = (
    "Die Fähre lief am Samstagmorgen vor der Küste auf Grund. Alle Menschen an Bord wurden von "
    "Rettungsbooten an Land gebracht, und niemand wurde verletzt."
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = f"<!DOCTYPE html><title>Ferry aground</title><nav>Home</nav><p>{FERRY}</p><footer>Terms"
    (tmp_path / "page.html").write_text(page)
    (tmp_path / "note.md").write_text(f"---\ntitle: The Norna\n---\n\n**{NORNA}**")
    (tmp_path / "letter.docx").write_bytes(docx(paragraphs=[NORNA]))
    (tmp_path / "print.pdf").write_bytes(pdf(FERRY))
    (tmp_path / "old.txt").write_bytes(f"“{FERRY}”\r\n".encode("cp1252"))
    (tmp_path / "wide.txt").write_bytes(NORNA.encode("utf-16"))
    (tmp_path / "german.txt").write_text(GERMAN, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "sources", "texts"),
    [
        (("page.html", "note.md"), ["Ferry aground", "The Norna"], [FERRY, NORNA]),
        (("print.pdf", "letter.docx"), ["print.pdf", "letter.docx"], [FERRY, NORNA]),
        (("old.txt", "wide.txt"), ["old.txt", "wide.txt"], [f"“{FERRY}”", NORNA]),
        (("page.html", "page.html"), ["page.html", "page.html"], [FERRY, FERRY]),
    ],
)
def test_narratives_of_all_kinds(files, capsys, names, sources, texts):
    assert run(["define", "words", *names, "--json"]) == 0
    shown = capsys.readouterr()
    narratives = json.loads(shown.out)["narratives"]
    assert [one["source"] for one in narratives] == sources
    assert [one["text"] for one in narratives] == texts
    assert shown.err == ""


def test_a_summary_and_its_sources(files, capsys):
    assert run(["verify", "letter.docx", "page.html", "--json"]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert verified["text"] == NORNA
    assert verified["narratives"] == [{"source": "Ferry aground", "text": FERRY}]


def test_pyramids_of_all_kinds(files, capsys):
    (files / "students").mkdir()
    (files / "students" / "Ann.docx").write_bytes((files / "letter.docx").read_bytes())
    (files / "students" / "Ben.pdf").write_bytes((files / "print.pdf").read_bytes())
    (files / "students" / "Cay.txt").write_bytes(b" \n")
    assert run(["pyramid", "build", "page.html", "note.md", "print.pdf", "-o", "p.json"]) == 0
    assert json.loads((files / "p.json").read_text())["references"][1] == NORNA
    capsys.readouterr()
    assert run(["pyramid", "score", "p.json", "students", "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert [score["raw"] > 0 for score in scores] == [True, True, False]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x89PNG", "is an image"),
        (
            b"https://example.org/a\n",
            "is only a link (https://example.org/a). Open it in a browser, "
            "then save the page as HTML or copy its text",
        ),
        (b"...", "has no text"),
        (b"", "has no text"),
    ],
)
def test_what_cannot_be_read_is_one_line(files, capsys, content, problem):
    (files / "bad.txt").write_bytes(content)
    assert run(["define", "words", "page.html", "bad.txt"]) == 2
    assert capsys.readouterr().err == f"commonground: bad.txt: {problem}\n"


@pytest.mark.parametrize("arguments", [["define", "words", "page.html"], ["verify", "letter.docx"]])
def test_another_language_is_named_once(files, capsys, arguments):
    assert run([*arguments, "german.txt"]) == 0
    assert capsys.readouterr().err == (
        "commonground: warning: “german.txt” seems to be German. The models know only English. "
        "Do not rely on this result.\n"
    )
