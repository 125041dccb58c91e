"""Many systems from one file: what is read, what is refused, and the scores."""

import base64
import json

import pytest

from commonground.errors import InputError
from commonground.metrics import Rouge, SemF1
from commonground.web.tasks.differences import behind_best
from commonground.web.tasks.systems import read_outputs, score_systems

ROWS = [
    ("fire", "good", "The mill burned down on Monday.", "On Monday the mill burned to the ground."),
    ("fire", "poor", "Bread is baked daily.", "On Monday the mill burned to the ground."),
    ("vote", "good", "The council voted for the bridge.", "Councillors approved the new bridge."),
    ("vote", "poor", "It rained, again.", "Councillors approved the new bridge."),
]
CSV = "id,system,summary,reference\n" + "".join(
    f'{id},{system},"{summary}","{reference}"\n' for id, system, summary, reference in ROWS
)


def scored(text):
    content = base64.b64encode(text.encode()).decode()
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
    (row,) = read_outputs(text)
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
    rows = read_outputs(f"{first}\r{second}\r\n{third}\n")
    assert [row.system for row in rows] == systems


def test_a_header_of_quotes_is_read_in_no_time():
    # The csv module's own guess of the delimiter takes hours for this.
    with pytest.raises(InputError, match="no rows"):
        read_outputs("summary,reference" + ',"' * 30_000)
