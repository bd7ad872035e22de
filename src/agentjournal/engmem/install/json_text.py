"""JSON as text: where each member stands, so that one is put in or taken out and no other byte moves.

A container that we filled is told apart by its form: in one that stood empty our member follows the
bracket at once, in one that we made it stands on a line of its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Node", "appended", "parsed", "removed", "replaced"]

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[-+.\w]+")
DEPTH = 64


@dataclass(frozen=True, kw_only=True)
class Node:
    """A value, the span of its text, and what stands inside it."""

    value: object
    start: int
    end: int
    members: tuple[tuple[str, int, Node], ...] = ()  # key ("" in a list), where the member begins

    def member(self, key: str) -> Node | None:
        """Give the value under a key."""
        return next((node for name, _, node in self.members if name == key), None)


def parsed(text: str) -> Node:
    """Read a JSON text into its nodes.

    Raises:
        InputError: it is not JSON, is nested too deeply, or holds a key twice.
    """
    try:
        json.loads(text)
        return _node(text, _blank(text, 0), DEPTH)
    except (ValueError, RecursionError) as error:
        raise InputError(f"it is not valid JSON ({error})") from error


def appended(text: str, container: Node, item: str) -> str:
    """Put a member (rendered with two blanks a level, beginning at level 0) last into a container."""
    if not container.members:  # ours follows the bracket at once
        return _cut(text, container.start + 1, container.start + 1, _one_line(item))
    begin, last = container.members[-1][1], container.members[-1][2]
    indent = re.search(r"(\r\n|\n|\r)([ \t]*)\Z", text[container.start + 1 : begin])
    if indent is None:
        return _cut(text, last.end, last.end, f", {_one_line(item)}")
    line = indent.group(1) + indent.group(2)
    return _cut(text, last.end, last.end, "," + line + item.replace("\n", line))


def removed(text: str, path: tuple[Node, ...], place: int) -> str | None:
    """Take out one member of the last container on the path, with the containers made for it.

    None says that nothing is left: the whole text was ours.
    """
    container = path[-1]
    _, begin, node = container.members[place]
    if len(container.members) > 1:
        if place:
            return _cut(text, container.members[place - 1][2].end, node.end, "")
        return _cut(text, begin, container.members[1][1], "")
    if text[container.start + 1 : begin] == "":
        return _cut(text, begin, node.end, "")
    if len(path) == 1:
        return None
    return removed(text, path[:-1], _place(path[-2], container))


def replaced(text: str, node: Node, value: str) -> str:
    """Put another value in a node's place."""
    return _cut(text, node.start, node.end, value)


def _place(container: Node, inner: Node) -> int:
    return next(i for i, (_, _, node) in enumerate(container.members) if node is inner)


def _one_line(item: str) -> str:
    return re.sub(r"\n *", " ", item)


def _cut(text: str, start: int, end: int, between: str) -> str:
    return text[:start] + between + text[end:]


def _blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _node(text: str, place: int, depth: int) -> Node:
    """Read the value that begins here; the text is known to be JSON."""
    if depth == 0:
        raise ValueError("nested too deeply")
    if text[place] in "{[":
        members = tuple(_members(text, place, depth))
        end = _blank(text, members[-1][2].end if members else place + 1) + 1
        return Node(value=json.loads(text[place:end]), start=place, end=end, members=members)
    found = (_STRING if text[place] == '"' else _WORD).match(text, place)
    if found is None:
        raise ValueError(f"no value at {place}")
    return Node(value=json.loads(found.group()), start=place, end=found.end())


def _members(text: str, place: int, depth: int) -> Iterator[tuple[str, int, Node]]:
    is_object, seen = text[place] == "{", set[str]()
    here = _blank(text, place + 1)
    while text[here] not in "}]":
        begin, key = here, ""
        if is_object:
            name = _node(text, here, depth)
            key = str(name.value)
            if key in seen:
                raise ValueError(f"the key {key!r} stands twice")
            seen.add(key)
            here = _blank(text, _blank(text, name.end) + 1)
        node = _node(text, here, depth - 1)
        yield key, begin, node
        here = _blank(text, node.end)
        if text[here] == ",":
            here = _blank(text, here + 1)
