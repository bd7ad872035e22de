"""Serves one store to one client until its input ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import anyio
from mcp.server.stdio import stdio_server

from agentjournal.mcp_server.server import Surface, make_server
from agentjournal.mcp_server.stdio import Wire

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

__all__ = ["serve"]


def serve(surface: Surface, incoming: int, outgoing: int) -> None:
    """Answer until the input ends or the client is gone."""
    anyio.run(_serve, make_server(surface), incoming, outgoing)


async def _serve(server: Server[Any], incoming: int, outgoing: int) -> None:
    wire = cast("anyio.AsyncFile[str]", Wire(incoming, outgoing))
    async with stdio_server(wire, wire) as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
    sys.stderr.flush()
