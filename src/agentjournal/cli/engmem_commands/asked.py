"""The options of every command that searches, read into what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentjournal.engmem.answer.request import SHOWN, SearchRequest, read_role
from agentjournal.engmem.answer.scope import AllRepositories, Unscoped, repositories
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.compose.world import World
    from agentjournal.engmem.answer.scope import Scope

F = TypeVar("F", bound="Callable[..., Any]")

__all__ = ["SESSION", "Asking", "asking", "narrowing", "read_names", "read_request"]


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
    click.option("--status", type=click.Choice(["active", "superseded", "draft"])),
    click.option("--limit", type=click.IntRange(1, 10), default=SHOWN, show_default=True),
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


def read_names(near: Sequence[str], world: World, *, is_diff: bool) -> tuple[str, ...]:
    """Give the names in the files at hand; without any, nothing of this is loaded."""
    if not near and not is_diff:
        return ()
    from agentjournal.compose.at_hand import changed_files, names_at_hand

    changed = changed_files(world.cwd) if is_diff else ()
    return names_at_hand([*near, *changed], world.cwd)


def read_request(query: str, world: World, given: dict[str, Any]) -> SearchRequest:
    """Read what a command line asks; takes these options out of `given`.

    Raises:
        InputError: a role, a scope or a time is none.
    """
    since = given.pop("since")
    return SearchRequest(
        query=query,
        session=(given.pop("draft") or "").strip() or None,
        role=read_role(role) if (role := given.pop("role")) is not None else None,
        scope=_scope(
            given.pop("repos"), is_unscoped=given.pop("unscoped"), is_all=given.pop("all_repos")
        ),
        limit=given.pop("limit"),
        tags=given.pop("tags"),
        since=_day(since, world) if since else "",
        status=given.pop("status"),
        names=read_names(given.pop("near"), world, is_diff=given.pop("is_diff")),
    )


def _day(since: str, world: World) -> str:
    from agentjournal.usage.report.since import read_since

    return read_since(since, world.clock.now())[:10]


def _scope(repos: Sequence[str], *, is_unscoped: bool, is_all: bool) -> Scope | None:
    if (bool(repos) + is_unscoped + is_all) > 1:
        raise InputError(
            "engmem search: --repo, --unscoped and --all-repos are different scopes.",
            next="Pass one of them.",
        )
    if is_unscoped:
        return Unscoped()
    if is_all:
        return AllRepositories()
    return repositories(repos) if repos else None


def _with(options: Sequence[Callable[[Any], Any]], function: F) -> F:
    for option in reversed(options):
        function = option(function)
    return function
