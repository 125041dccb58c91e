"""A run is a folder of config, inputs, outputs, signatures and scores. Runs can be resumed.

| file | what |
|---|---|
| config.json | settings, and the sha256 of every input |
| events.jsonl, outputs.jsonl | the data set and all systems' summaries |
| labels/, given/ | copies of label files and of scores of other metrics |
| pyramids/NAME.jsonl | a pyramid for each event, for each builder, and `manual` |
| scores/NAME.jsonl | rows (id, system, metric, value[, reference]) |
| baselines/NAME.jsonl | random baselines |
| grid/points.jsonl | the hyper-parameter study, if asked for |
| signatures.json | the signature of each file of numbers |

Files are written whole, so a step is done if its file exists.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from commonground.agreement import Scores, read_labels
from commonground.benchmark import measure
from commonground.benchmark.config import GIVEN, METRICS, Config, inputs_of, settle
from commonground.benchmark.measure import Material, Rows, file_name, pyramid_file
from commonground.errors import InputError
from commonground.io import (
    Event,
    read_events,
    read_json,
    read_predictions,
    read_text,
    whole_file,
    write_events,
    write_rows,
)
from commonground.metrics import registry
from commonground.pyramid import read_event_units, read_pyramid
from commonground.score import Progress

Announce = Callable[[str], Progress | None]
Make = Callable[[Progress | None], tuple[Rows, str]]


def make_run(
    folder: str | Path,
    events: str | Path,
    predictions: Sequence[str | Path],
    config: Config | None = None,
    *,
    labels: Sequence[str | Path] = (),
    scores: Sequence[str | Path] = (),
    pyramids: str | Path | None = None,
    units: str | Path | None = None,
    announce: Announce | None = None,
) -> Path:
    """Make a run folder, or resume the same run.

    Args:
        folder: New, empty, or the folder of a run with the same inputs and settings.
        events: The data set.
        predictions: Files of summaries; the system is that of the row, or the file's name.
        config: The settings.
        labels: Label files of any protocol.
        scores: Scores of other metrics, including human ones.
        pyramids: A folder of manual pyramids, named after their events.
        units: A file of content units by event, for the pyramid `units`.
        announce: Called with the name of each step; returns a callback for the step's progress.

    Raises:
        InputError: An input is wrong, or the folder is another run; nothing is written.
    """
    folder, config = Path(folder), config or Config()
    files = {
        "events": [Path(events)],
        "predictions": [Path(path) for path in predictions],
        "labels": [Path(path) for path in labels],
        "scores": [Path(path) for path in scores],
        "pyramids": _pyramid_files(pyramids),
        **({"units": [Path(units)]} if units else {}),
    }
    known = read_events(events)
    material = Material(known, _outputs(files["predictions"], known, Path(events)))
    manual = _manual(files["pyramids"], material.events)
    given = _given(Path(units), material.events) if units else []
    # Files that are only copied are read too, to report their errors early.
    for path in files["labels"]:
        read_labels(path)
    if files["scores"]:
        Scores.read(*files["scores"])
    if any(variant.builder == "manual" for variant in config.variants) and not manual:
        raise InputError("the pyramid 'manual' needs a folder of pyramids")
    if any(variant.builder == "units" for variant in config.variants) != bool(given):
        raise InputError("the pyramid 'units' and a file of units need each other")
    if config.metrics and not any(map(material.items, material.outputs)):
        raise InputError(f"no summary belongs to an event with references in {events}")
    settle(folder, config, inputs_of(**files))
    _copy(folder, files, material, {"manual": manual, "units": given})
    for name, make in _steps(folder, config, material):
        _done(folder, name, make, announce)
    return folder


def _copy(
    folder: Path, files: Mapping[str, Sequence[Path]], material: Material, given: Mapping[str, Rows]
) -> None:
    for name in ("labels", "given", "pyramids", "scores", "baselines", "grid"):
        (folder / name).mkdir(exist_ok=True)
    if not (folder / "events.jsonl").exists():
        write_events(folder / "events.jsonl", material.events.values())
    outputs = [
        {"id": id_, "system": system, "summary": summary}
        for system, summaries in material.outputs.items()
        for id_, summary in summaries.items()
    ]
    pyramids = {f"pyramids/{name}.jsonl": rows for name, rows in given.items()}
    for name, rows in {"outputs.jsonl": outputs, **pyramids}.items():
        if rows and not (folder / name).exists():
            write_rows(folder / name, rows)
    for kind, target in (("labels", "labels"), ("scores", "given")):
        for path in files[kind]:
            copy = folder / target / path.name.removesuffix(".gz")
            if not copy.exists():
                with whole_file(copy) as stream:
                    stream.write(read_text(path) + "\n")


def _steps(folder: Path, config: Config, material: Material) -> list[tuple[str, Make]]:
    """Return the steps in order; a step may need the files of those before it."""
    steps: list[tuple[str, Make]] = []
    # The order of the papers' metrics does not depend on that of the settings.
    for name in sorted(config.metrics, key=lambda name: (name not in METRICS, name)):
        for encoder in config.encoders if "encoder" in registry.options(name) else (None,):
            file = f"{name}.{file_name(encoder)}" if encoder else name
            score = partial(measure.metric_rows, material, config, name, encoder)
            steps.append((f"scores/{file}", partial(score, False)))
            if registry.load(name).against == "references":
                steps.append((f"scores/{file}.references", partial(score, True)))
            if registry.load(name).has_baselines:
                baselines = partial(measure.baseline_rows, material, config, name, encoder)
                steps.append((f"baselines/{file}", baselines))
    for variant in config.variants:
        if variant.builder not in GIVEN:
            build = partial(measure.pyramid_rows, material, config, variant)
            steps.append((pyramid_file(variant), build))
        score = partial(measure.pyramid_score_rows, folder, material, variant)
        steps.append((f"scores/pyramid.{file_name(str(variant))}", score))
    if config.grid:
        steps.append(("grid/points", partial(measure.grid_rows, folder, material, config.gold)))
    return list(dict(steps).items())


def _done(folder: Path, name: str, make: Make, announce: Announce | None) -> None:
    path = folder / f"{name}.jsonl"
    if path.exists():
        return
    rows, signature = make(announce(name) if announce else None)
    # The signature first: a step is done when its file exists.
    signatures = read_signatures(folder) | {name: signature}
    with whole_file(folder / "signatures.json") as stream:
        stream.write(json.dumps(signatures, indent=1, ensure_ascii=False) + "\n")
    write_rows(path, rows)


def read_signatures(folder: Path) -> dict[str, str]:
    """Read the signatures of a run."""
    path = folder / "signatures.json"
    signatures = read_json(path) if path.exists() else {}
    if not isinstance(signatures, dict):
        raise InputError(f"{path}: must be a JSON object")
    return {name: str(signature) for name, signature in signatures.items()}


def step_files(folder: Path, config: Config) -> list[Path]:
    """Return the files that the steps of a run write, in order."""
    return [folder / f"{name}.jsonl" for name, _ in _steps(folder, config, Material({}, {}))]


def _outputs(
    paths: Sequence[Path], events: Mapping[str, Event], data: Path
) -> dict[str, dict[str, str]]:
    outputs: dict[str, dict[str, str]] = {}
    for path in paths:
        stem = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        for row in read_predictions(path):
            where = f"{path}, line {row.line}"
            if row.id not in events:
                raise InputError(f"{where}: id {row.id!r} is not in {data}")
            summaries = outputs.setdefault(row.system or stem, {})
            if row.id in summaries:
                raise InputError(f"{where}: id {row.id!r} of this system appears twice")
            summaries[row.id] = row.summary
    if not outputs:
        raise InputError(f"{', '.join(map(str, paths)) or 'no file'}: has no predictions")
    return outputs


def _pyramid_files(folder: str | Path | None) -> list[Path]:
    if folder is None:
        return []
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: is not a folder of pyramids")
    return sorted(path for path in Path(folder).iterdir() if path.suffix in (".json", ".pyr"))


def _given(path: Path, events: Mapping[str, Event]) -> Rows:
    """Return the pyramids of the events that have units."""
    pyramids = read_event_units(path)
    for id_ in pyramids:
        if id_ not in events:
            raise InputError(f"{path}: the data set has no event {id_!r}")
    return [{"id": id_, "pyramid": pyramid.to_dict()} for id_, pyramid in pyramids.items()]


def _manual(paths: Sequence[Path], events: Mapping[str, Event]) -> Rows:
    for path in paths:
        if path.stem not in events:
            raise InputError(f"{path}: the data set has no event {path.stem!r}")
    return [{"id": path.stem, "pyramid": read_pyramid(path).to_dict()} for path in paths]
