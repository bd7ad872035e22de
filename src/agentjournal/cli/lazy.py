"""Click groups whose commands are imported when they are called, so that start-up stays short."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Entry:
    """Where a command lives and the one line that help shows without importing it."""

    target: str
    help: str
    is_rare: bool = False


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is needed.

    Rare commands work like any other and are listed by `--help --all`.
    """

    def __init__(self, *args: object, entries: Mapping[str, Entry], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type] # click's own
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command, in the order in which they are used."""
        shows_all = ctx.resilient_parsing or bool(ctx.find_root().meta.get("agentjournal.all"))
        return [name for name, entry in self.entries.items() if shows_all or not entry.is_rare]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import the command of that name."""
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        return cast("click.Command", getattr(import_module(module), attribute))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `--all` beside `--help` before the help is printed."""
        if "--all" in args and {"--help", "-h"} & set(args):
            ctx.find_root().meta["agentjournal.all"] = True
            args = [arg for arg in args if arg != "--all"]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from their entries, importing none."""
        rows = [(name, self.entries[name].help) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        if any(entry.is_rare for entry in self.entries.values()) and len(rows) < len(self.entries):
            formatter.write_paragraph()
            formatter.write_text(f"Rarer commands: {ctx.command_path} --help --all")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest near names where there is no such command."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], list(self.entries), n=2)
            if near:
                raise click.UsageError(
                    f"{error.message} Did you mean {' or '.join(near)}?", ctx
                ) from None
            raise
