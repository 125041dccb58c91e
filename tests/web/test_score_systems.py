"""Many systems from one file: what is read, what is refused, and the scores."""

import base64
import io
import json

import pytest
from openpyxl import Workbook, load_workbook

from commonground.errors import InputError
from commonground.metrics import Rouge, SemF1
from commonground.web.tasks.differences import behind_best, ids_needed
from commonground.web.tasks.outputs import read_outputs
from commonground.web.tasks.systems import score_systems
from web_browser import csv_text

ROWS = [
    ("fire", "good", "The mill burned down on Monday.", "On Monday the mill burned to the ground."),
    ("fire", "poor", "Bread is baked daily.", "On Monday the mill burned to the ground."),
    ("vote", "good", "The council voted for the bridge.", "Councillors approved the new bridge."),
    ("vote", "poor", "It rained, again.", "Councillors approved the new bridge."),
]
CSV = "id,system,summary,reference\n" + "".join(
    f'{id},{system},"{summary}","{reference}"\n' for id, system, summary, reference in ROWS
)


def scored(file):
    content = base64.b64encode(file if isinstance(file, bytes) else file.encode()).decode()
    return score_systems({"content": content}, lambda share, words: None)["systems"]


def test_each_system_has_the_means_of_the_metrics():
    good, poor = scored(CSV)
    assert (good["system"], good["items"], poor["system"]) == ("good", 2, "poor")
    mine = [row for row in ROWS if row[1] == "good"]
    texts = [row[2] for row in mine], [[row[3]] for row in mine]
    semf1, rouge = SemF1().corpus(*texts), Rouge().corpus(*texts)
    assert good["scores"]["SEM-F1"]["mean"] == pytest.approx(semf1.mean.f1)
    assert good["scores"]["SEM-F1"]["low"] == pytest.approx(semf1.interval.low)
    assert good["scores"]["ROUGE-2"]["mean"] == pytest.approx(rouge.mean["rouge2"].f1)
    assert good["baseline"] < good["scores"]["SEM-F1"]["mean"]
    assert good["signatures"] == [str(semf1.signature), str(rouge.signature)]


def test_each_summary_has_its_scores():
    good, poor = scored(CSV)
    assert [one["id"] for one in poor["summaries"]] == ["fire", "vote"]
    _, _, summary, reference = ROWS[2]
    assert good["summaries"][1]["scores"] == pytest.approx(
        {
            "SEM-F1": SemF1().score(summary, [reference]).f1,
            # Of 6 and 5 words, "the" and "bridge" are in both.
            "ROUGE-1": 2 * (2 / 6) * (2 / 5) / (2 / 6 + 2 / 5),
            "ROUGE-2": 0,
            "ROUGE-L": 2 * (2 / 6) * (2 / 5) / (2 / 6 + 2 / 5),
        }
    )


def test_the_page_gets_the_texts_with_each_reference_once():
    content = base64.b64encode(CSV.encode()).decode()
    texts = score_systems({"content": content}, lambda share, words: None)["texts"]
    assert texts["references"] == [ROWS[0][3], ROWS[2][3]]
    poor = [
        {"text": ROWS[1][2], "references": [0]},
        {"text": ROWS[3][2], "references": [1]},
    ]
    assert texts["summaries"][1] == poor


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_template_can_be_scored_as_it_is(client, form):
    answer = client.get(f"/score/template.{form}")
    assert f'filename="systems-template.{form}"' in answer.headers["content-disposition"]
    systems = scored(answer.content)
    assert [row["system"] for row in systems] == ["careful", "brief", "loose"]
    assert {row["items"] for row in systems} == {8}
    # Worse on all of eight ids: 2/256 at least, and twice that after Holm.
    assert systems[1]["behind"]["p"] == pytest.approx(2 * 2 / 256, abs=0.005)


def test_the_order_of_rows_changes_nothing():
    lines = CSV.splitlines(keepends=True)
    other = scored("".join([lines[0], *reversed(lines[1:])]))
    assert [row["scores"] for row in other] == [row["scores"] for row in scored(CSV)]


def test_the_lead_of_the_best_system_is_tested_on_common_ids():
    f1 = {
        "best": [(str(number), 0.9) for number in range(8)],
        "worse": [(str(number), 0.6) for number in range(8)],
        "equal": [(str(number), 0.8 if number % 2 else 1.0) for number in range(8)],
        "elsewhere": [("x", 0.1)],
        "twice": [("1", 0.1), ("1", 0.1)],
    }
    behind = behind_best(f1)
    assert list(behind) == ["worse", "equal"]
    assert behind["worse"]["items"] == 8
    assert [behind["worse"][key] for key in ("difference", "low", "high")] == pytest.approx(
        [0.3] * 3
    )
    # Of the 2**8 signs only two give as much: 2/256, and twice that after Holm.
    assert behind["worse"]["p"] == pytest.approx(2 * 2 / 256, abs=0.005)
    assert behind["equal"]["difference"] == pytest.approx(0)
    assert behind["equal"]["p"] == 1


def apart(ids, others):
    """The best system and others that are worse on every id, by other amounts."""
    named = {"best": [(str(number), 0.9) for number in range(ids)]}
    for other in range(others):
        named[f"other {other}"] = [(str(number), 0.5 - number / 100) for number in range(ids)]
    return behind_best(named)


@pytest.mark.parametrize(
    ("ids", "others", "smallest", "needed"),
    [
        (4, 1, 2 / 16, 6),  # of 16 ways to flip four signs, two are as extreme
        (4, 2, 2 * 2 / 16, 7),
        (5, 1, 2 / 32, 6),
        (6, 1, 2 / 64, 6),
        (6, 2, 2 * 2 / 64, 7),
        (7, 2, 2 * 2 / 128, 7),
        (1, 3, 1, 7),  # 3 x 2 / 128 is below 0.05
    ],
)
def test_the_smallest_p_that_so_many_ids_can_give(ids, others, smallest, needed):
    for row in apart(ids, others).values():
        assert row["smallest_p"] == pytest.approx(smallest)
        assert row["ids_needed"] == needed
        # The drawn signs are never luckier than all of them together.
        assert row["p"] >= smallest
        assert row["p"] == pytest.approx(smallest, abs=0.03)


def test_other_systems_may_have_fewer_ids():
    f1 = {
        "best": [(str(number), 0.9) for number in range(10)],
        "all": [(str(number), 0.5) for number in range(10)],
        "some": [(str(number), 0.5) for number in range(5)],
    }
    behind = behind_best(f1)
    # Holm doubles the lower of the two and leaves the other.
    assert behind["all"]["smallest_p"] == pytest.approx(2 * 2 / 2**10)
    assert behind["some"]["smallest_p"] == pytest.approx(2 / 2**5)


def test_too_many_systems_for_any_number_of_ids():
    # 10,000 draws give a p of 1/10,001 at least, and 501 times that is above 0.05.
    assert [ids_needed(count) for count in (1, 2, 500, 501)] == [6, 7, 15, None]


def test_only_the_others_are_behind_the_best():
    good, poor = scored(CSV)
    assert good["behind"] is None
    means = [row["scores"]["SEM-F1"]["mean"] for row in (good, poor)]
    assert poor["behind"]["difference"] == pytest.approx(means[0] - means[1])
    (alone,) = scored("summary,reference\nA mill burned.,A mill burned down.\n")
    assert alone["behind"] is None


@pytest.mark.parametrize(
    "text",
    [
        '{"summary": "A.", "references": ["B.", "C."]}\n',
        "summary,reference_1,reference_2\nA.,B.,C.\n",
        "Summary;Reference 1;Reference 2\r\nA.;B.;C.\r\n",
        "summary\treference\treference b\nA.\tB.\tC.\n",
    ],
)
def test_what_a_file_may_look_like(text):
    (row,) = read_outputs(text).outputs
    assert (row.id, row.system, row.summary) == ("1", "summary", "A.")
    assert row.references == ("B.", "C.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file has no rows."),
        ("summary,reference\n", "The file has no rows."),
        ("a,b\n1,2\n", 'Row 1 has no "summary".'),
        ("summary,reference\nA.,\n", 'Row 1 has no "references".'),
        ('{"summary": "A.", "references": ["B."]}\n{"summary"\n', "Line 2 is not JSON."),
        ('{"summary": "A.", "references": 3}', 'Line 1 has no "references".'),
        ('{"summary": "A.", "references": ["B."]}\n[1]', "Line 2 is not a JSON object."),
    ],
)
def test_what_is_refused_in_one_line(text, message):
    with pytest.raises(InputError) as error:
        read_outputs(text)
    assert str(error.value) == message


def test_a_file_that_is_too_long_names_the_command():
    with pytest.raises(InputError, match="commonground score"):
        read_outputs("summary,reference\n" + "a,b\n" * 2001)


def test_the_server_scores_a_file(working):
    files = {"file": ("systems.csv", CSV.encode())}
    status = working.result("/api/score/systems", files=files)
    assert [row["system"] for row in status["result"]["systems"]] == ["good", "poor"]


ROW = '{"summary": "A.", "references": ["B."], "system": %s}'


@pytest.mark.parametrize(
    ("system", "said"),
    [
        (r'"\ud800"', "half of a surrogate pair"),
        ("NaN", "NaN and infinite numbers"),
        ("[" * 100_000, "Line 1 is nested too deeply"),
    ],
)
def test_values_that_cannot_be_shown_again_are_refused(system, said):
    with pytest.raises(InputError, match=said):
        read_outputs(ROW % system)


def test_a_text_may_hold_any_separator_but_a_line_break():
    systems = ["a\u2028b\x85c", "c", "d"]
    first, second, third = (ROW % json.dumps(name, ensure_ascii=False) for name in systems)
    rows = read_outputs(f"{first}\r{second}\r\n{third}\n").outputs
    assert [row.system for row in rows] == systems


def test_a_header_of_quotes_is_read_in_no_time():
    # The csv module's own guess of the delimiter takes hours for this.
    with pytest.raises(InputError, match="no rows"):
        read_outputs("summary,reference" + ',"' * 30_000)


def xlsx(*rows):
    book, stream = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def test_a_spreadsheet_gives_the_scores_of_the_csv_file():
    rows = [["ID", "System", "Summary", "Reference 1"], *(list(row) for row in ROWS)]
    assert scored(xlsx(*rows, [None, None, None, None])) == scored(CSV)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (xlsx(["summary", "reference"]), "The file has no rows."),
        (xlsx(["summary", "reference"], ["A."]), 'Row 2 has no "references".'),
        (xlsx(["a", "b"], [], [1, 2]), 'Row 3 has no "summary".'),
        (xlsx(["summary", "reference"], [True, "B."]), "file.xlsx, row 2, column A: is TRUE"),
        (b"PK\x03\x04 nothing else", "file.xlsx: is not an XLSX file"),
        (b"\xff\xfe\x00", "The file is not UTF-8 text."),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(file, message):
    with pytest.raises(InputError) as error:
        scored(file)
    assert str(error.value).startswith(message)


@pytest.fixture(scope="module")
def scores():
    systems = scored(CSV.replace("poor", "=1+1"))
    return {
        "name": "news.csv",
        "notices": [{"message": "Ignored columns: x."}],
        "systems": json.loads(json.dumps(systems)),
    }


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_table_has_every_number_and_no_formula(client, scores, form):
    answer = client.post(f"/api/score/systems.{form}", json=scores)
    assert f'filename="systems.{form}"' in answer.headers["content-disposition"]
    if form == "xlsx":
        sheet = load_workbook(io.BytesIO(answer.content)).active
        assert sheet["A3"].data_type == "s"
        head, best, other = sheet.iter_rows(values_only=True)
        assert (other[0], best[1]) == ("=1+1", 2)
    else:
        head, best, other = (line.split(",") for line in csv_text(answer).splitlines())
        assert (other[0], best[1]) == ("'=1+1", "2")
    assert list(head[:5]) == ["system", "summaries", "SEM-F1", "SEM-F1 low", "SEM-F1 high"]
    # A spreadsheet keeps 16 digits.
    assert float(best[2]) == pytest.approx(scores["systems"][0]["scores"]["SEM-F1"]["mean"], 1e-15)
    assert head[-3:] == type(head)(("p", "common ids", "smallest p"))
    behind = scores["systems"][1]["behind"]
    wanted = [behind[name] for name in ("p", "items", "smallest_p")]
    assert list(map(float, other[-3:])) == pytest.approx(wanted, 1e-15)


def test_the_scores_of_each_summary_are_in_the_files(client, scores):
    first = scores["systems"][0]["summaries"][0]
    book = load_workbook(io.BytesIO(client.post("/api/score/systems.xlsx", json=scores).content))
    rows = [list(row) for row in book["summaries"].iter_rows(values_only=True)]
    text = csv_text(client.post("/api/score/summaries.csv", json=scores))
    lines = [line.split(",") for line in text.splitlines()]
    assert rows[0] == lines[0] == ["id", "system", *first["scores"]]
    assert [row[:2] for row in rows[1:]] == [
        ["fire", "good"],
        ["vote", "good"],
        ["fire", "=1+1"],
        ["vote", "=1+1"],
    ]
    assert lines[3][1] == "'=1+1"
    for row in (rows[1], lines[1]):
        assert list(map(float, row[2:])) == pytest.approx(list(first["scores"].values()), 1e-15)


def test_results_of_earlier_versions_have_no_summaries(client, scores):
    systems = [{**row, "behind": None} for row in scores["systems"]]
    for row in systems:
        del row["summaries"]
    data = {"name": "old.csv", "systems": systems}
    made = client.post("/api/saved", json={"kind": "systems", "data": data})
    assert made.status_code == 201
    assert client.get(made.json()["link"]).status_code == 200
    assert client.post("/api/score/systems.xlsx", json=data).status_code == 200


def test_control_characters_are_left_out_of_a_spreadsheet(client, scores):
    best, other = scores["systems"]
    data = {**scores, "systems": [{**best, "system": "a\x01b"}, other]}
    sheet = load_workbook(
        io.BytesIO(client.post("/api/score/systems.xlsx", json=data).content)
    ).active
    assert sheet["A2"].value == "ab"


def test_scores_are_saved_under_a_link_titled_found_and_deleted(client, scores):
    made = client.post("/api/saved", json={"kind": "systems", "data": scores}).json()
    assert made["title"] == "news.csv: good, =1+1"
    assert client.get(f"{made['link']}/data").json() == scores
    page = client.get(made["link"]).text
    assert "Save as XLSX" in page
    listed = client.get("/saved?kind=systems").text
    assert made["link"] in listed
    assert "Many systems" in listed
    later = {"title": "News", "expires_at": "2999-01-01T00:00:00Z"}
    assert client.patch(f"/api{made['link']}", json=later).status_code == 204
    assert "<title>News · commonground</title>" in client.get(made["link"]).text
    assert client.delete(f"/api{made['link']}").status_code == 204
    assert client.get(made["link"]).status_code == 404


def test_scores_that_cannot_be_shown_are_not_saved(client, scores):
    first = scores["systems"][0]
    one = first["summaries"][0]
    for wrong in (
        [],
        [{**first, "scores": {}}],
        [{**first, "summaries": [one] * 1_001}] * 2,
        [{**first, "summaries": [{**one, "scores": {}}]}],
    ):
        data = {**scores, "systems": wrong}
        assert client.post("/api/saved", json={"kind": "systems", "data": data}).status_code == 400
