"""The tools that a loop may use in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.agentloop.jail import Jail
from agentjournal.agentloop.registry import Registry, Tool
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["reading_tools", "writing_tools"]


def reading_tools(root: Path) -> list[Tool]:
    """Give the tools that only look: `read_file` and `list_dir`."""
    jail = Jail(root)
    return [
        Tool(
            name="read_file",
            description="Read a text file of the project. The path is relative to its folder.",
            parameters=_schema(required=("path",), path="The file, like src/main.py."),
            run=lambda given: jail.read(_text(given, "path")),
        ),
        Tool(
            name="list_dir",
            description="List a folder of the project; folders end with a slash.",
            parameters=_schema(required=(), path="The folder; empty for the project's own."),
            run=lambda given: jail.names(_text(given, "path", "")),
        ),
    ]


def writing_tools(root: Path) -> Registry:
    """Give the reading tools and `write_file`."""
    jail = Jail(root)
    write = Tool(
        name="write_file",
        description="Write a text file of the project whole, replacing what was there.",
        parameters=_schema(
            required=("path", "content"),
            path="The file, like src/main.py.",
            content="Its whole text.",
        ),
        run=lambda given: jail.write(_text(given, "path"), _text(given, "content")),
    )
    return Registry([*reading_tools(root), write])


def _schema(*, required: tuple[str, ...], **about: str) -> Mapping[str, object]:
    properties = {name: {"type": "string", "description": text} for name, text in about.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _text(given: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text.", next=f"Give {name}.")
    return value
