"""The papers' tables: worked out by hand on small studies, and on the example study."""

import math

import numpy as np
import pytest

from commonground.benchmark import (
    KINDS,
    Config,
    Study,
    make_plots,
    make_tables,
    papers,
    write_tables,
)
from commonground.errors import InputError
from commonground.io import write_rows
from commonground.metrics import Rouge


def table(study, name):
    found = make_tables(study, [name])
    assert found.absent == {}
    return found.found[name]


def by_name(table, *columns):
    places = [table["columns"].index(column) for column in columns]
    return {row[0]: tuple(row[place] for place in places) for row in table["rows"]}


def test_rouge_with_the_paper_s_systems_below(tiny):
    found = table(Study(tiny.run()), "rouge")
    rows = by_name(found, "events", "ROUGE-1", "paper: ROUGE-1")
    assert rows["one"] == (2, pytest.approx((4 / 7 + 1) / 2), None)
    assert rows["two"] == (2, 0.25, None)
    assert rows["Pegasus (paper)"] == (None, None, "0.4636")


def test_intervals_are_those_of_the_measure(tiny):
    row = table(Study(tiny.run()), "rouge")["rows"][0]
    corpus = Rouge(types=["rouge1"]).corpus(
        [one["summary"] for one in tiny.OUTPUTS[:2]], [one["references"] for one in tiny.EVENTS]
    )
    interval = corpus.interval["rouge1"]
    assert row[3] == f"{interval.low:.3f}–{interval.high:.3f}"


def test_a_system_of_the_paper_has_its_figures_beside_it(tiny):
    tiny.outputs = tiny.rows("o.jsonl", [{"id": "cat", "system": "bart", "summary": "a dog"}])
    rows = by_name(table(Study(tiny.run()), "rouge"), "ROUGE-1", "paper: ROUGE-1")
    assert rows["bart"] == (1, "0.4073")
    assert "BART (paper)" not in rows and "T5 (paper)" in rows


LABELS = """annotator,id,system,side,reference,sentence,label
L1,cat,one,precision,,1,P
L1,cat,one,precision,,2,A
L1,rain,one,precision,,1,PP
L2,cat,one,precision,,1,P
L2,cat,one,precision,,2,PP
L2,rain,one,precision,,1,P
L1,cat,one,recall,1,1,P
L2,cat,one,recall,1,1,P
"""


def test_reward_and_kendall_by_hand(tiny):
    study = Study(tiny.run(labels=[tiny.text("labels.csv", LABELS)]))
    rewards = table(study, "reward")["rows"]
    # cat: P-P is 1 and A-PP is 0; rain: PP-P is .5. Both summaries have .5.
    assert rewards[0] == ["precision", "L1, L2", "0.50 ± 0.00", 2, "0.81 ± 0.26"]
    assert rewards[1] == ["precision", "average", "0.500", None, "0.77"]
    assert rewards[2] == ["recall", "L1, L2", "1.00", 1, "0.85 ± 0.11"]
    kendall = table(study, "sentences")["rows"]
    # 1, 0, .5 and 1, .5, 1: two pairs agree, one is a tie of L2, so 2 / sqrt(3 * 2).
    assert kendall[0][2] == pytest.approx(2 / math.sqrt(6))
    assert kendall[0][-1] == 0.68
    assert kendall[2][:3] == ["recall", "L1, L2", None]


def test_labels_become_the_gold_standard(tiny):
    study = Study(tiny.run(labels=[tiny.text("labels.csv", LABELS)]))
    assert study.gold == "human-f1"
    scores = {row.system: row.value for row in study.scores if row.metric == "human-precision"}
    assert scores["one"] == 0.625  # of cat alone: L1 .5, L2 .75; rain has no labels for recall


def test_what_the_data_do_not_allow_is_said_in_one_line_each(tiny):
    found = make_tables(tiny.run())
    assert list(found.found) == ["size", "rouge", "references"]
    assert set(found.absent) == {kind.name for kind in KINDS} - set(found.found)
    assert found.absent["sem-f1"] == (
        "sem-f1 (table 9 of 000 and 001; table 8 of 004): "
        "the run has no SEM-F1 scores (--metric sem-f1)"
    )
    assert all("\n" not in line for line in found.absent.values())
    assert "not finished" not in str(found.absent)


def test_the_hyper_parameter_study_by_hand(tiny):
    folder = tiny.run()
    points = [
        {"alpha": alpha, "beta": beta, "percentile": 60.0, "value": value}
        for (alpha, beta), value in zip(
            [(10, 1), (20, 1), (10, 2), (20, 2)], [0.1, 0.2, 0.3, 0.4], strict=True
        )
    ]
    write_rows(folder / "grid" / "points.jsonl", points)
    found = table(Study(folder), "anova")
    rows = by_name(found, "df", "F", "paper: F")
    # beta: groups .15 and .35 around .25, within .005 + .005: (.04 / 1) / (.01 / 2).
    assert rows["beta"] == (1, pytest.approx(8), 104.31)
    assert rows["alpha"] == (1, pytest.approx(0.5), 0.31)
    assert "Highest at alpha 20, beta 2" in found["notes"][0]


def test_the_example_study_allows_every_table_but_the_grid(example):
    found = make_tables(example)
    assert set(found.absent) == {"anova"}
    assert list(found.found) == [kind.name for kind in KINDS if kind.name != "anova"]


def test_semf1_is_far_above_chance_on_the_example(example):
    rows = by_name(table(example, "sem-f1"), "SEM-F1", "random reference", "random output")
    for system in ("careful", "lead", "loose"):
        score, reference, output = rows[system]
        assert score > 2 * max(reference, output)
    assert rows["careful"][0] > rows["lead"][0] > rows["loose"][0]
    assert rows["Average"][0] == pytest.approx(
        sum(rows[name][0] for name in ("careful", "lead", "loose")) / 3
    )


def test_weights_of_the_manual_pyramids_by_hand(example):
    rows = by_name(table(example, "pyramid-weights"), "pyramids", "all", "w=3", "w=2", "w=1")
    # Nine events with three shared facts and one with four; 18 facts stand in all references.
    assert rows["manual"] == (10, 3.1, 1.8, 1.3, 0)


def test_the_human_gold_standard_orders_the_example(example):
    assert example.gold == "human-raw"
    rows = by_name(table(example, "accuracy"), "mean accuracy", "paper: task A")
    assert rows["rouge2"][1] == "0.72 (0.03), 0.80"
    assert rows["pyramid.edua-g.raw"][1] == "0.57 (0.03), 0.60"
    assert 0 <= rows["rouge1"][0] <= 1


def test_every_format_is_written(example, tmp_path):
    tables = make_tables(example, ["rouge", "reward"])
    written = write_tables(tables, tmp_path / "t")
    assert {path.name for path in written} == {
        *(
            f"{name}.{form}"
            for name in ("rouge", "reward")
            for form in ("md", "tex", "csv", "html")
        ),
        "index.md",
        "index.html",
    }
    assert r"\label{tab:rouge}" in (tmp_path / "t" / "rouge.tex").read_text()
    assert (tmp_path / "t" / "index.md").read_text().startswith("# Example study\n")


def test_wrong_names(example, tmp_path):
    with pytest.raises(InputError, match="unknown table 'rogue'; did you mean 'rouge'"):
        make_tables(example, ["rogue"])
    with pytest.raises(InputError, match="unknown format 'pdf'"):
        write_tables(make_tables(example, ["size"]), tmp_path, ["pdf"])
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, not a folder"):
        write_tables(make_tables(example, ["size"]), tmp_path / "file")


def test_a_gold_standard_that_is_not_there(tiny):
    study = Study(tiny.run(config=Config(metrics=("rouge",), gold="people")))
    with pytest.raises(InputError, match="unknown gold standard 'people'"):
        make_tables(study, ["accuracy"])


def test_plots_of_the_example(example, tmp_path):
    pytest.importorskip("matplotlib")
    drawn = make_plots(example, tmp_path)
    assert {path.name for path in drawn.values()} == {
        "correlation.png",
        "distribution-sem-f1.minilm.png",
        "distribution-rouge1.png",
        "pyramids.png",
        "references.png",
        "thresholds-reward.png",
        "thresholds-tau.png",
    }
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn.values())


def test_the_papers_figures_are_consistent():
    """The averages that the papers print are those of what they print above them."""
    figures = papers()
    for name in ("references-rouge", "references-sem-f1"):
        for pairs in figures[name]["pairs"].values():
            values = [value for key, value in pairs.items() if key != "average"]
            assert len(values) == 6
            assert sum(values) / 6 == pytest.approx(pairs["average"], abs=0.006)
    for name in ("kendall-two", "kendall-sentences"):
        for side in ("precision", "recall"):
            pairs = figures[name][side]
            values = [value for key, value in pairs.items() if key != "average"]
            assert sum(values) / 3 == pytest.approx(pairs["average"], abs=0.006)
    for topics in figures["pyramid-weights"]["topics"].values():
        assert all(sum(cells[1:]) == cells[0] for cells in topics.values())
    for tasks in figures["wilcoxon"]["tasks"].values():
        for one in tasks.values():
            assert one["all"] - one["mean"] == pytest.approx(one["delta"], abs=0.011)


def test_labels_beside_each_annotator_with_the_papers_figures(example):
    table = make_tables(example, ["thresholds-annotators"]).found["thresholds-annotators"]
    people = example.sentence_labels.annotators
    assert [row[3] for row in table["rows"][: len(people)]] == list(people)
    assert len(table["rows"]) == 2 * 7 * len(people)  # sides, thresholds
    first = next(row for row in table["rows"] if row[1:3] == ["precision", "25-75"])
    assert "±" in first[4]
    # Table 12 of 000: P-v1, L1, precision, 25-75.
    assert first[6].startswith("0.73 ± 0.27 / ")
    assert first[7].startswith("0.55 / 0.57")


def test_pyramid_scores_by_topic(example):
    table = make_tables(example, ["pyramid-topics"]).found["pyramid-topics"]
    topic, metric, raw, *_ = table["rows"][0]
    assert metric == "edua-g"
    _, ids, (ours, theirs) = example.scores.matched("pyramid.edua-g.raw", "human-raw")
    place = ids.index(topic)
    assert raw == pytest.approx(np.corrcoef(ours[:, place], theirs[:, place])[0, 1])
    assert len({row[0] for row in table["rows"]}) > 1


@pytest.mark.parametrize(("stemmer", "said"), [(True, "so does this run"), (False, "does not")])
def test_the_rouge_table_says_whether_paper_and_run_stem(tiny, stemmer, said):
    notes = table(Study(tiny.run(config=Config(metrics=("rouge",), stemmer=stemmer))), "rouge")[
        "notes"
    ]
    assert any("The paper compares Porter stems (003" in note and said in note for note in notes)
