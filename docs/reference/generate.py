"""Writes the reference pages from the code: run by cog, checked by `make check`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from agentjournal import errors
from agentjournal.cli.lazy import LazyGroup
from agentjournal.cli.main import agentjournal

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 96


def commands() -> str:
    """Give the help of every command."""
    return "\n".join(
        f"\n## {' '.join(path)}\n\n```text\n{_help(path, command)}\n```"
        for path, command in _walk(agentjournal, ("agentjournal",))
    )


def error_tree() -> str:
    """Give every error with its kind and exit code."""
    rows = [
        f"| `{name}` | `{error.kind}` | {error.exit_code} | {(error.__doc__ or '').splitlines()[0]} |"
        for name, error in vars(errors).items()
        if isinstance(error, type) and issubclass(error, errors.AgentJournalError)
    ]
    return "\n".join(["\n| error | kind | exit code | means |", "|---|---|---|---|", *rows])


def _walk(
    group: LazyGroup, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, entry in group.entries.items():
        module, _, attribute = entry.target.partition(":")
        command = getattr(import_module(module), attribute)
        yield (*path, name), command
        if isinstance(command, LazyGroup):
            yield from _walk(command, (*path, name))


def _help(path: tuple[str, ...], command: click.Command) -> str:
    context = click.Context(
        command, info_name=" ".join(path), max_content_width=WIDTH, terminal_width=WIDTH
    )
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
