"""`agentjournal db`: verify, move, back up and mend the store."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.session import with_reading_session, with_session
from agentjournal.errors import NotFoundError
from agentjournal.execution.certain import certain
from agentjournal.lanes.distilled import distilled_from
from agentjournal.log.backup import backup as back_up
from agentjournal.log.event_id import full_event_id
from agentjournal.log.rebuild import rebuild as rebuild_log
from agentjournal.log.revoke import redact as redact_event
from agentjournal.log.revoke import retract as retract_event
from agentjournal.log.transfer import export as export_log
from agentjournal.log.transfer import import_lines
from agentjournal.log.verify import verify as verify_log

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.log.verify import Report

__all__ = ["db"]

_HERE = "agentjournal.cli.commands.db"
FAULTS_SHOWN = 50

ENTRIES = {
    "verify": Entry(f"{_HERE}:verify", "Check every event, seal and projection."),
    "export": Entry(f"{_HERE}:export", "Write the whole log as JSON Lines."),
    "import": Entry(f"{_HERE}:import_", "Take in an export."),
    "backup": Entry(f"{_HERE}:backup", "Write a verified copy of the store."),
    "rebuild": Entry(f"{_HERE}:rebuild", "Derive every projection from the log again."),
    "retract": Entry(f"{_HERE}:retract", "Hide an event from every read but the audit."),
    "redact": Entry(f"{_HERE}:redact", "Overwrite the text of an event for ever."),
}


@click.command(cls=LazyGroup, entries=ENTRIES)
def db() -> None:
    """Verify, move, back up and mend the store. Nothing is ever repaired by deleting."""


@click.command(epilog="\b\nExample:\n  agentjournal db verify")
@with_reading_session
def verify(session: Session) -> int:
    """Check that everything is as it was written; exit 1 where something is not."""
    report = verify_log(session.services.log)
    session.output.result(_told(report), asdict(report) | {"is_good": report.is_good})
    return 0 if report.is_good else 1


@click.command(epilog="\b\nExample:\n  agentjournal db export > log.jsonl")
@with_reading_session
def export(session: Session) -> None:
    """Write the whole log to standard output: a line of format, events, seals."""
    for line in export_log(session.services.log):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


@click.command("import", epilog="\b\nExample:\n  agentjournal db import log.jsonl")
@click.argument("file", metavar="FILE|-")
@with_session
def import_(session: Session, file: str) -> None:
    """Take in an export: streams that are new or continue what is here; otherwise nothing at all."""
    log = session.services.log
    if file == "-":
        taken = import_lines(log, sys.stdin)
    elif Path(file).is_file():
        with Path(file).open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
            taken = import_lines(log, lines)
    else:
        raise NotFoundError(
            f"There is no file {file}.", next="Give an export, or - for standard input."
        )
    session.output.result(
        f"Imported {taken.events} events of {taken.streams} streams.", asdict(taken)
    )


@click.command(epilog="\b\nExample:\n  agentjournal db backup ~/backups/agentjournal-1.db")
@click.argument("target", type=click.Path(path_type=Path))
@with_reading_session
def backup(session: Session, target: Path) -> int:
    """Write a consistent copy to a new file and verify the copy (SQLite)."""
    report = back_up(session.services.log, str(target.absolute()))
    session.output.result(
        f"Backed up to {target}. {_told(report)}", asdict(report) | {"is_good": report.is_good}
    )
    return 0 if report.is_good else 1


@click.command(epilog="\b\nExample:\n  agentjournal db rebuild")
@with_session
def rebuild(session: Session) -> None:
    """Derive every projection from the log again, by the fold that live writes use."""
    count = rebuild_log(session.services.log)
    session.output.result(f"Rebuilt every projection from {count} events.", {"events": count})


@click.command(epilog="\b\nExample:\n  agentjournal db retract 0192f0c4-... --why 'it was wrong'")
@click.argument("event", metavar="ID")
@click.option("--why", required=True, help="Why, for the audit.")
@with_session
def retract(session: Session, event: str, why: str) -> None:
    """Hide an event from every read but the audit: its text leaves briefs, `tried` and context."""
    _revoke(session, event, why, is_redaction=False)


@click.command(epilog="\b\nExample:\n  agentjournal db redact 0192f0c4-... --why 'a key was in it'")
@click.argument("event", metavar="ID")
@click.option("--why", required=True, help="Why, for the audit.")
@with_session
def redact(session: Session, event: str, why: str) -> None:
    """Overwrite the text of an event for ever; its digest stays, so that `verify` still holds."""
    _revoke(session, event, why, is_redaction=True)


def _revoke(session: Session, event: str, why: str, *, is_redaction: bool) -> None:
    services = session.services
    act = redact_event if is_redaction else retract_event
    with services.log.database.snapshot() as reader:
        event = full_event_id(reader, event)
    told = {"event_id": services.world.new_id(), "actor": services.settings.actor}
    stored = certain(lambda: act(services.log, event, **told, at=services.world.now(), why=why))
    done = "Redacted" if is_redaction else "Retracted"
    session.output.result(
        f"{done} {event}: event {stored.id}.", {"event": event, "by": stored.id, "seq": stored.seq}
    )
    if distilled := distilled_from(services.log, event):
        session.output.note(f"What was distilled of it may still hold it: {', '.join(distilled)}.")


def _told(report: Report) -> str:
    counted = f"{report.events} events in {report.streams} streams, {report.seals} seals"
    tail = sum(each.last_seq - each.first_seq + 1 for each in report.unsealed)
    sealed = f", {tail} events were not sealed yet" if tail else ""
    if report.is_good:
        return f"All is as it was written: {counted}{sealed}."
    lines = [f"{len(report.faults) + report.more} faults in {counted}:"]
    lines += [f"  - {fault}" for fault in report.faults[:FAULTS_SHOWN]]
    rest = len(report.faults) + report.more - FAULTS_SHOWN
    if rest > 0:
        lines.append(f"  ... and {rest} more")
    lines.append(
        "Nothing was repaired. Next: restore a backup; where only projections differ, "
        "`agentjournal db rebuild`."
    )
    return "\n".join(lines)
