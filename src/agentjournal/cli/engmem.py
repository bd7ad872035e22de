"""The command `engmem`: search the Markdown documents of past tasks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.main import run_command
from agentjournal.cli.output import LINE, REFUSAL
from agentjournal.text.bounded import clip, clip_lines
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["engmem", "main"]

_COMMANDS = "agentjournal.cli.engmem_commands"

ENTRIES = {
    "search": Entry(f"{_COMMANDS}.search:search", "Find what past tasks decided and learned."),
    "start": Entry(
        f"{_COMMANDS}.start:start", "Register a naive plan, then search and say what to read."
    ),
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
    "draft": Entry(f"{_COMMANDS}.draft:draft", "Begin the document of a task, and finish it."),
    "supersede": Entry(
        f"{_COMMANDS}.supersede:supersede", "Mark a document as overturned by a newer one."
    ),
    "store": Entry(f"{_COMMANDS}.store:store", "Show which store is used, or save another."),
    "mode": Entry(f"{_COMMANDS}.mode:mode", "Show or save the mode of sessions."),
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


class _Engmem(LazyGroup):
    """Tells a wrong command line on standard output too: the agent that asks reads no other.

    Not where that holds JSON or the frames of a server, and once on a terminal, where both are one.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_seen = all(each and each.isatty() for each in (sys.stdout, sys.stderr))
        ctx.obj = not (is_seen or args[:1] == ["mcp"] or "--json" in args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if ctx.obj and not isinstance(error, click.exceptions.NoArgsIsHelpError):
                path = error.ctx.command_path if error.ctx else ctx.command_path
                told = clip_lines(error.format_message(), LINE)
                click.echo(clip(visible(f"error: {path}: {told}"), REFUSAL))
            raise


@click.command(
    cls=_Engmem,
    entries=ENTRIES,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  engmem search response cache invalidation",
)
@click.version_option(package_name="agent-journal", prog_name="engmem")
def engmem() -> None:
    """Search the Markdown documents of past tasks."""


def main(args: Sequence[str] | None = None) -> None:
    """Run `engmem` and leave with its exit code."""
    sys.exit(run_command(engmem, "engmem", sys.argv[1:] if args is None else args))


if __name__ == "__main__":
    main()
