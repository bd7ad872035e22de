"""Starts the server on a store, in the world of this process."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from agentjournal.mcp_server.memory import Memory
from agentjournal.mcp_server.prompts import all_prompts
from agentjournal.mcp_server.serve import serve
from agentjournal.mcp_server.server import Surface

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.compose.world import World

__all__ = ["start"]


def start(
    root: Path, cache_dir: Path, world: World, wire: tuple[int, int], *, is_read_only: bool
) -> None:
    """Serve the store until the client is gone."""
    memory = Memory(root, cache_dir, world, is_read_only=is_read_only)
    surface = Surface(
        calls=memory.calls(),
        prompts=all_prompts(memory.mode_line),
        version=version("agent-journal"),
        is_read_only=is_read_only,
        warm=memory.warm,
    )
    serve(surface, *wire)
