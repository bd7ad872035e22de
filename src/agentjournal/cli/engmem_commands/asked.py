"""The options of every command that searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentjournal.engmem.answer.request import SHOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

F = TypeVar("F", bound="Callable[..., Any]")

__all__ = ["SESSION", "Asking", "asking", "narrowing"]


class Asking(click.Command):
    """A command whose words may begin with a dash where they hold a space: those are no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move such words behind `--`."""
        end = args.index("--") if "--" in args else len(args)
        said = [
            each for each in args[:end] if each.startswith("-") and " " in each.partition("=")[0]
        ]
        rest = [each for each in args[:end] if each not in said]
        return super().parse_args(ctx, [*rest, "--", *said, *args[end + 1 :]] if said else args)


SESSION = click.option(
    "--session", "draft", metavar="ID", help="Your draft: what it found is counted for it."
)

_NARROWING = (
    click.option("--role", metavar="ROLE", help="Show this section alone: lessons, decisions, ..."),
    click.option("--repo", "repos", metavar="NAME", multiple=True, help="Of this repository only."),
    click.option("--unscoped", is_flag=True, help="Of no repository only."),
    click.option("--all-repos", is_flag=True, help="Of every repository, and say so."),
    click.option("--tag", "tags", metavar="TAG", multiple=True, help="With this tag only."),
    click.option("--since", metavar="WHEN", help="Dated from: 4w, 30d, or 2026-11-30."),
    click.option(
        "--status",
        type=click.Choice(["active", "superseded", "draft"]),
        help="Of this status only; else active ones, and where superseded ones lead.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1, 10),
        default=SHOWN,
        show_default=True,
        help="Documents shown at most, as far as there is room.",
    ),
)
_AT_HAND = (
    click.option(
        "--near", metavar="FILE", multiple=True, help="Add the names of a file and its classes."
    ),
    click.option("--diff", "is_diff", is_flag=True, help="Add those of every file you changed."),
)


def narrowing(function: F) -> F:
    """Give a command the options that narrow a search."""
    return _with(_NARROWING, function)


def asking(function: F) -> F:
    """Give a command the options that add names of files at hand to a question."""
    return _with(_AT_HAND, function)


def _with(options: Sequence[Callable[[Any], Any]], function: F) -> F:
    for option in reversed(options):
        function = option(function)
    return function
