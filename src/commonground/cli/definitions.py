"""The definitions of an overlap that `commonground overlap` knows, and the options of each."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from commonground import encoders
from commonground.cli.data_set import Result
from commonground.cli.terminal import note
from commonground.errors import InputError
from commonground.io import Narrative, read_text
from commonground.score import Signature
from commonground.settings import setting

METHODS = ("statements", "words", "topics", "facets", "graph")

_MODELS = "models that write"
_TAKEN_BY = {
    "at_least": ("statements", "facets"),
    "max_sentences": ("statements",),
    "strictness": ("statements",),
    "knowledge": ("statements",),
    "encoder": ("statements", "facets", "graph", _MODELS),
    "ngrams": ("words",),
    "drop_stop_words": ("words",),
    "stem": ("words",),
    "topics": ("topics",),
}
_NGRAMS = re.compile(r"(\d+)(?:-(\d+))?$")
_LONGEST = 20  # words of an n-gram


class _Finder(Protocol):
    """What finds overlaps by one definition."""

    def find(self, narratives: Sequence[Narrative], /) -> Result: ...

    def signature(self, narratives: int, /) -> Signature: ...


@dataclass(frozen=True, slots=True)
class Method:
    """A definition with its settings: called with narratives, it finds their overlap.

    Attributes:
        find: What does so.
        signature: That of a result for so many narratives.
    """

    find: Callable[[Sequence[Narrative]], Result]
    signature: Callable[[int], Signature]

    def __call__(self, narratives: Sequence[Narrative]) -> Result:
        """The overlap of two or more narratives."""
        return self.find(narratives)


@dataclass(frozen=True, slots=True)
class Settings:
    """What these methods take; None or False where nothing was said."""

    at_least: int | None = None
    max_sentences: int | None = None
    knowledge: Path | None = None
    encoder: str | None = None
    ngrams: str | None = None
    drop_stop_words: bool = False
    stem: bool = False
    topics: int | None = None
    strictness: float | None = None

    def check(self, method: str, writes: bool) -> None:
        """Complain of an option that the method does not take, or of a value that is none."""
        who = _MODELS if writes else method
        for field in fields(self):
            taken_by = _TAKEN_BY[field.name]
            given = getattr(self, field.name)
            if given is not None and given is not False and who not in taken_by:
                raise InputError(f"{_flag(field.name)} goes with {_listed(taken_by)}")
        for name, least in (("at_least", 2), ("max_sentences", 1), ("topics", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"{_flag(name)} must be {least} or more, not {value}")
        if self.strictness is not None and not 0 <= self.strictness <= 1:
            raise InputError(f"--strictness must be from 0 to 1, not {self.strictness}")
        self.sizes()

    def check_count(self, narratives: int) -> None:
        """Complain of too few narratives."""
        if narratives < 2:
            raise InputError(f"an overlap needs at least two narratives, got {narratives}")
        if self.at_least is not None and self.at_least > narratives:
            raise InputError(f"--at-least {self.at_least}: there are only {narratives} narratives")

    def sizes(self) -> tuple[int, ...]:
        """The lengths of n-grams: "2", "1-3" or "1,3" spelt out."""
        found: set[int] = set()
        for part in (self.ngrams if self.ngrams is not None else "1-3").split(","):
            match = _NGRAMS.match(part.strip())
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 1 <= first <= last <= _LONGEST:
                raise InputError(
                    f'--ngrams must be lengths from 1 to {_LONGEST} such as "2", "1-3" or "1,3", '
                    f"not {self.ngrams!r}"
                )
            found.update(range(first, last + 1))
        return tuple(sorted(found))

    @property
    def vectors(self) -> str:
        """The name of the encoder: by flag, by setting, or the default."""
        return self.encoder or setting("encoder") or encoders.DEFAULT


def opened(name: str, settings: Settings, *, quiet: bool = False) -> Method:
    """What does the work; modules are imported on demand, since they are slow to.

    Args:
        name: Of the definition.
        settings: What it takes.
        quiet: Whether to leave remarks on them to another process.
    """
    if name == "statements":
        return _statements(settings, quiet)
    finder: _Finder
    if name == "words":
        from commonground.narratives.definitions import WordOverlaps

        drop, stem = settings.drop_stop_words, settings.stem
        finder = WordOverlaps(n=settings.sizes(), drop_stop_words=drop, stem=stem)
    elif name == "topics":
        from commonground.narratives.definitions import TopicOverlaps

        finder = TopicOverlaps(topics=settings.topics)
    elif name == "facets":
        from commonground.narratives.definitions import FacetOverlaps

        finder = FacetOverlaps(at_least=settings.at_least, encoder=settings.vectors)
    else:
        from commonground.narratives.definitions import GraphOverlaps

        finder = GraphOverlaps(encoder=settings.vectors)
    return Method(finder.find, finder.signature)


def signature(work: Method, narratives: int) -> str:
    """The signature of results for so many narratives."""
    return str(work.signature(narratives))


def _statements(settings: Settings, quiet: bool) -> Method:
    from commonground.narratives import STRICTNESS, Overlaps

    known = _known(settings.knowledge, quiet)
    finder = Overlaps(
        encoders.load(settings.vectors),  # type: ignore[arg-type]  # which it checks
        at_least=settings.at_least,
        max_sentences=settings.max_sentences,
        strictness=STRICTNESS if settings.strictness is None else settings.strictness,
        knowledge=known,
    )
    return Method(finder.find, finder.signature)


def _known(path: Path | None, quiet: bool) -> Any:
    if path is None:
        return None
    from commonground.narratives import Knowledge

    found = Knowledge.of(read_text(path))
    for line in () if quiet else found.unused:
        note(f"{path}: bridges no wordings and is left aside: {line}")
    return found


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _listed(methods: Sequence[str]) -> str:
    names = [name for name in methods if name in METHODS]
    others = [name for name in methods if name not in METHODS]
    parts = [f"--method {name}" for name in names] + others
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
