"""Given content units as a metric of a run."""

import pytest

from commonground.benchmark import Config, Study
from commonground.errors import InputError

UNITS = (
    {"id": "cat", "units": ["the cat sat", "a dog barked"], "weights": [3, 1]},
    {"id": "rain", "unit": "it rained"},
)


def test_units_are_a_metric(tiny):
    units = tiny.rows("units.jsonl", UNITS)
    config = Config(metrics=(), pyramids=("units@minilm+wmin",))
    study = Study(tiny.run(units=units, config=config))
    assert "pyramid.units@minilm+wmin.raw" in study.metrics
    rows = {
        (row.id, row.system): row.value
        for row in study.scores
        if row.metric == "pyramid.units@minilm+wmin.raw"
    }
    # "the cat sat" is the unit of weight 3, "it rained" the only one of its event.
    assert rows == {("cat", "one"): 3, ("rain", "one"): 1, ("cat", "two"): 0, ("rain", "two"): 0}


def test_units_and_their_pyramid_need_each_other(tiny):
    config = Config(metrics=("rouge",), pyramids=("units",))
    with pytest.raises(InputError, match="need each other"):
        tiny.run(config=config)
    stray = tiny.rows("stray.jsonl", [{"id": "dog", "unit": "a dog barked"}])
    with pytest.raises(InputError, match="the data set has no event 'dog'"):
        tiny.run(config=config, units=stray)
