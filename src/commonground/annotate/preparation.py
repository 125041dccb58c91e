"""Work out the items of a project before anything is stored."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from commonground.annotate.checks import NO_TEXT
from commonground.annotate.protocols import Protocol, protocol_of, units_of
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.text import sentences


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """What annotators see of an event, without references that the protocol hides.

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
    """An item; `event` is an index into the events, `units` the number of labels."""

    event: int
    system: str
    summary: list[str]
    units: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A project without a name, as plain values that can come from another process."""

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
    """Check the data and split it into sentences, which is the slow part of making a project.

    Args:
        protocol: One of `PROTOCOLS`.
        events: The data set. If the protocol judges outputs, events without any are skipped.
        predictions: The outputs; ignored by the protocol `overlap`.
        progress: Called with the number of prepared events and their total, once the outputs
            are read.

    Raises:
        InputError: Data that the protocol shows is missing, or an output has no event.
    """
    rules = protocol_of(protocol)
    outputs = _outputs(rules, events, predictions)
    _check(rules, outputs)
    shown = {output.event.id: output.event for output in outputs}
    ready: dict[str, PreparedEvent] = {}
    for event in shown.values():
        ready[event.id] = _event(event, rules)
        if progress:
            progress(len(ready), len(shown))
    indices = {name: index for index, name in enumerate(ready)}
    items = []
    for output in outputs:
        name, summary = output.event.id, output.summary
        units = units_of(protocol, summary, ready[name].references)
        items.append(PreparedItem(indices[name], output.system, summary, len(units)))
    return Prepared(protocol, list(ready.values()), items)


@dataclass(frozen=True, slots=True)
class _Output:
    event: Event
    system: str
    summary: list[str]


def _outputs(
    rules: Protocol, events: Mapping[str, Event], predictions: Iterable[Prediction]
) -> list[_Output]:
    if not events:
        raise InputError("the data set has no events")
    if not rules.outputs:
        return [_Output(event, "", []) for event in events.values()]
    by_event: dict[str, list[_Output]] = {name: [] for name in events}
    for row in predictions:
        if row.id not in events:
            raise InputError(f"outputs, line {row.line}: id {row.id!r} is not in the data set")
        output = _Output(events[row.id], row.system.strip(), sentences(row.summary))
        by_event[row.id].append(output)
    outputs = [output for group in by_event.values() for output in group]
    if not outputs:
        raise InputError(f"the protocol {rules.name!r} needs outputs, and there are none")
    return outputs


def _check(rules: Protocol, outputs: list[_Output]) -> None:
    # Label files strip the blanks around ids and systems.
    seen: set[tuple[str, str]] = set()
    for output in outputs:
        where, key = f"id {output.event.id!r}", (output.event.id.strip(), output.system)
        if key in seen:
            by = f" by {output.system!r}" if output.system else ""
            raise InputError(f"{where}{by} appears twice (ignoring blanks)")
        seen.add(key)
        if rules.narratives and not output.event.narratives:
            raise InputError(f"{where} has no narratives, which {rules.name!r} needs")
        if rules.references and not output.event.references:
            raise InputError(f"{where} has no references, which {rules.name!r} needs")
        narratives = (text for row in output.event.narratives for text in (row.source, row.text))
        if any(map(NO_TEXT.search, (*key, *output.summary, *output.event.references, *narratives))):
            raise InputError(f"{where} has invalid characters (NUL or half a surrogate pair)")


def _event(event: Event, rules: Protocol) -> PreparedEvent:
    if rules.references:
        return PreparedEvent(event.id.strip(), [], [sentences(text) for text in event.references])
    return PreparedEvent(event.id.strip(), [(row.source, row.text) for row in event.narratives], [])
