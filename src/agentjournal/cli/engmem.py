"""The command `engmem`: search the Markdown documents of past tasks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.main import run_command
from agentjournal.cli.output import Output
from agentjournal.compose.services import Services
from agentjournal.compose.world import this_world
from agentjournal.engmem.search import SHOWN, find_in, found_data, rendered
from agentjournal.engmem.store import read_store
from agentjournal.errors import AgentJournalError
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["engmem", "main", "search"]

_COMMANDS = "agentjournal.cli.engmem_commands"

ENTRIES = {
    "search": Entry("agentjournal.cli.engmem:search", "Find what past tasks decided and learned."),
    "review": Entry(
        f"{_COMMANDS}.review:review", "Measure what memory was worth, and what it cost."
    ),
    "verify": Entry(f"{_COMMANDS}.verify:verify", "Check every quote against the text it cites."),
    "install": Entry(
        f"{_COMMANDS}.install:install", "Give an agent program the ritual, the rule and the server."
    ),
    "uninstall": Entry(
        f"{_COMMANDS}.uninstall:uninstall", "Take engmem out of an agent program's files."
    ),
    "mcp": Entry(f"{_COMMANDS}.mcp:mcp", "Serve the store to an agent program as MCP tools."),
    "doctor": Entry(
        f"{_COMMANDS}.doctor:doctor", "Check that an agent program reaches the memory."
    ),
    "walkthrough": Entry(
        f"{_COMMANDS}.walkthrough:walkthrough",
        "Follow an example in which agent programs share one memory.",
    ),
    "read": Entry(f"{_COMMANDS}.read:read", "Print a document, or the part that is needed."),
    "roles": Entry(f"{_COMMANDS}.roles:roles", "List the roles of sections."),
    "feedback": Entry(f"{_COMMANDS}.feedback:feedback", "Say whether a find helped."),
    "cost": Entry(f"{_COMMANDS}.cost:cost", "Sum up what a session was handed."),
    "telemetry": Entry(f"{_COMMANDS}.telemetry:telemetry", "Sum up all searches of a store."),
    "export": Entry(f"{_COMMANDS}.export:export", "Hand one document to somebody else."),
    "backfill": Entry(
        f"{_COMMANDS}.backfill:backfill", "Give old documents their missing front matter."
    ),
}


@click.command(
    cls=LazyGroup,
    entries=ENTRIES,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  engmem search response cache invalidation",
)
def engmem() -> None:
    """Search the Markdown documents of past tasks."""


@click.command(epilog="\b\nExample:\n  engmem search ResponseCache invalidation --store ~/engmem")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--store", metavar="PATH", help="The folder that holds sessions/; else the configured one."
)
@click.option("--limit", type=click.IntRange(1, 10), default=SHOWN, show_default=True)
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
def search(words: tuple[str, ...], store: str | None, limit: int, *, is_json: bool) -> None:
    """Search documents by words, names and ids; the answer is at most 4,096 bytes."""
    world = this_world()
    settings = Services.of(world, flags={"store": store}).settings
    try:
        found = find_in(read_store(Path(settings.engmem_store)), " ".join(words), limit)
    except AgentJournalError as error:
        if not is_json:  # the agent that asks reads standard output only
            click.echo(visible(f"error: {error}"))
        raise
    Output(is_json).result(rendered(found, world.now()[:10]).rstrip("\n"), found_data(found))


def main(args: Sequence[str] | None = None) -> None:
    """Run `engmem` and leave with its exit code."""
    sys.exit(run_command(engmem, "engmem", sys.argv[1:] if args is None else args))


if __name__ == "__main__":
    main()
