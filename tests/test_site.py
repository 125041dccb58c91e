"""The documentation site: every page is in the nav, and what pages are made from is there.

`make docs` builds the site with warnings as errors; these checks need nothing installed.
"""

import json
import re
from pathlib import Path

import pytest

import commonground as cg
from website.benchmarks import benchmark_page, table
from website.check_links import broken_links

ROOT = Path(__file__).parents[1]
NAV = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
LISTED = re.findall(r": (\S+\.md)$", NAV, flags=re.MULTILINE)
PAGES = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
LEVELS = ("system, pearson", "system, kendall", "summary, pearson")
COLUMNS = {
    **{
        f"ROUGE-{kind}{part}": f"rouge{kind}{column}"
        for kind in ("1", "2", "L", "SU4", "W")
        for part, column in ((" recall", ".recall"), (" F1", ""))
    },
    "pyramid raw (`wmin`, one reference)": "pyramid.raw",
    "SEM-F1 recall": "sem-f1.recall",
    "SEM-F1": "sem-f1",
}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_the_nav_has_every_page_once():
    made = {"benchmarks.md", *(f"notebooks/{path.stem}.md" for path in NOTEBOOKS)}
    assert len(LISTED) == len(set(LISTED))
    assert set(LISTED) == {*PAGES, *made}


def test_every_public_part_has_a_reference_page():
    parts = {name for name in dir(cg) if f"docs/api/{name}.md" in map(str, PAGES)}
    packages = {name for name in dir(cg) if type(getattr(cg, name)).__name__ == "module"}
    assert parts <= packages
    for name in packages:
        page = ROOT / "docs" / "api" / f"{name}.md"
        assert f"::: commonground.{name}\n" in page.read_text("utf-8")


def test_pictures_have_a_description():
    for page in PAGES:
        for text, _ in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", (ROOT / "docs" / page).read_text()):
            assert len(text) > 20, page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_notebooks_resolve(path):
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for target in re.findall(r"\]\(([^)\s]+)\)", "".join(cell["source"])):
                assert (path.parent / target).exists(), target


def test_the_benchmark_page_is_made_from_json(tmp_path):
    (tmp_path / "bench" / "out").mkdir(parents=True)
    (tmp_path / "bench" / "results").mkdir()
    (tmp_path / "bench" / "speed.py").write_text('"""How fast is it?\n\nMore."""\n', "utf-8")
    (tmp_path / "bench" / "results" / "speed.json").write_text('{"old": 1}', "utf-8")
    figures = {
        "rouge": {"rows a second": 1234.5},
        "auc": [0.5, 0.4, 0.6],
        "note": "text",
        "n": 1200,
    }
    (tmp_path / "bench" / "out" / "speed.json").write_text(json.dumps(figures), "utf-8")
    page = benchmark_page(tmp_path)
    assert "## Speed\n\nHow fast is it?\n" in page
    assert "|  | rows a second | auc | n |" in page
    assert "| rouge | 1,234.5 |  |  |" in page
    assert "|  |  | 0.500 (0.400 to 0.600) | 1,200 |" in page
    assert "old" not in page and "note" not in page


@pytest.mark.parametrize(
    ("values", "row"),
    [
        ([{"encoder": "use", "rank": 1}, {"encoder": "sif", "rank": 2}], "| sif | 2 |"),
        ({"at": {"0.1": [1, 2, 3, 4]}, "and": {"0.1": [5]}}, "| at | 1, 2, 3, 4 |"),
        (
            {name: {f"figure {n}": n for n in range(12)} for name in ("news", "reviews")},
            "| figure 11 | 11 | 11 |",
        ),
        ({"only": 1, "one": 2}, "| one | 2 |"),
    ],
)
def test_tables_of_figures(values, row):
    assert row in table(values).splitlines()


def test_figures_in_the_docs_are_those_of_the_benches():
    """Each row of the table of REALSumm has the numbers of its JSON."""
    figures = json.loads((ROOT / "bench/results/meta_realsumm.json").read_text("utf-8"))["columns"]
    page = (ROOT / "docs" / "meta-evaluation.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| (\S+) \((.+?)\) \| (\S+) \| (\S+) \|$", page, re.MULTILINE)
    assert len(rows) == 12
    for name, *cells in rows:
        values = figures[COLUMNS[name]]
        system, kendall, summary = (values[key] for key in LEVELS)
        expected = [system[0], *system[1:], kendall[0], summary[0]]
        shown = [cells[0], *cells[1].split("–", 1), cells[2], cells[3]]
        for text, value in zip(shown, expected, strict=True):
            number = float(text.strip("*†").replace("−", "-"))
            assert number == pytest.approx(value, abs=0.006), (name, text, value)


def test_broken_links_are_found(tmp_path):
    (tmp_path / "b.html").write_text('<h1 id="top">B</h1>', "utf-8")
    (tmp_path / "a.html").write_text(
        '<a href="b.html#top">1</a> <a href="b.html#end">2</a> <img src="c.png"> <a href="#x">3</a>'
        '<a href="https://example.org/x">4</a>',
        "utf-8",
    )
    assert broken_links(tmp_path) == [
        "a.html: b.html#end: no such anchor",
        "a.html: c.png: no such file",
        "a.html: #x: no such anchor",
    ]
