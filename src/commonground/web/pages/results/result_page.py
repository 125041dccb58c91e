"""Pages that show a result: a worked example, or one saved under a link."""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from commonground.database import Saved
from commonground.web.context import DATA, page

_TITLE_LENGTH: Final = 90


class Notice(BaseModel):
    """A line above a result: what may be wrong with its texts."""

    message: str = Field(max_length=2_000)


class Result(BaseModel):
    """A result as it is saved; its computed fields are saved too."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its line in the owner's list."""


T = TypeVar("T", bound=Result)


class ResultPage(Generic[T]):
    """Adds the routes `/{name}` and `/api/{name}/example`, and shows saved results.

    Args:
        router: Where to add the routes; None for results that another page makes.
        name: The name of the page, its template and its example.
        kind: The name of its results in the list of saved results.
        model: The type of its results, which checks them before they are saved.
        shown: The model of what the template needs of a saved result (default: `model`). Anyone
            with a link can request it often, so validating it must compute nothing.
        values: More values for the template, which also gets `result`, `source` (the address of
            the result's data), `example` (whether it is the worked example) and, for a saved
            result, `saved` and `files`.
    """

    def __init__(
        self,
        router: APIRouter | None,
        name: str,
        kind: str,
        model: type[T],
        *,
        shown: type[BaseModel] | None = None,
        **values: Any,
    ) -> None:
        self.name, self.kind, self.model = name, kind, model
        self._shown = shown or model
        self._values = values
        if router:
            router.add_api_route(f"/{name}", self._start, include_in_schema=False)
            router.add_api_route(f"/api/{name}/example", self.example, response_model=model)

    def example(self) -> T:
        """Return the worked example."""
        return self._example

    @cached_property
    def _example(self) -> T:
        text = (DATA / f"{self.name}_example.json").read_text("utf-8")
        return self.model.model_validate_json(text)

    def saved(self, request: Request, saved: Saved, files: Mapping[str, str]) -> Response:
        """Show a saved result; `files` are the buttons' labels of its files, by name."""
        result = self._shown.model_validate(saved.data)
        source = f"/saved/{saved.link}/data"
        return self._page(request, result, source, saved=saved, files=files)

    def _start(self, request: Request) -> Response:
        source = f"/api/{self.name}/example"
        return self._page(request, self.example(), source, is_example=True)

    def _page(
        self,
        request: Request,
        result: BaseModel,
        source: str,
        *,
        is_example: bool = False,
        **values: Any,
    ) -> Response:
        known: dict[str, Any] = {"result": result, "source": source, "example": is_example}
        return page(request, f"{self.name}.html", **self._values, **known, **values)


def one_line(name: str, text: str) -> str:
    """Return a title of a name and the start of a text, cut between words if it is long."""
    parts = (" ".join(part.split()) for part in (name, text))
    line = ": ".join(part for part in parts if part)
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH].rsplit(' ', 1)[0]} …"
