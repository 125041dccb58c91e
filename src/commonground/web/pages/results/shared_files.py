"""Files of a saved result, below its link: what a visitor can save without a session.

They are made from the stored result alone; nothing is computed again.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from fastapi.responses import HTMLResponse, Response

from commonground.web.pages.results import compare, pyramid, score, systems
from commonground.web.pages.results.pyramid_class import ClassScores, Graded
from commonground.web.pages.results.pyramid_edits import PyramidModel


class SharedFile(NamedTuple):
    """A file of a saved result: its button, and how to make it from the stored data."""

    label: str
    make: Callable[[Any], Response]
    needs: str = ""  # a field that older or smaller results lack


def _comparison(data: Any) -> Response:
    return HTMLResponse(compare.Comparison.model_validate(data).page)


def _scores(form: Literal["csv", "xlsx"], data: Any) -> Response:
    return score.scores_file(form, score.Scoring.model_validate(data))


def _systems(name: str, data: Any) -> Response:
    return systems.table_file(name, systems.SystemScores.model_validate(data))


def _pyramid(data: Any) -> Response:
    return pyramid.standalone_page(PyramidModel.model_validate(data["now"]))


def _class(data: Any) -> Response:
    edited = PyramidModel.model_validate(data["now"])
    scores = ClassScores.model_validate(data["scores"])
    return pyramid.scores_file(Graded(pyramid=edited, scores=scores))


_FILES: Final[dict[str, dict[str, SharedFile]]] = {
    "compare": {"common-ground.html": SharedFile("Save as HTML", _comparison)},
    "score": {
        "scores.xlsx": SharedFile("Save as XLSX", partial(_scores, "xlsx")),
        "scores.csv": SharedFile("Save as CSV", partial(_scores, "csv")),
    },
    "systems": {
        name: SharedFile(label, partial(_systems, name))
        for name, label in {
            "systems.xlsx": "Save as XLSX",
            "systems.csv": "Save as CSV",
            "summaries.csv": "Save summaries as CSV",
        }.items()
    },
    "pyramid": {
        "pyramid.html": SharedFile("Save as HTML", _pyramid, needs="now"),
        "scores.csv": SharedFile("Save scores as CSV", _class, needs="scores"),
    },
}


def shared_files(kind: str, data: Mapping[str, Any]) -> dict[str, SharedFile]:
    """Return the files of a saved result, by name."""
    files = _FILES.get(kind, {})
    return {name: file for name, file in files.items() if not file.needs or data.get(file.needs)}
