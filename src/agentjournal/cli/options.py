"""Options and arguments that several commands share, and what a shell completes for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentjournal.errors import AgentJournalError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.shell_completion import CompletionItem

    from agentjournal.log.log import Log

F = TypeVar("F", bound="Callable[..., Any]")

__all__ = [
    "SLUG",
    "as_json",
    "bytes_option",
    "complete_slug",
    "complete_slug_or_task",
    "complete_task",
    "project_and_task",
]

as_json = click.option("--json", "is_json", is_flag=True, help="Print JSON.")


def bytes_option(default: int, ceiling: int) -> Callable[[F], F]:
    """Give the option that moves a text's cap up to its ceiling."""
    return click.option(
        "--bytes",
        "cap",
        type=click.IntRange(500, ceiling),
        default=default,
        show_default=True,
        help="Show at most this much.",
    )


def complete_slug(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem]:
    """Offer the projects of the store."""
    from agentjournal.execution.names import project_slugs

    return _offered(lambda log, _: project_slugs(log), incomplete)


def complete_task(
    ctx: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem]:
    """Offer the tasks of the project named before, or of the folder's project."""
    from agentjournal.execution.names import task_ids

    params = ctx.params
    named = (
        params.get("slug") or params.get("project") or next(iter(params.get("names") or ()), None)
    )
    return _offered(lambda log, own: task_ids(log, str(named or own)), incomplete)


def complete_slug_or_task(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Offer what `[SLUG] TASK` may begin with; behind a slug, its tasks."""
    tasks = complete_task(ctx, parameter, incomplete)
    return (
        tasks if ctx.params.get("names") else [*complete_slug(ctx, parameter, incomplete), *tasks]
    )


def _offered(
    names: Callable[[Log, str | None], list[str]], incomplete: str
) -> list[CompletionItem]:
    """Complete from the store; a store that cannot be read completes to nothing."""
    from click.shell_completion import CompletionItem

    from agentjournal.compose.services import Services
    from agentjournal.compose.world import this_world

    try:
        with Services.of(this_world(), flags={}, is_reading=True) as services:
            found = names(services.log, services.settings.project_slug)
    except AgentJournalError:
        return []
    return [CompletionItem(name) for name in found if name.startswith(incomplete)]


SLUG = click.argument("slug", shell_complete=complete_slug)


def project_and_task(names: Sequence[str], of_folder: str | None) -> tuple[str, str]:
    """Read `[SLUG] TASK`: the slug may be left out inside a project's folder.

    Raises:
        InputError: neither form was given.
    """
    match list(names):
        case [slug, task]:
            return slug, task
        case [task] if of_folder is not None:
            return of_folder, task
        case [task]:
            raise InputError(
                f"{task!r} names a task, but this folder belongs to no project.",
                next=f"Name the project too: SLUG {task}.",
            )
        case [_, _, *more]:
            raise InputError(
                f"{more[0]!r} is one word too many: a project and a task are two.",
                next="A worker's command stands behind `--`: SLUG TASK -- CMD ...",
            )
        case _:
            raise InputError(
                "Give a project and a task.", next="Like: agentjournal context shop T-042"
            )
