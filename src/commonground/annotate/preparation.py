"""What a project shows and asks, worked out before anything is stored."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from commonground.annotate.checks import NO_TEXT
from commonground.annotate.protocols import Protocol, protocol_of, units_of
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.text import sentences


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """What annotators see of an event: where the references stay hidden, they are not there.

    Attributes:
        name: The event's id.
        narratives: Source and text of each.
        references: The sentences of each.
    """

    name: str
    narratives: list[tuple[str, str]]
    references: list[list[str]]


@dataclass(frozen=True, slots=True)
class PreparedItem:
    """One thing to label; `event` is its place among the events, `units` how many labels it has."""

    event: int
    system: str
    summary: list[str]
    units: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A project without a name; all of it is plain, so that it can come from another process."""

    protocol: str
    events: list[PreparedEvent]
    items: list[PreparedItem]


def prepare(
    protocol: str,
    events: Mapping[str, Event],
    predictions: Iterable[Prediction] = (),
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Prepared:
    """Choose, check and split; this is all of a project's work that takes long.

    Args:
        protocol: One of `PROTOCOLS`.
        events: The data set. With outputs, events without any are left out.
        predictions: The outputs, each split when it comes; the protocol `overlap` needs none.
        progress: Called with the number of events that are ready and of all, when the outputs
            are read.

    Raises:
        InputError: What the protocol shows is not there, or an output's event is not.
    """
    asked = protocol_of(protocol)
    items = _items(asked, events, predictions)
    _check(asked, items)
    shown = {item.event.id: item.event for item in items}
    ready: dict[str, PreparedEvent] = {}
    for event in shown.values():
        ready[event.id] = _event(event, asked)
        if progress:
            progress(len(ready), len(shown))
    places = {name: place for place, name in enumerate(ready)}
    return Prepared(
        asked.name,
        list(ready.values()),
        [_item(item, asked, places[item.event.id], ready[item.event.id]) for item in items],
    )


@dataclass(frozen=True, slots=True)
class _Output:
    event: Event
    system: str
    summary: list[str]


def _items(
    asked: Protocol, events: Mapping[str, Event], predictions: Iterable[Prediction]
) -> list[_Output]:
    if not events:
        raise InputError("the data set has no events")
    if not asked.outputs:
        return [_Output(event, "", []) for event in events.values()]
    by_event: dict[str, list[_Output]] = {id_: [] for id_ in events}
    for one in predictions:
        if one.id not in events:
            raise InputError(f"outputs, line {one.line}: id {one.id!r} is not in the data set")
        item = _Output(events[one.id], one.system.strip(), sentences(one.summary))
        by_event[one.id].append(item)
    items = [item for some in by_event.values() for item in some]
    if not items:
        raise InputError(f"the protocol {asked.name!r} needs outputs, and there are none")
    return items


def _check(asked: Protocol, items: list[_Output]) -> None:
    # Label files know ids and systems without the blanks around them.
    seen: set[tuple[str, str]] = set()
    for item in items:
        where, key = f"id {item.event.id!r}", (item.event.id.strip(), item.system)
        if key in seen:
            by = f" by {item.system!r}" if item.system else ""
            raise InputError(f"{where}{by} is there twice but for blanks")
        seen.add(key)
        if asked.narratives and not item.event.narratives:
            raise InputError(f"{where} has no narratives, which {asked.name!r} shows")
        if asked.references and not item.event.references:
            raise InputError(f"{where} has no references, which {asked.name!r} needs")
        narratives = (text for one in item.event.narratives for text in (one.source, one.text))
        texts = (*key, *item.summary, *item.event.references, *narratives)
        if any(map(NO_TEXT.search, texts)):
            raise InputError(f"{where} has characters that are no text (NUL or half a character)")


def _event(event: Event, asked: Protocol) -> PreparedEvent:
    if asked.references:
        return PreparedEvent(event.id.strip(), [], [sentences(text) for text in event.references])
    return PreparedEvent(event.id.strip(), [(one.source, one.text) for one in event.narratives], [])


def _item(item: _Output, asked: Protocol, place: int, event: PreparedEvent) -> PreparedItem:
    units = units_of(asked.name, item.summary, event.references)
    return PreparedItem(place, item.system, item.summary, len(units))
