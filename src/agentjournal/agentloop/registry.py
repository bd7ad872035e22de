"""The tools of a loop, in an order that never changes: another order would be another prefix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Registry", "Tool"]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool: what the model reads of it, and what runs. `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object]], str]

    def body(self) -> dict[str, object]:
        """Give its definition as it is sent."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}


class Registry:
    """Tools by name, in the order in which they were given.

    Raises:
        InputError: a name is empty or given twice.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if not tool.name or tool.name in self._tools:
                raise InputError(
                    f"A tool's name must be there and its own: {tool.name!r}.",
                    next="Give each tool a name of its own.",
                )
            self._tools[tool.name] = tool

    def definitions(self) -> list[dict[str, object]] | None:
        """Give every definition in order; None where there is no tool."""
        return [tool.body() for tool in self._tools.values()] or None

    def tools(self) -> list[Tool]:
        """Give every tool in order."""
        return list(self._tools.values())

    def tool(self, name: str) -> Tool:
        """Give the tool of that name.

        Raises:
            NotFoundError: there is none.
        """
        if name not in self._tools:
            raise NotFoundError(
                f"There is no tool {name!r}.",
                next=f"Use one of: {', '.join(self._tools) or 'none'}.",
            )
        return self._tools[name]
