"""Texts with names, as the Score and the Pyramid page take them in."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field


class NamedText(BaseModel):
    """A text and what to call it."""

    name: str = Field(max_length=200)
    text: str


def _sound(most: int, *, empty: bool = False) -> AfterValidator:
    def check(one: NamedText) -> NamedText:
        name = one.name or "a text"
        # Nothing but punctuation has no sentence to go by.
        if not empty and not any(map(str.isalnum, one.text)):
            raise ValueError(f"{name} has no text")
        if len(one.text) > most:
            raise ValueError(f"{name} has {len(one.text):,} letters; {most:,} are the most")
        return one

    return AfterValidator(check)


Narrative = Annotated[NamedText, _sound(100_000)]
"""A text of any kind."""

Essay = Annotated[NamedText, _sound(20_000)]
"""What a pyramid is built from: the work grows fast with the length."""

Answer = Annotated[NamedText, _sound(20_000, empty=True)]
"""What a student handed in, which may be nothing."""
