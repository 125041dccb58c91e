"""Pages that show a result: a worked example, or one saved under a link."""

from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from commonground.web.context import page

T = TypeVar("T", bound=BaseModel)

DATA = Path(__file__).parents[1] / "data"


class ResultPage(Generic[T]):
    """Adds the routes `/{name}` and `/api/{name}/example`, and shows saved results.

    Args:
        router: Where to add the routes.
        name: The name of the page, its template and its example.
        model: The type of its results.
        values: More values for the template, which also gets `result`, `source` (the address of
            the result's data) and `example` (whether it is the worked example).
    """

    def __init__(self, router: APIRouter, name: str, model: type[T], **values: Any) -> None:
        self._name = name
        self._model = model
        self._values = values
        router.add_api_route(f"/{name}", self._start, include_in_schema=False)
        router.add_api_route(f"/api/{name}/example", self.example, response_model=model)

    def example(self) -> T:
        """Return the worked example."""
        return self._example

    @cached_property
    def _example(self) -> T:
        text = (DATA / f"{self._name}_example.json").read_text("utf-8")
        return self._model.model_validate_json(text)

    def saved(self, request: Request, result: BaseModel, link: str) -> Response:
        """Show a saved result; it may be of a model with fewer fields."""
        return self._page(request, result, f"/kept/{link}/data")

    def _start(self, request: Request) -> Response:
        source = f"/api/{self._name}/example"
        return self._page(request, self.example(), source, is_example=True)

    def _page(
        self, request: Request, result: BaseModel, source: str, *, is_example: bool = False
    ) -> Response:
        values = {"result": result, "source": source, "example": is_example, **self._values}
        return page(request, f"{self._name}.html", **values)
