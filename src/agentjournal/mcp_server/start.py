"""Starts the server on a store, in the world of this process."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from agentjournal.mcp_server.prompts import all_prompts
from agentjournal.mcp_server.serve import serve
from agentjournal.mcp_server.server import Surface
from agentjournal.mcp_server.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agentjournal.compose.world import World
    from agentjournal.mcp_server.memory import Memory

__all__ = ["start"]


def start(
    root: Path, cache_dir: Path, world: World, wire: tuple[int, int], *, is_read_only: bool
) -> None:
    """Serve the store until the client is gone.

    What reads and writes documents is loaded after the handshake, which never waits for it.
    """

    @cache
    def memory() -> Memory:
        from agentjournal.mcp_server.memory import Memory

        return Memory(root, cache_dir, world, is_read_only=is_read_only)

    surface = Surface(
        calls={tool.name: _later(memory, tool.name) for tool in TOOLS},
        prompts=all_prompts(lambda: memory().mode_line()),
        version=version("agent-journal"),
        is_read_only=is_read_only,
        warm=lambda: memory().warm(),
    )
    serve(surface, *wire)


def _later(memory: Callable[[], Memory], name: str) -> Callable[[Mapping[str, Any]], str]:
    def call(given: Mapping[str, Any]) -> str:
        return memory().calls()[name](given)

    return call
