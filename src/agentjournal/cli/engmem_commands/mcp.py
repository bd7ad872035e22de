"""`engmem mcp`: serve the store to an agent program, over standard input and output."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from agentjournal.compose.world import this_world
from agentjournal.config.settings import load_settings
from agentjournal.errors import ExtraMissingError

__all__ = ["mcp"]


@click.command(
    epilog="\b\nExamples:\n  claude mcp add engmem -- engmem mcp --store ~/engmem\n"
    "  engmem mcp --read-only              the two searches only"
)
@click.option(
    "--store", metavar="PATH", help="The folder that holds sessions/; else the configured one."
)
@click.option("--read-only", "is_read_only", is_flag=True, help="Offer the searches only.")
def mcp(store: str | None, *, is_read_only: bool) -> None:
    """Serve search, reading and saving as tools and prompts, until standard input ends.

    `engmem install --agent claude-desktop|codex` writes the entry that starts this.
    """
    world = this_world()
    settings = (
        load_settings(  # and not by way of Services, whose imports would delay the first answer
            environment=world.environment,
            cwd=world.cwd,
            home=world.home,
            flags={"store": store},
            login=world.login,
        )
    )
    root, cache_dir = Path(settings.engmem_store), Path(settings.cache_dir)
    wire = import_module("agentjournal.mcp_server.claim").claimed()
    _surface().start(root, cache_dir, world, wire, is_read_only=is_read_only)


def _surface() -> Any:  # noqa: ANN401 - a module
    """Load the other surface by its name, as every command is: surfaces import none of each other."""
    try:
        return import_module("agentjournal.mcp_server.start")
    except ImportError as error:
        raise ExtraMissingError(
            f"The MCP server needs {error.name}, which is not installed.",
            next='Run `pip install "agent-journal[mcp]"`.',
        ) from error
