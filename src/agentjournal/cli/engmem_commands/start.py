"""`engmem start`: the naive plan is registered, and only then is memory searched."""

from __future__ import annotations

import io
import select
import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.asked import Asking, asking
from agentjournal.cli.engmem_commands.given import read_names
from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.compose.starting import StartRequest
from agentjournal.compose.starting import start as begin
from agentjournal.config.engmem import MODES, mode_file, saved_engmem_mode
from agentjournal.engmem.ritual.first_draft import PLAN
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession
    from agentjournal.config.engmem import Mode

__all__ = ["start"]

WAIT = 2.0  # seconds for a plan that need not come: a pipe may be open that nobody writes to


@click.command(
    cls=Asking,
    epilog="\b\nExample:\n"
    "  engmem start \"response cache for the new endpoint\" <<'PLAN'\n"
    "  Add a cache in front of the endpoint, with a table of its own for freshness.\n"
    "  pre-reg source: sub-agent\n"
    "  PLAN",
)
@click.argument("words", nargs=-1, required=True, metavar="TASK...")
@click.option(
    "--id", "id_", metavar="ID", help="The draft's id; else the day and the task's words."
)
@click.option("--mode", type=click.Choice(MODES), help="Else the saved choice, else daily.")
@click.option("--tokens", type=click.IntRange(1), help="What the plan's call took, as reported.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="How long it took.")
@click.option("--call-id", metavar="ID", help="The client's name of that call.")
@click.option(
    "--baseline-unavailable",
    "unavailable",
    default="",
    metavar="REASON",
    help="Why no plan could be made blind; reviews then keep the session apart.",
)
@asking
@with_store
def start(  # noqa: PLR0913, PLR0917 - the options of the command
    session: StoreSession,
    /,
    words: tuple[str, ...],
    id_: str | None,
    mode: Mode | None,
    tokens: int | None,
    seconds: float | None,
    call_id: str | None,
    unavailable: str,
    near: tuple[str, ...],
    *,
    is_diff: bool,
) -> None:
    """Begin a task: register the naive plan from standard input, then say what memory holds.

    The plan is two or three lines, made before anything was searched. In research mode there is no
    search without it, or without the reason why there is none.
    """
    world = session.world
    task = " ".join(words)
    if not task.strip():
        raise InputError("engmem start: the task is blank.", next="Give it in a few key terms.")
    chosen = mode or saved_engmem_mode(mode_file(world.environment, world.home)) or "daily"
    request = StartRequest(
        task=task,
        plan=_plan(is_awaited=chosen == "research" and not unavailable.strip()),
        mode=chosen,
        id=id_,
        tokens=tokens,
        seconds=seconds,
        call_id=call_id,
        unavailable=unavailable.strip(),
        names=read_names(near, world.cwd, is_diff=is_diff),
    )
    started = begin(session.root, session.cache_dir, request, world)
    session.output.result(started.text, started.data)


def _plan(*, is_awaited: bool) -> bytes:
    """Read standard input, as far as a plan may be long; a terminal is not asked."""
    if sys.stdin is None or sys.stdin.isatty() or not (is_awaited or _comes()):
        return b""
    return sys.stdin.buffer.read(PLAN + 1)


def _comes() -> bool:
    try:
        return bool(select.select([sys.stdin], [], [], WAIT)[0])
    except (OSError, ValueError, io.UnsupportedOperation):
        return True  # what is no file at all never makes anybody wait
