"""Settings of the pyramids of a run: preset, percentile, alpha and beta."""

import pytest

from commonground.benchmark import Config, Study
from commonground.cli import run
from commonground.errors import InputError


def test_they_reach_the_pyramids_and_scores(tiny):
    config = Config(
        metrics=(),
        pyramids=("edua-g@static", "edua-c@static"),
        preset="pyreval",
        percentile=50.0,
        alpha=20.0,
        beta=2.0,
    )
    tiny.run(config=config)
    study = Study(tiny.folder / "run")
    greedy = str(study.pyramids["edua-g@static"]["cat"].signature)
    assert greedy.startswith("PYRAMID|preset:pyreval|builder:edua-g|alpha:+20|beta:2|enc:static@")
    assert "|edge:p50|" in greedy
    # alpha and beta belong to edua-g alone.
    assert "alpha" not in str(study.pyramids["edua-c@static"]["cat"].signature)
    assert "pyramid.edua-c@static.raw" in study.metrics


def test_the_command_has_them(tiny):
    files = [str(tiny.events), "--predictions", str(tiny.outputs), "-o", str(tiny.folder / "r")]
    options = ["--metric", "rouge", "--pyramid", "edua-g", "--percentile", "50", "--beta", "2"]
    assert run(["benchmark", "run", *files, *options]) == 0
    (pyramid, _) = Study(tiny.folder / "r").pyramids["edua-g"].values()
    assert "|beta:2|" in str(pyramid.signature)


def test_an_unknown_preset_is_named():
    with pytest.raises(InputError, match="did you mean 'pyreval'"):
        Config(preset="pyrevel")
