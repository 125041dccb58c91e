"""Plots: files that are pictures, the same for the same values, and an extra that is named."""

import sys

import pytest

from commonground.errors import MissingExtraError
from commonground.report import plots

pytest.importorskip("matplotlib")


def draw_all(folder, ending="png"):
    plots.plot_distributions(
        {"a": [0.1, 0.5, 0.9], "b": [0.2]},
        folder / f"d.{ending}",
        title="Distribution",
        label="F1",
        baselines={"chance": 0.05},
    )
    plots.plot_intervals(
        [("a", 0.5, 0.2, 0.8), ("b", -0.1, None, None)],
        folder / f"i.{ending}",
        title="Correlation",
        label="r",
    )
    plots.plot_heat_map(
        ["x", "y"],
        ["25-75", "35-65"],
        [[0.1, None], [-0.4, 0.9]],
        folder / f"h.{ending}",
        title="Heat",
        label="τ",
    )
    plots.plot_pyramids({"manual": {3: 1, 1: 4}, "edua-g": {2: 2.5}}, folder / f"p.{ending}",
                        title="Units")  # fmt: skip
    plots.plot_contour(
        [1, 2, 3],
        [60, 70],
        [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]],
        folder / f"c.{ending}",
        title="Contour",
        names=("beta", "percentile"),
        label="r",
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_values_give_the_same_pictures(tmp_path):
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    drawn = draw_all(first)
    assert len(drawn) == 5
    assert all(picture.startswith(b"\x89PNG") for picture in drawn.values())
    assert draw_all(second) == drawn


def test_names_and_numbers_stand_in_the_picture(tmp_path, monkeypatch):
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "none")
    drawn = {name: text.decode() for name, text in draw_all(tmp_path, "svg").items()}
    assert ">chance</text>" in drawn["d.svg"]
    assert ">−0.40</text>" in drawn["h.svg"] and ">0.90</text>" in drawn["h.svg"]
    assert ">35-65</text>" in drawn["h.svg"]
    assert ">2.5</text>" in drawn["p.svg"] and ">edua-g</text>" in drawn["p.svg"]
    assert ">percentile</text>" in drawn["c.svg"]


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"extra \[plots\]"):
        plots.plot_pyramids({"a": {1: 1}}, tmp_path / "p.png", title="Units")
