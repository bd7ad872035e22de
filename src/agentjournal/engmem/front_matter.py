"""The YAML block that may open a document, read within limits and as text."""

from __future__ import annotations

import re

import yaml

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FrontMatter", "Refusal", "read_fields", "read_front_matter"]

BYTES = 16 * 1024
DEPTH = 8

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = re.compile(r"^[^\S\n]*---[^\S\n]*$", re.MULTILINE)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@frozen
class FrontMatter:
    """The stated fields, each a text or made of texts, and what follows the block."""

    fields: Mapping[str, object]
    body: str


@frozen
class Refusal:
    """Why a document cannot be read."""

    reason: str


class _Refused(Exception):  # noqa: N818 - never leaves this module
    """The block breaks a limit or is no mapping; the message is the reason."""


def read_front_matter(text: str) -> FrontMatter | Refusal:
    """Read the block between two `---` lines; a text that does not begin with one has no fields.

    At most 16 KiB and 8 levels, no anchors or aliases: nothing in it can grow or run. Scalars stay
    as they are written; a key without a value states nothing.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return FrontMatter({}, text.strip("\n"))
    closing = _FENCE.search(text, opening.end() + 1)
    if closing is None:
        return Refusal("the front matter that line 1 opens is never closed")
    block, body = text[opening.end() + 1 : closing.start()], text[closing.end() :].strip("\n")
    fields = read_fields(block)
    return fields if isinstance(fields, Refusal) else FrontMatter(fields, body)


def read_fields(
    block: str, *, what: str = "the front matter", first: int = 2
) -> dict[str, object] | Refusal:
    """Read YAML within those limits; a refusal calls it `what` and counts lines from `first`."""
    if len(block) > BYTES or len(block.encode()) > BYTES:
        return Refusal(f"{what} has more than {BYTES // 1024} KiB")
    try:
        read = _document(yaml.parse(block, Loader=_LOADER))
    except _Refused as refused:
        return Refusal(f"{what} {refused}")
    except Exception as error:  # noqa: BLE001 - YAML raises more than its own errors; one file fails
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + first}" if mark else ""
        return Refusal(f"{what} is no YAML{where}")
    if read is None:
        return {}
    if not isinstance(read, dict):
        return Refusal(f"{what} holds no fields")
    return {name: value for name, value in read.items() if value is not None}


def _document(events: Iterator[yaml.Event]) -> object:
    """Build the one document of a stream; none at all is None."""
    read: object = None
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        elif isinstance(event, yaml.NodeEvent):
            read = _value(events, event, 1)
    if documents > 1:
        raise _Refused("holds more than one document")
    return read


def _value(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> object:
    """Build the value that an event begins: texts, lists and mappings only, None for a null."""
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise _Refused("uses an anchor or alias")
    if isinstance(event, yaml.ScalarEvent):
        return None if event.implicit[0] and event.value in _NULLS else event.value
    if depth > DEPTH:
        raise _Refused(f"is nested more than {DEPTH} deep")
    return _collection(events, event, depth)


def _collection(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> object:
    items: list[object] = []
    while not isinstance(each := next(events), yaml.CollectionEndEvent):
        items.append(_value(events, each, depth + 1))
    if isinstance(event, yaml.SequenceStartEvent):
        return items
    names = items[::2]
    if not all(isinstance(name, str | None) for name in names):
        raise _Refused("is no YAML: a key is no text")
    return {str(name or ""): value for name, value in zip(names, items[1::2], strict=True)}
