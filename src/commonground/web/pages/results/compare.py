"""The Compare page: what narratives have in common.

A browser may send back a result, so the models check it: the renderer trusts its indices and
offsets.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Final, Self

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field, model_validator

from commonground.report import OVERLAP_SCRIPTS, overlap_body, overlap_page
from commonground.web.pages.jobs import Accepted, Narrative, Submit
from commonground.web.pages.results.result_page import Result, ResultPage, one_line

router = APIRouter(tags=["compare"])

_MIN_NARRATIVES: Final = 2
_MAX_NARRATIVES: Final = 6
_MAX_SENTENCES: Final = 20
_DEFAULT_SENTENCES: Final = 10
_MAX_CROSSINGS: Final = 200_000  # of passages; a result of six long texts has some thousands

Sentences = Annotated[int, Field(ge=1, le=_MAX_SENTENCES)]
Index = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]


class CompareRequest(BaseModel):
    """The texts to compare; `at_least` is how many must agree (default: all)."""

    narratives: list[Narrative] = Field(min_length=_MIN_NARRATIVES, max_length=_MAX_NARRATIVES)
    at_least: int | None = None
    max_sentences: Sentences = _DEFAULT_SENTENCES

    @model_validator(mode="after")
    def _check(self) -> Self:
        count = len(self.narratives)
        if self.at_least is not None and not _MIN_NARRATIVES <= self.at_least <= count:
            raise ValueError(f"Agreement must be from {_MIN_NARRATIVES} to {count} texts.")
        return self


class SpanModel(BaseModel):
    """A span of one narrative."""

    narrative: Index
    text: str
    start: Index
    end: Index


class PassageModel(SpanModel):
    """A passage that states something."""

    probability: Probability
    through: str | None = None


class StatementModel(BaseModel):
    """A shared statement."""

    text: str
    weight: Index
    probability: Probability
    evidence: list[PassageModel]


class SideModel(SpanModel):
    """One narrative's side of a conflict."""

    value: str
    value_start: Index
    value_end: Index
    group: int | None = None


class ConflictModel(BaseModel):
    """A conflict between narratives."""

    kind: str
    sides: list[SideModel] = Field(min_length=2)
    probability: float | None = Field(default=None, ge=0, le=1)


class AgainstModel(BaseModel):
    """What one other narrative says of a sentence."""

    narrative: Index
    probabilities: tuple[Probability, Probability, Probability, Probability]
    support: list[Probability]
    evidence: tuple[Index, Index] | None


class ReadingModel(BaseModel):
    """How the other narratives treat one sentence, word by word."""

    start: Index
    end: Index
    offsets: list[Index]
    against: list[AgainstModel]

    @model_validator(mode="after")
    def _check(self) -> Self:
        edges = [self.start, *self.offsets, self.end]
        if len(self.offsets) % 2 or edges != sorted(edges):
            raise ValueError("the words of a sentence must be in order")
        if any(2 * len(other.support) != len(self.offsets) for other in self.against):
            raise ValueError("a sentence needs one probability per word")
        return self


class NarrativeModel(BaseModel):
    """A narrative and its name."""

    source: str
    text: str


class OverlapResult(BaseModel):
    """The values of `Overlap.to_dict()`."""

    summary: str
    statements: list[StatementModel]
    unique: list[PassageModel]
    conflicts: list[ConflictModel]
    narratives: list[NarrativeModel] = Field(min_length=_MIN_NARRATIVES, max_length=_MAX_NARRATIVES)
    at_least: int = Field(ge=2)
    signature: str
    # Results of earlier versions have none of these.
    strictness: Probability = 0.5
    less_likely: list[StatementModel] = []
    readings: list[list[ReadingModel]] = []

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.readings and len(self.readings) != len(self.narratives):
            raise ValueError("every text needs its readings")
        spans, values = set(self._spans()), list(self._values())
        for narrative, start, end in (*spans, *values):
            if narrative >= len(self.narratives):
                raise ValueError(f"there is no text {narrative}")
            if not start <= end <= len(self.narratives[narrative].text):
                raise ValueError(f"{start} to {end} is outside the text")
        for read in self.readings:
            if any(before.end > after.start for before, after in pairwise(read)):
                raise ValueError("the sentences of a text must be in order")
        if _crossings((*spans, *values)) > _MAX_CROSSINGS:
            raise ValueError("too many passages overlap each other")
        return self

    def _values(self) -> Iterator[tuple[int, int, int]]:
        """Yield narrative, start and end of the disputed values."""
        for conflict in self.conflicts:
            for side in conflict.sides:
                yield side.narrative, side.value_start, side.value_end

    def _spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield narrative, start and end of all else that the page marks."""
        statements = (*self.statements, *self.less_likely)
        spans: list[SpanModel] = [
            *self.unique,
            *(passage for statement in statements for passage in statement.evidence),
            *(side for conflict in self.conflicts for side in conflict.sides),
        ]
        for span in spans:
            yield span.narrative, span.start, span.end
        for narrative, read in enumerate(self.readings):
            for sentence in read:
                yield narrative, sentence.start, sentence.end
                for other in sentence.against:
                    yield (other.narrative, *(other.evidence or (0, 0)))


def _crossings(spans: Iterable[tuple[int, int, int]]) -> int:
    """Return how many other spans are open where a span ends, summed over all spans.

    Each of them may be closed and opened again there, so the page grows with this.
    """
    # In order of place; what ends somewhere ends before the next begins.
    edges = sorted(edge for n, start, end in spans for edge in ((n, start, 1), (n, end, 0)))
    crossings = opened = 0
    for _, _, begins in edges:
        opened += 1 if begins else -1
        crossings += 0 if begins else max(0, opened)
    return crossings


class Comparison(Result):
    """A result with its settings, as it is saved and exported.

    `shown_at` is where the reader left the slider; the result keeps its own strictness.
    """

    result: OverlapResult
    max_sentences: Sentences = 3
    shown_at: Probability | None = None

    @property
    def html(self) -> str:
        """The result as HTML."""
        return overlap_body(self.result.model_dump(), self.shown_at)

    @property
    def page(self) -> str:
        """The result as one self-contained HTML file."""
        return overlap_page(self.result.model_dump(), shown_at=self.shown_at)

    @property
    def title(self) -> str:
        """The names of the narratives and the start of what they share."""
        names = [row.source for row in self.result.narratives if row.source.strip()]
        return one_line(", ".join(names), self.result.summary or self.result.narratives[0].text)


PAGE = ResultPage(
    router,
    "compare",
    "Comparison",
    Comparison,
    most_sentences=_MAX_SENTENCES,
    usual_sentences=_DEFAULT_SENTENCES,
    scripts=OVERLAP_SCRIPTS,
)


@router.post("/api/compare", status_code=202)
def compare(request: CompareRequest, submit: Submit) -> Accepted:
    """Compare narratives; the result is `{"result", "html", "notices"}`."""
    return submit("compare", request.model_dump())


@router.post("/api/compare/page", response_class=HTMLResponse)
def standalone_page(comparison: Comparison) -> Response:
    """Return a result as one self-contained HTML file."""
    headers = {"Content-Disposition": 'attachment; filename="common-ground.html"'}
    return HTMLResponse(comparison.page, headers=headers)
