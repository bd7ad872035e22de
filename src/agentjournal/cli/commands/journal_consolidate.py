"""`agentjournal journal consolidate`: distil the oldest part of a memory, now and here."""

from __future__ import annotations

from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.commands.journal import kept_journal, read_file
from agentjournal.cli.session import with_session
from agentjournal.errors import InputError
from agentjournal.journal.consolidate import consolidate as distil
from agentjournal.journal.journal import Journal
from agentjournal.journal.neutral import neutral_lines
from agentjournal.lanes.event import Signature
from agentjournal.system.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.cli.session import Session
    from agentjournal.journal.consolidate import Consolidated
    from agentjournal.journal.consolidation import Consolidator

__all__ = ["consolidate"]

KEY = "AGENTJOURNAL_API_KEY"


@click.command(
    epilog="\b\nExamples:\n  agentjournal journal consolidate agent/shop/planner\n"
    "  agentjournal journal consolidate snapshot.json --endpoint http://127.0.0.1:8080/v1 --model local"
)
@click.argument("source", metavar="FILE|OWNER")
@click.option("--endpoint", metavar="URL", help="Ask the model behind this OpenAI-compatible API.")
@click.option("--model", metavar="NAME", help="Its name there.")
@click.option(
    "--keep",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Keep this part (layout v1).",
)
@click.option(
    "--timeout", type=click.IntRange(1, 3600), default=90, show_default=True, help="Seconds a try."
)
@with_session
def consolidate(  # noqa: PLR0913 - its options
    session: Session,
    source: str,
    *,
    endpoint: str | None,
    model: str | None,
    keep: float,
    timeout: int,
) -> None:
    """Distil the oldest part of a memory; without an endpoint, into one neutral line for each turn.

    A snapshot FILE is rewritten in place; where anything fails, it and the store stay as they were.
    The endpoint's key is read from AGENTJOURNAL_API_KEY.
    """
    with _consolidator(session, endpoint, model, timeout) as consolidator:
        if Path(source).is_file():
            done = _in_file(source, consolidator, keep)
        else:
            done = _in_store(session, source, consolidator, keep)
    told = "Nothing to distil."
    if done.dropped:
        lines = _counted(len(done.result.ledger), "line", "lines")
        told = f"{_counted(done.dropped, 'entry', 'entries')} became {lines}."
    data = {"identity": done.result.identity, "ledger": list(done.result.ledger)}
    session.output.result(told, {"dropped": done.dropped, **data})


def _in_file(name: str, consolidator: Consolidator, keep: float) -> Consolidated:
    read = Journal.from_json(read_file(name))
    done = distil(read, consolidator, keep)
    if done.dropped:
        write_atomically(Path(name).resolve(), read.to_json().encode())
    return done


def _in_store(
    session: Session, owner: str, consolidator: Consolidator, keep: float
) -> Consolidated:
    world, actor = session.services.world, session.services.settings.actor
    by = Signature(id=world.new_id(), actor=actor, at=world.now())
    return kept_journal(session, owner).consolidate(consolidator, by, keep)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


@contextmanager
def _consolidator(
    session: Session, endpoint: str | None, model: str | None, timeout: int
) -> Iterator[Consolidator]:
    if endpoint is None and model is None:
        yield neutral_lines
        return
    if endpoint is None or model is None:
        raise InputError(
            "A model is asked by --endpoint and --model together.",
            next="Give both, or neither for one neutral line a turn.",
        )
    from agentjournal.lanes.chat_consolidator import ChatConsolidator

    key = session.services.world.environment.get(KEY, "")
    with closing(ChatConsolidator(endpoint, model, api_key=key, timeout=float(timeout))) as asked:
        yield asked
