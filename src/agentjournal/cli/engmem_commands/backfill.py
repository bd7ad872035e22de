"""`engmem backfill`: front matter for documents that have none, from their own words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.backfill.apply import Failed, Fillable, fill, fillable, fillable_all
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["backfill"]


@click.command(
    epilog="\b\nExamples:\n  engmem backfill --all --dry-run\n"
    "  engmem backfill --id 20260101-old-notes"
)
@click.option("--id", "id_", metavar="ID", help="One document.")
@click.option("--all", "is_all", is_flag=True, help="Every one whose spine is incomplete.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show what would be added; write nothing.")
@click.option("--yes", "is_agreed", is_flag=True, help="Write without asking.")
@with_store
def backfill(
    session: StoreSession, id_: str | None, *, is_all: bool, is_dry: bool, is_agreed: bool
) -> int:
    """Propose the fields that a document's own text states, each with its evidence, and add them.

    What is stated already and the body stay as they are, byte for byte.
    """
    if (id_ is None) != is_all:
        raise InputError("Give either --id ID or --all.", next="engmem backfill --all --dry-run")
    if session.output.as_json and not (is_dry or is_agreed):
        raise InputError("--json asks nothing.", next="Add --dry-run or --yes.")
    found = _found(session, id_)
    proposed = [each for each in found if isinstance(each, Fillable)]
    failed = [each for each in found if isinstance(each, Failed)]
    wanted = [each for each in proposed if each.proposal.fields]
    _show(session, id_, proposed)
    if is_dry or not wanted:
        _tell(session, f"{len(wanted)} document(s) with fields to write; nothing written")
    elif not (is_agreed or _agrees(len(wanted))):
        _tell(session, "cancelled: nothing written")
        return 0
    else:
        failed += _filled(session, wanted)
    for each in failed:
        _tell(session, f"error: {each.id}: {each.reason}")
    if session.output.as_json:
        session.output.result("", _data(proposed, failed, is_written=not is_dry))
    return 2 if failed else 0


def _found(session: StoreSession, id_: str | None) -> list[Fillable | Failed]:
    if id_ is None:
        return list(fillable_all(session.root, session.index))
    found = fillable(session.root, session.index, id_)
    return [found] if found else []


def _show(session: StoreSession, id_: str | None, proposed: list[Fillable]) -> None:
    if id_ is not None and not proposed:
        _tell(session, f"{id_}: its spine is complete")
    for each in proposed:
        _tell(session, each.proposal.text())


def _agrees(count: int) -> bool:
    """Ask; anything but yes is no, and so is the end of the input."""
    click.echo(f"Write the {count} document(s)? [y/N]: ", nl=False)
    answer = "" if sys.stdin is None else sys.stdin.readline()
    if not answer.endswith("\n"):
        click.echo()
    return answer.strip().casefold() in {"y", "yes"}


def _filled(session: StoreSession, wanted: list[Fillable]) -> list[Failed]:
    failed = []
    for each in wanted:
        try:
            uncommitted = fill(session.root, each)
        except AgentJournalError as error:
            failed.append(Failed(each.proposal.id, error.message))
        else:
            names = ", ".join(field.name for field in each.proposal.fields)
            _tell(session, f"{each.proposal.id}: added {names}")
            if uncommitted:
                _tell(session, f"note: saved, but not committed ({uncommitted})")
    _tell(session, f"{len(wanted) - len(failed)} document(s) written, {len(failed)} failed")
    return failed


def _tell(session: StoreSession, text: str) -> None:
    if not session.output.as_json:
        click.echo(visible(text))


def _data(proposed: list[Fillable], failed: list[Failed], *, is_written: bool) -> dict[str, object]:
    broken = {each.id for each in failed}
    return {
        "proposals": [each.proposal.data() for each in proposed],
        "written": [
            each.proposal.id
            for each in proposed
            if is_written and each.proposal.fields and each.proposal.id not in broken
        ],
        "failed": {each.id: each.reason for each in failed},
    }
