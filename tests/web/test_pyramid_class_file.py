"""A class from one file on the Pyramid page, read by a worker; and results of old versions."""

import base64

import pytest

from commonground.errors import InputError
from commonground.web.tasks.files import students

CSV = b"name,summary\nAnna,It rained.\nBen,\nAnna,It snowed.\n"


def found(content, name="class.csv", most=300):
    payload = {"name": name, "content": base64.b64encode(content).decode(), "most": most}
    return students(payload, lambda share, words: None)


def test_a_class_is_read_in_a_worker(working):
    files = {"file": ("C:\\marks\\class.csv", CSV)}
    assert working.result("/api/pyramid/class", files=files)["result"] == {
        "name": "class.csv",
        "students": [
            {"name": "Anna", "text": "It rained."},
            {"name": "Anna (2)", "text": "It snowed."},
        ],
        "blank": ["Ben"],
    }


def test_too_many_students_are_refused():
    with pytest.raises(InputError, match=r"^class\.csv has 3 students \(limit 2\)\.$"):
        found(CSV, most=2)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"who,what\nAnna,Rain.\n", 'class.csv: needs the columns "name"'),
        (b"name,summary\n,Rain.\n", "class.csv, line 2: the name is blank"),
        (b"\xd0\xcf\x11\xe0", "class.csv: is an old or locked Excel file; save it as plain XLSX"),
        (b"PK\x03\x04 and no more", "class.csv: is not an XLSX file"),
        (b"name,summary\nAnna,\xe9t\xe9\n", "class.csv, line 2: is not UTF-8"),
    ],
)
def test_the_name_of_the_file_is_in_what_went_wrong(content, problem):
    with pytest.raises(InputError) as error:
        found(content)
    assert str(error.value).startswith(problem)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_template_can_be_read_as_it_is(client, form):
    answer = client.get(f"/pyramid/template.{form}")
    assert f'filename="class-template.{form}"' in answer.headers["content-disposition"]
    example = client.get("/api/pyramid/example").json()["students"]
    assert found(answer.content)["students"] == example


def test_results_of_old_versions_stay_readable(client):
    example = client.get("/api/pyramid/example").json()
    for match in example["scores"]["students"][0]["matches"]:
        del match["checks"]
        match["check"] = "negation" if match["presence"] == "yes" else None
    sent = {"pyramid": example["pyramid"], "scores": example["scores"]}
    sheet = client.post("/api/pyramid/sheets", json=sent).json()["sheets"][0]
    assert "but this may deny it" in sheet
    again = client.post("/api/pyramid/marks", json=sent | {"edits": []}).json()
    checks = [match["checks"] for match in again["students"][0]["matches"] if match["stated"]]
    assert checks[0] == [{"kind": "negation", "words": "this may deny it"}]
