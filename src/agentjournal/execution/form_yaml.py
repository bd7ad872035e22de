"""A strict reader for the YAML of forms: texts, whole numbers, lists and objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from agentjournal.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "read_yaml",
]

MAX_DEPTH = 8
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,15})", re.ASCII)
_REMEDY = "Quote texts that hold `: ` or begin with a special character, or write JSON."


def read_yaml(text: str) -> object:
    """Read one YAML document; dates, `yes`, `2.1` and the like stay the text that they are.

    No anchors, aliases, tags or duplicate keys, at most 8 levels: nothing in it can grow or run.

    Raises:
        InputError: with the line of the first thing that is refused.
    """
    try:
        events = yaml.parse(text, Loader=_LOADER)
        read = [_node(events, event, 1) for event in _content(events)]
    except (yaml.YAMLError, ValueError) as error:
        problem = getattr(error, "problem", None) or "characters that YAML forbids"
        raise _refused(getattr(error, "problem_mark", None), str(problem)) from error
    if len(read) > 1:
        raise _refused(None, f"{len(read)} documents")
    return read[0] if read else None


def _content(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """Leave out the events that only frame the documents."""
    frame = (
        yaml.StreamStartEvent,
        yaml.StreamEndEvent,
        yaml.DocumentStartEvent,
        yaml.DocumentEndEvent,
    )
    return (event for event in events if not isinstance(event, frame))


def _node(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> object:
    _check(event, depth)
    match event:
        case yaml.ScalarEvent():
            return _scalar(event)
        case yaml.SequenceStartEvent():
            return [
                _node(events, item, depth + 1) for item in _until(events, yaml.SequenceEndEvent)
            ]
        case _:
            return _mapping(events, depth)


def _mapping(events: Iterator[yaml.Event], depth: int) -> dict[str, object]:
    read: dict[str, object] = {}
    for key in _until(events, yaml.MappingEndEvent):
        _check(key, depth)
        if not isinstance(key, yaml.ScalarEvent):
            raise _refused(key.start_mark, "a key that is no text")
        if key.value in read:
            raise _refused(key.start_mark, f"the key {key.value[:40]!a} twice")
        read[key.value] = _node(events, next(events), depth + 1)
    return read


def _until(events: Iterator[yaml.Event], end: type[yaml.Event]) -> Iterator[yaml.Event]:
    return iter(lambda: _next(events, end), None)


def _next(events: Iterator[yaml.Event], end: type[yaml.Event]) -> yaml.Event | None:
    event = next(events)
    return None if isinstance(event, end) else event


def _scalar(event: yaml.ScalarEvent) -> str | int | None:
    if event.style or not event.implicit[0]:
        return str(event.value)
    if event.value in {"", "~", "null"}:
        return None
    return int(event.value) if _WHOLE.fullmatch(event.value) else str(event.value)


def _check(event: yaml.Event, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _refused(event.start_mark, f"more than {MAX_DEPTH} levels")
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise _refused(event.start_mark, "an anchor or alias")
    if getattr(event, "tag", None):
        raise _refused(event.start_mark, "a tag")


def _refused(mark: object, what: str) -> InputError:
    line = getattr(mark, "line", None)  # two classes of marks, and none at times
    where = "(whole form)" if line is None else f"line {line + 1}"
    fault = Fault(field=where, rule="is plain YAML", got=what, remedy=_REMEDY)
    return InputError("This is no YAML that can be read; nothing was stored.", faults=(fault,))
