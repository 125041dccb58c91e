"""BibTeX of results, CITATION.cff and the `citation` of evaluate modules."""

import re
from pathlib import Path

import pytest

import commonground as cg
from commonground.citation import MEASURES, bibtex
from commonground.metrics import ChrF, Rouge, Support

ROOT = Path(__file__).parents[1]


def keys(text):
    return re.findall(r"^@\w+\{([^,]+),$", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("result", "cited"),
    [
        (lambda: cg.rouge("Rain.", ["Rain."]), ["lin-2004-rouge"]),
        (lambda: Rouge().corpus(["Rain."], [["Rain."]]), ["lin-2004-rouge"]),
        (lambda: ChrF().score("Rain.", ["Rain."]), ["popovic-2015-chrf", "post-2018-call"]),
        (lambda: cg.sem_f1("Rain.", ["Rain."]), ["bansal-etal-2022-sem"]),
        (lambda: cg.overlap(["It rained.", "Rain fell."]), ["bansal-etal-2022-semantic"]),
        (lambda: cg.verify("It rained.", ["Rain fell."]), []),
        (lambda: Support().score("It rained.", ["Rain fell."]), []),
        (
            lambda: cg.Pyramid.build(["It rained."]),
            ["nenkova-passonneau-2004-evaluating", "gao-etal-2019-automated"],
        ),
        (
            lambda: cg.Pyramid.build(["It rained."]).score("It rained."),
            ["nenkova-passonneau-2004-evaluating", "gao-etal-2019-automated"],
        ),
    ],
)
def test_results_cite_their_papers_and_the_software(result, cited):
    assert keys(result().cite()) == [*cited, "commonground"]


def test_entries_are_balanced_and_have_what_bibtex_needs():
    text = bibtex(*MEASURES)
    assert text.count("{") == text.count("}")
    for entry in text.strip().split("\n\n"):
        names = set(re.findall(r"^  (\w+) = ", entry, flags=re.MULTILINE))
        wanted = {"title", "author", "year"} | (
            {"booktitle"} if "@inproc" in entry else {"version"}
        )
        assert wanted <= names, entry


def test_the_citation_file_has_the_version_and_the_same_papers():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {cg.__version__}\n" in text
    titles = re.findall(r"(?<!-)title: \"?(.+?)\"?$", text, flags=re.MULTILINE)[1:]
    cited = re.findall(r"^  title = \{(.+)\},$", bibtex(*MEASURES), flags=re.MULTILINE)[:-1]
    assert sorted(titles) == sorted(title.replace("{", "").replace("}", "") for title in cited)
