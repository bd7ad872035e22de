"""What every command on a store of documents shares: its options, its folder, its output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

import click

from agentjournal.cli.output import Output
from agentjournal.compose.services import Services
from agentjournal.compose.world import World, this_world
from agentjournal.errors import AgentJournalError
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["StoreSession", "with_store"]


@dataclass(frozen=True)
class StoreSession:
    """The folder of the store, the world that the command runs in, and where its answer goes."""

    root: Path
    world: World
    output: Output


def with_store(function: Callable[Concatenate[StoreSession, P], R]) -> Callable[P, R]:
    """Give a command `--store` and `--json`, and a session as its first argument.

    A failure is told on both streams: the agent that asks reads standard output only.
    """

    @click.option(
        "--store", metavar="PATH", help="The folder that holds sessions/; else the configured one."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        store, as_json = cast("str | None", options.pop("store")), bool(options.pop("as_json"))
        world = this_world()
        try:
            settings = Services.of(world, flags={"store": store}).settings
            session = StoreSession(Path(settings.engmem_store), world, Output(as_json))
            return function(session, *args, **options)
        except AgentJournalError as error:
            if not as_json:
                click.echo(visible(f"error: {error}"))
            raise

    return call
