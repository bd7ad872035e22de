"""What every command on a store of documents shares: its options, its folder, its output."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

import click

from agentjournal.cli.narrated import narrated
from agentjournal.cli.output import LINE, REFUSAL, Output
from agentjournal.compose.documents import open_documents
from agentjournal.compose.world import World, this_world
from agentjournal.config.engmem import engmem_places
from agentjournal.config.user_file import read_sources
from agentjournal.errors import AgentJournalError, ConfigurationError, InputError
from agentjournal.text.bounded import clip, clip_lines
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agentjournal.engmem.index.store_index import StoreIndex

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["StoreSession", "on_both_streams", "session_of", "with_store"]

MISUSE = 2  # of every failure: 1 says that what was checked is not sound


@dataclass(frozen=True)
class StoreSession:
    """The folder of the store, the world that the command runs in, and where its answer goes."""

    root: Path
    cache_dir: Path
    world: World
    output: Output

    @property
    def index(self) -> StoreIndex:
        """Open the index of the store as it is now.

        Raises:
            NotFoundError: there is no folder `sessions`.
            InputError: it cannot be listed.
        """
        index = self.documents
        if index.scan_error:
            raise InputError(f"{index.scan_error}.", next="Make it a folder that can be read.")
        return index

    @property
    def documents(self) -> StoreIndex:
        """Open the index of the store; where that cannot be listed, it says so itself.

        Raises:
            NotFoundError: there is no folder `sessions`.
        """
        now = int(self.world.clock.now().timestamp() * 1e9)
        return open_documents(self.root, self.cache_dir, now=now, listener=narrated)


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
        store, is_json = cast("str | None", options.pop("store")), bool(options.pop("as_json"))
        with on_both_streams(is_json=is_json):
            return function(session_of(store, is_json=is_json), *args, **options)

    return call


@contextlib.contextmanager
def on_both_streams(*, is_json: bool) -> Iterator[None]:
    """Tell a failure on standard output too; a wrong setting names the command that met it.

    On a terminal, where both are one, it is told once.
    """
    try:
        yield
    except AgentJournalError as error:
        if isinstance(error, ConfigurationError):
            error.message = f"{click.get_current_context().command_path}: {error.message}"
        is_seen = all(each and each.isatty() for each in (sys.stdout, sys.stderr))
        if not (is_json or is_seen):
            told = clip_lines(str(error), LINE)
            click.echo(clip(visible(f"error: {told}"), REFUSAL))
        error.exit_code = MISUSE
        raise


def session_of(store: str | None, *, is_json: bool = False) -> StoreSession:
    """Find the store of a command.

    Raises:
        ConfigurationError: a setting is wrong.
    """
    world = this_world()
    sources = read_sources(
        flags={"store": store}, environment=world.environment, cwd=world.cwd, home=world.home
    )
    root, cache_dir = engmem_places(sources, sys.platform)
    return StoreSession(root, cache_dir, world, Output(is_json))
