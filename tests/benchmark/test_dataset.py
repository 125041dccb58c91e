"""Validator, statistics, filters and import of data sets."""

from pathlib import Path

import pytest

from commonground.benchmark import (
    annotators_step,
    apply_filters,
    import_csv,
    statistics,
    theme_place,
    theme_step,
    validate,
)
from commonground.errors import InputError
from commonground.io import Event, Narrative, read_events

STUDY = Path(__file__).parents[2] / "examples" / "study"

SHORT, LONG = "Too short to count.", " ".join(["word"] * 15)


def test_the_example_study_is_valid_and_counted():
    found = validate(STUDY / "events.jsonl")
    assert found.valid and found.errors == () and len(found.events) == 10
    assert found.warnings == ()


def test_statistics_by_hand():
    two = (Narrative("left", "It rained. A lot."), Narrative("right", "It was dry."))
    one = (Narrative("left", "One two three four five."),)
    events = [Event("a", two, ("It rained.", "It was dry. Or not.")), Event("b", one, ("Dry.",))]
    found = statistics(events)
    assert found.events == 2
    assert found.narratives.to_dict() == {"words": 6.0, "sentences": 2.0, "texts": 2}
    assert [one.to_dict() for one in found.references] == [
        {"words": 1.5, "sentences": 1.0, "texts": 2},
        {"words": 5.0, "sentences": 2.0, "texts": 1},
    ]
    assert found.table()["rows"][0] == ["narratives, concatenated", 2, 6.0, 2.0]


def test_statistics_without_narratives_or_events():
    assert statistics([Event("a", (), ("One.",))]).narratives is None
    with pytest.raises(InputError, match="at least one event"):
        statistics([])


def test_validation_says_everything_at_once(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text(
        '{"id": "a", "narratives": [{"text": "x"}, {"text": "x "}], "references": ["", "b"]}\n'
        "{\n"
        '{"id": "a", "references": ["b"]}\n'
        '{"id": "b", "narratives": [{"text": " "}], "references": ["b"]}\n'
        '{"id": "c", "narratives": [{"text": "x"}, {"text": "y"}]}\n'
    )
    found = validate(path)
    assert not found.valid and list(found.events) == ["a", "b", "c"]
    assert [error.split(": ")[0].removeprefix(f"{path}, ") for error in found.errors] == [
        "line 2",
        "line 3",
    ]
    assert found.warnings == (
        "a: two narratives are the same text",
        "a: reference 1 is empty (the annotator saw no overlap?)",
        "b: 1 narrative; an overlap needs two",
        "b: narrative 1 (narrative 1) is empty",
        "c: no references",
        "events differ in their number of references (1, 2)",
    )


def test_an_empty_file_is_not_valid(tmp_path):
    (tmp_path / "data.jsonl").write_text("\n")
    assert validate(tmp_path / "data.jsonl").errors == (
        f"{tmp_path / 'data.jsonl'}: has no events",
    )


def event(id_, *references):
    return Event(id_, (), references)


def test_filters_drop_what_their_rules_say_and_say_why():
    events = [
        event("fine", LONG, LONG, SHORT, LONG),
        event("theme short", LONG, LONG, LONG, SHORT),
        event("one writes", LONG, SHORT, "", LONG),
        event("both", SHORT, SHORT, SHORT, SHORT),
    ]
    kept, report = apply_filters(events, [theme_step(), annotators_step()])
    assert [one.id for one in kept] == ["fine"]
    assert [one.to_dict() for one in report] == [
        {
            "step": "theme",
            "rule": "a theme description of at least 15 words",
            "before": 4,
            "dropped": [
                {"id": "theme short", "reason": "4 words"},
                {"id": "both", "reason": "4 words"},
            ],
        },
        {
            "step": "annotators",
            "rule": "at least 2 annotators with at least 15 words",
            "before": 2,
            "dropped": [
                {"id": "one writes", "reason": "1 of 3 annotators (15, 4, 0 words)"},
            ],
        },
    ]


def test_the_theme_may_stand_elsewhere_or_nowhere():
    one = event("a", SHORT, LONG, LONG)
    assert apply_filters([one], [theme_step(1)])[0] == []
    assert apply_filters([one], [theme_step(2)])[0] == [one]
    assert apply_filters([one], [theme_step(9)])[1][0].dropped == (("a", "no theme description"),)
    assert apply_filters([one], [annotators_step(3)])[0] == []
    assert apply_filters([one], [annotators_step(None)])[0] == [one]


@pytest.mark.parametrize("word", ["0", "-2", "middle", ""])
def test_a_place_that_is_none(word):
    with pytest.raises(InputError, match="first, last, none or a number"):
        theme_place(word)


HEADER = "theme,theme-description,left-head,left-context,right-head,right-context\n"


def csv_file(tmp_path, text, name="raw.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_import_from_csv(tmp_path):
    path = csv_file(
        tmp_path,
        "\ufeff" + HEADER + 'Rain,It rained.,Wet,"It rained, a lot.",,Rain fell.\n'
        "Rain,,Dry,No rain.,Sun,Sun shone.\n",
    )
    assert import_csv(path) == [
        Event(
            "Rain",
            (Narrative("left", "Wet\n\nIt rained, a lot."), Narrative("right", "Rain fell.")),
            ("It rained.",),
        ),
        Event(
            "Rain-2",
            (Narrative("left", "Dry\n\nNo rain."), Narrative("right", "Sun\n\nSun shone.")),
            (),
        ),
    ]


def test_import_with_other_names_and_written_overlaps(tmp_path):
    path = csv_file(tmp_path, "nr,L,R,A1,A2,about\n7,Left.,Right.,One.,,Theme.\n")
    columns = {
        "id": "nr",
        "left-context": "L",
        "right-context": "R",
        "theme-description": "about",
    }
    (found,) = import_csv(path, columns, ["A1"])
    assert found.id == "7" and found.references == ("One.", "Theme.")
    with pytest.raises(InputError, match="unknown column 'A3'"):
        import_csv(path, columns, ["A3"])
    with pytest.raises(InputError, match="unknown column 'left'; did you mean"):
        import_csv(path, {"left": "L"})


def test_import_says_where_a_row_is_wrong(tmp_path):
    path = csv_file(tmp_path, HEADER + "Rain,x,Wet,Left.,Dry,Right.\nSnow,x,Wet,,Dry,Right.\n")
    with pytest.raises(InputError, match='line 3: "left-context" is blank'):
        import_csv(path)
    with pytest.raises(InputError, match='line 2: "left-context" is missing'):
        import_csv(csv_file(tmp_path, "theme\nRain\n"))
    with pytest.raises(InputError, match=r"is not named \.csv"):
        import_csv(csv_file(tmp_path, HEADER, "raw.tsv"))


def test_the_example_study_passes_the_annotators_filter_partly():
    kept, (report,) = apply_filters(
        read_events(STUDY / "events.jsonl").values(), [annotators_step(None)]
    )
    assert len(kept) + len(report.dropped) == 10
