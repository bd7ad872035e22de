"""What every command that opens the store shares: its options, its services, its output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import click

from agentjournal.cli.output import Output
from agentjournal.compose.services import Services
from agentjournal.compose.world import this_world
from agentjournal.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["Session", "with_reading_session", "with_session"]


@dataclass(frozen=True)
class Session:
    """One command's services and where its answer goes."""

    services: Services
    output: Output

    def slug(self, given: str | None) -> str:
        """Give the project: the one named, else that of the folder one stands in.

        Raises:
            NotFoundError: none was named and the folder belongs to none.
        """
        slug = given or self.services.settings.project_slug
        if slug is None:
            raise NotFoundError(
                "No project was named, and this folder belongs to none.",
                next="Name one, or run `agentjournal init` in your repository.",
            )
        return slug

    def draft_finished(self, slug: str) -> None:
        """Draft the document of a plan whose last task has ended, where there is a store for it."""
        from agentjournal.compose.finished import after_task

        self.services.notes += after_task(self.services, slug)


def with_session(
    function: Callable[Concatenate[Session, P], R],
) -> Callable[P, R]:
    """Give a command `--database` and `--json`, and a session as its first argument.

    `--allow-network-fs` is there too, but no help shows it: the refusal that it answers names it.
    """
    return _with_session(function, is_reading=False)


def with_reading_session(
    function: Callable[Concatenate[Session, P], R],
) -> Callable[P, R]:
    """Give a command that only reads the same: where there is no store, it makes none."""
    return _with_session(function, is_reading=True)


def _with_session(
    function: Callable[Concatenate[Session, P], R], *, is_reading: bool
) -> Callable[P, R]:
    @click.option(
        "--database", metavar="PATH|URL", help="Use this store instead of the configured one."
    )
    @click.option("--allow-network-fs", is_flag=True, hidden=True)
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        database, as_json = options.pop("database"), options.pop("as_json")
        flags = {
            "database": database if database is None else str(database),
            "allow_network_fs": "yes" if options.pop("allow_network_fs") else None,
        }
        services = Services.of(this_world(), flags=flags, is_reading=is_reading)
        session = Session(services, Output(as_json=bool(as_json)))
        with services:
            try:
                return function(session, *args, **options)
            finally:
                for note in dict.fromkeys(services.notes):
                    session.output.note(note)

    return call
