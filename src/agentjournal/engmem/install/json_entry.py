"""One entry of ours in a JSON settings file: put in, renewed, taken out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.install.json_text import Node, appended, parsed, removed, replaced
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["MARK", "entry_added", "entry_removed", "hook_added", "hook_removed", "object_of"]

MARK = "\ufeff"  # the byte order mark
HOOK = {"type": "command", "command": "engmem draft status --hook", "timeout": 10}
_HOOK_AT = ("hooks", "SessionStart")


@dataclass(frozen=True)
class _Text:
    """A settings file's text beside its byte order mark."""

    mark: str
    body: str

    def encoded(self, body: str) -> bytes:
        return (self.mark + body).encode()


def entry_added(
    data: bytes | None, entry: Mapping[str, object], is_ours: Callable[[object], bool]
) -> bytes:
    """Put `mcpServers.engmem` in, or renew it where it is ours; further keys of it stay.

    Raises:
        InputError: the file is no JSON object, its servers are none, or the entry is not ours.
    """
    if data is None:
        return _written({"mcpServers": {"engmem": dict(entry)}})
    text, top = _read(data)
    servers = _container(top, "mcpServers", dict)
    if servers is None:
        return text.encoded(_put(text, top, "mcpServers", {"engmem": dict(entry)}))
    there = servers.member("engmem")
    if there is None:
        return text.encoded(_put(text, servers, "engmem", dict(entry)))
    if not (isinstance(there.value, dict) and is_ours(there.value)):
        raise InputError("its mcpServers.engmem is not an entry that engmem wrote")
    renewed = {**there.value, **entry}
    if renewed == there.value:
        return data
    return text.encoded(replaced(text.body, there, json.dumps(renewed)))


def entry_removed(data: bytes, is_ours: Callable[[object], bool]) -> bytes | None:
    """Take `mcpServers.engmem` out where it is ours; None: the whole file was.

    Raises:
        InputError: the file is no JSON object.
    """
    text, top = _read(data)
    servers = _container(top, "mcpServers", dict)
    if servers is None:
        return data
    found = [
        i
        for i, (key, _, node) in enumerate(servers.members)
        if key == "engmem" and is_ours(node.value)
    ]
    return _without(text, (top, servers), found[0]) if found else data


def hook_added(data: bytes | None) -> bytes:
    """Put our hook into `hooks.SessionStart`, once.

    Raises:
        InputError: the file is no JSON object, or its hooks have another shape.
    """
    group = {"hooks": [HOOK]}
    if data is None:
        return _written({"hooks": {"SessionStart": [group]}})
    text, top = _read(data)
    hooks = _container(top, "hooks", dict)
    if hooks is None:
        return text.encoded(_put(text, top, "hooks", {"SessionStart": [group]}))
    starts = _container(hooks, "SessionStart", list)
    if starts is None:
        return text.encoded(_put(text, hooks, "SessionStart", [group]))
    if _hook_places(starts):
        return data
    return text.encoded(_put(text, starts, None, group))


def hook_removed(data: bytes) -> bytes | None:
    """Take our hook out of `hooks.SessionStart`, however often it stands; None: the file was ours.

    Raises:
        InputError: the file is no JSON object, or its hooks have another shape.
    """
    text, top = _read(data)
    hooks = _container(top, "hooks", dict)
    starts = _container(hooks, "SessionStart", list) if hooks else None
    if hooks is None or starts is None:
        return data
    places = _hook_places(starts)
    if not places:
        return data
    left = _without_hook(text, (top, hooks, starts), *places[0])
    return None if left is None else hook_removed(left)


def _without_hook(
    text: _Text, path: tuple[Node, Node, Node], group: Node, place: int
) -> bytes | None:
    listed = group.member("hooks")
    if listed is not None and len(listed.members) > 1:  # the user added hooks beside ours
        return _without(text, (*path, group, listed), place)
    index = next(i for i, (_, _, node) in enumerate(path[-1].members) if node is group)
    return _without(text, path, index)


def object_of(data: bytes) -> Mapping[str, object]:
    """Read a settings file's object.

    Raises:
        InputError: it is none.
    """
    value = _read(data)[1].value
    return value if isinstance(value, dict) else {}


def _hook_places(starts: Node) -> list[tuple[Node, int]]:
    """Find our hook: its group, and its place there."""
    found = []
    for _, _, group in starts.members:
        listed = _container(group, "hooks", list) if isinstance(group.value, dict) else None
        if listed is None:
            raise InputError("its hooks.SessionStart holds an entry without hooks")
        for place, (_, _, hook) in enumerate(listed.members):
            if isinstance(hook.value, dict) and hook.value.get("command") == HOOK["command"]:
                found.append((group, place))
    return found


def _read(data: bytes) -> tuple[_Text, Node]:
    try:
        whole = data.decode()
    except UnicodeDecodeError as error:
        raise InputError("it is not UTF-8") from error
    mark = MARK if whole.startswith(MARK) else ""
    text = _Text(mark, whole[len(mark) :])
    top = parsed(text.body)
    if not isinstance(top.value, dict):
        raise InputError("it does not hold a JSON object")
    return text, top


def _container(node: Node, key: str, kind: type) -> Node | None:
    found = node.member(key)
    if found is not None and not isinstance(found.value, kind):
        raise InputError(f"its {key} is not {'an object' if kind is dict else 'a list'}")
    return found


def _put(text: _Text, container: Node, key: str | None, value: object) -> str:
    item = json.dumps(value, indent=2)
    named = item if key is None else f"{json.dumps(key)}: {item}"
    return appended(text.body, container, named)


def _without(text: _Text, path: Sequence[Node], place: int) -> bytes | None:
    body = removed(text.body, tuple(path), place)
    return None if body is None else text.encoded(body)


def _written(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
