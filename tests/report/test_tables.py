import csv
import io

import numpy as np
import pytest

from commonground.errors import InputError
from commonground.report import shown_cell, tables_page, to_csv, to_html, to_latex, to_markdown
from html_reader import Reader

TABLE = {
    "title": "SEM-F1 & friends",
    "columns": ["system", "items", "F1", "mean ± sd"],
    "rows": [
        ["lead|3_b", 10, 0.51249, "0.80 ± 0.25"],
        ["a<b>", 9, -0.25, None],
        ["last*", 0, float("nan"), "0.10 ± 0.02*"],
    ],
    "notes": ["50% of the events."],
}


def test_markdown_by_hand():
    assert to_markdown(TABLE) == "\n".join(
        [
            "**SEM-F1 & friends**",
            "",
            "| system     | items |     F1 |     mean ± sd |",
            "| :--------- | ----: | -----: | ------------: |",
            r"| lead\|3\_b |    10 |  0.512 |   0.80 ± 0.25 |",
            r"| a\<b>      |     9 | −0.250 |             – |",
            r"| last\*     |     0 |      – | 0.10 ± 0.02\* |",
            "",
            "- 50% of the events.",
        ]
    )


def test_latex_escapes_and_aligns():
    lines = to_latex(TABLE, label="tab:one").splitlines()
    assert r"\begin{tabular}{lrrr}" in lines
    assert r"system & items & F1 & mean $\pm$ sd \\" in lines
    assert r"lead\textbar{}3\_b & 10 & 0.512 & 0.80 $\pm$ 0.25 \\" in lines
    assert r"a\textless{}b\textgreater{} & 9 & $-$0.250 & -- \\" in lines
    assert r"\par\smallskip\footnotesize 50\% of the events." in lines
    assert lines[0] == r"% \usepackage{booktabs,amssymb}"
    assert lines[-3:] == [r"\caption{SEM-F1 \& friends}", r"\label{tab:one}", r"\end{table}"]


def test_a_signature_below_a_latex_table_can_break():
    table = {**TABLE, "notes": ["ROUGE|stem:no|v:0.1.0"]}
    assert r"ROUGE\textbar\allowbreak{}stem:no\textbar\allowbreak{}v:0.1.0" in to_latex(table)


def test_csv_keeps_whole_numbers():
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[0] == TABLE["columns"]
    assert rows[1] == ["lead|3_b", "10", "0.51249", "0.80 ± 0.25"]
    assert rows[2][3] == "" and rows[3][2] == ""


def test_html_escapes_and_closes_every_tag():
    page = Reader(tables_page("Tables of <one>", [TABLE, "<p>between</p>"]))
    assert page.inside("h1") == ["Tables of <one>"]
    assert page.inside("th") == ["system", "items", "F1", "mean ± sd"]
    assert page.inside("td")[:4] == ["lead|3_b", "10", "0.512", "0.80 ± 0.25"]
    assert page.inside("caption") == ["SEM-F1 & friends"]
    assert page.inside("p") == ["50% of the events.", "between"]
    right = [cell.get("class") for cell in page.named("td")[:4]]
    assert right == [None, "n", "n", "n"]


def test_digits_and_kinds_of_number():
    assert shown_cell(np.float64(0.5), 1) == "0.5"
    assert shown_cell(np.int64(7)) == "7"
    assert shown_cell(-0.0001) == "0.000"
    assert "0.51 " in to_markdown(TABLE, digits=2)
    assert to_csv({"columns": ["x"], "rows": [[np.float64(0.25)]]}) == "x\n0.25\n"


def test_a_table_without_rows_title_or_notes():
    empty = {"columns": ["system", "F1"], "rows": []}
    assert to_markdown(empty) == "| system | F1  |\n| :----- | :-- |"
    assert "caption" not in to_html(empty)
    assert "caption" not in to_latex(empty)
    assert to_csv(empty) == "system,F1\n"


def test_a_row_of_another_width_is_refused():
    with pytest.raises(InputError, match="row 1 has 1 cells for 2 columns"):
        to_markdown({"title": "t", "columns": ["a", "b"], "rows": [[1]]})
