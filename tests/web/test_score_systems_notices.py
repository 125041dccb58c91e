"""What a file with many systems may not have meant: refused in a line, or said above the scores."""

import pytest
from openpyxl import Workbook

from commonground.errors import InputError
from commonground.web.tasks.output_notices import notices
from commonground.web.tasks.outputs import read_file, read_outputs

HEAD = "id,system,summary,reference\n"


def said(text):
    return notices(read_outputs(text))


def test_a_file_as_it_should_be_gives_no_notice():
    assert said(f"{HEAD}a,x,Rain fell.,It rained.\na,y,Rain fell.,It rained.\n") == []
    assert said('{"id": 1, "system": "x", "summary": "A.", "references": ["B."]}') == []


MODELS = "id,model,summary,reference\na,x,Rain fell.,It rained.\na,y,Fog came.,It rained.\n"


def test_systems_under_another_name_are_refused():
    line = 'The file has no column "system". Rename "model" to "system".'
    with pytest.raises(InputError) as error:
        read_outputs(MODELS)
    assert str(error.value) == line
    with pytest.raises(InputError, match='Rename "Sytem" to "system"'):
        read_outputs(MODELS.replace("model", "Sytem"))
    rows = [
        f'{{"model": "{name}", "summary": "A.", "references": "B."}}' for name in ("one", "two")
    ]
    with pytest.raises(InputError) as error:
        read_outputs("\n".join(rows))
    assert str(error.value) == line


def test_one_model_under_another_name_is_one_system_and_said():
    assert said(MODELS.replace(",y,", ",x,")) == [
        "“model” is ignored. Did you mean “system”?",
        "There is no column “system”: all 2 rows count as one system, “summary”.",
        "“summary” has repeated ids: a (2 times).",
    ]


def test_other_columns_are_named():
    assert said("system,summary,reference,doc_id,notes,date\nx,A.,B.,1,,\ny,A.,B.,1,,\n") == [
        "“doc_id” is ignored. Did you mean “id”?",
        "Ignored columns: notes, date.",
        "There is no column “id”: the systems are not tested on the same texts.",
    ]


def test_cells_that_are_missing_are_named_by_row():
    text = f"{HEAD}a,x,A mill.,B.\n,x,A mill.,B.\nc,,A mill.,B.\nd,x,,B.\ne,x,...,B.\n"
    assert said(text) == [
        "No system, counted as “summary”: row 3 (summary: c).",
        "No id, numbered instead: row 2 (x: 2).",
        "Blank summaries, which score 0: row 4 (x: d), row 5 (x: e).",
    ]


def test_long_lists_are_cut():
    rows = "".join(f"{number},x,,B.\n" for number in range(8))
    listed = ", ".join(f"row {number + 1} (x: {number})" for number in range(5))
    assert said(HEAD + rows) == [f"Blank summaries, which score 0: {listed} and 3 more."]
    (line,) = said(f"{HEAD}a,{'x' * 200},,B.\n")
    assert f"row 1 ({'x' * 80} …)" in line


def test_repeated_ids_of_several_systems():
    rows = "a,x,A.,B.\na,x,A.,B.\na,y,A.,B.\n"
    assert said(HEAD + rows) == [
        "“x” has repeated ids: a (2 times). It is not tested against other systems."
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id,output,reference\n1,A.,B.\n",
            'Row 1 has no "summary". Is it "output"? Rename that column to "summary".',
        ),
        (
            "summary,gold\nA.,B.\n",
            'Row 1 has no "references". Is it "gold"? Rename that column to "references".',
        ),
        ("summary,Summary,reference\nA.,B.,C.\n", 'Several columns are named "summary".'),
        (
            "summary,reference\nA mill, burned.,B.\n",
            "Row 1 has 3 cells for 2 columns. Quote cells that have the separator in them.",
        ),
    ],
)
def test_what_would_be_misread_is_refused(text, message):
    with pytest.raises(InputError) as error:
        read_outputs(text)
    assert str(error.value) == message


def test_texts_in_another_language_are_named_once():
    german = "Die Fähre lief am Samstagmorgen vor der Küste auf Grund und sank nach einer Stunde."
    found = said(f"{HEAD}a,x,{german},It rained.\nb,x,It rained.,{german} Ja.\n")
    rest = "seems to be German. The models know only English. Do not rely on this result."
    assert found == [f"“x: a” {rest}", f"“reference of b” {rest}"]


def test_a_spreadsheet_gives_the_rows_that_it_shows(tmp_path):
    book = Workbook()
    for row in (["id", "system", "summary", "reference"], ["a", "x", None, "B."]):
        book.active.append(row)
    book.save(tmp_path / "file.xlsx")
    found = notices(read_file(tmp_path / "file.xlsx"))
    assert found == ["Blank summaries, which score 0: row 2 (x: a)."]
