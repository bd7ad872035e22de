"""The log as JSON Lines, out of one store and into another.

Every line is canonical JSON:

    {"format":"agentjournal","version":1}
    {"event":{...}}     all columns; by stream (code points), then seq, from 1
    {"seal":{...}}      stream, first_seq, last_seq, sha256; by stream, then first_seq
    {"end":{...}}       events, seals: their numbers; sha256: of all lines before, newlines included

Nothing else is exported: projections follow from the events, leases belong to one store.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from agentjournal.log.check import StreamCheck
from agentjournal.log.findings import Findings
from agentjournal.log.intake import HEADER, Imported, Intake
from agentjournal.log.rebuild import sound_events
from agentjournal.log.seal import seal_pending
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["export", "import_lines"]

SQL = load_statements(__package__, "sql/stream.sql")
SEAL_SQL = load_statements(__package__, "sql/seal.sql")


def export(log: Log) -> Iterator[str]:
    """Give the lines of the whole log, without newlines, one page of it in memory at a time.

    It seals what is not sealed yet, then reads one state of the store and checks all that it gives.

    Raises:
        DamagedError: something is not as it was written; the lines so far lack their end, so that
            no import takes them.
    """
    seal_pending(log, minimum=1)
    counts = {"event": 0, "seal": 0}
    sha256 = hashlib.sha256()
    with log.database.snapshot() as reader:
        yield HEADER
        sha256.update(f"{HEADER}\n".encode())
        for kind, value in _records(log, reader):
            line = canonical_json({kind: value})
            counts[kind] += 1
            sha256.update(f"{line}\n".encode())
            yield line
    end = {"events": counts["event"], "seals": counts["seal"], "sha256": sha256.hexdigest()}
    yield canonical_json({"end": end})


def import_lines(log: Log, lines: Iterable[str]) -> Imported:
    """Take an export into this store, all of it or nothing, and project it.

    Streams keep their seq, recorded_at and seals. A stream must be absent here or equal as far as
    both reach; what it has more is added.

    Raises:
        InputError: a line is not what `export` writes, or the events do not hold together; the
            message names the line.
        ConflictError: a stream or an id is here with other content.
    """
    with log.database.transaction() as tx:
        intake = Intake(log, tx)
        for line in lines:
            intake.take(line.removesuffix("\n"))
        return intake.finish()


def _records(log: Log, reader: Reader) -> Iterator[tuple[str, dict[str, object]]]:
    streams = reader.rows(SQL["streams"])
    findings = Findings()
    for row in streams:
        for event in sound_events(StreamCheck(log, reader, row, findings), findings):
            yield "event", dict(event.columns)
    for row in streams:
        for seal in reader.rows(SEAL_SQL["seals"], stream=row["stream"]):
            yield "seal", {"stream": row["stream"], **seal}
