"""Seals chain the events of a stream in batches, so that none can be changed or lost unseen.

A seal is the SHA-256 of the hex of the seal before it (nothing for the first) followed by the line
`seq recorded_at digest` of each event that it covers.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Transaction

__all__ = ["seal_pending", "seal_sha256"]

SQL = load_statements(__package__, "sql/seal.sql")
STREAM_SQL = load_statements(__package__, "sql/stream.sql")
BATCH = 256
PAGE = 1000


def seal_pending(log: Log, minimum: int = BATCH) -> int:
    """Seal each stream that has at least so many unsealed events; give the number of new seals."""
    rows = log.database.rows(STREAM_SQL["unsealed_streams"], minimum=minimum)
    return sum(_seal(log, str(row["stream"]), minimum) for row in rows)


def seal_sha256(reader: Reader, stream: str, previous: str, first_seq: int, last_seq: int) -> str:
    """Compute the seal of a range of stored events after the seal `previous`."""
    sha256 = hashlib.sha256(previous.encode())
    after = first_seq - 1
    while rows := reader.rows(
        SQL["sealed_lines"], stream=stream, after_seq=after, last_seq=last_seq, limit=PAGE
    ):
        for row in rows:
            sha256.update(" ".join(map(str, row.values())).encode() + b"\n")
        after = int(rows[-1]["seq"] or 0)
    return sha256.hexdigest()


def insert_seal(tx: Transaction, stream: str, first_seq: int, last_seq: int, sha256: str) -> None:
    """Store a seal that follows the last one of a held stream."""
    tx.run(SQL["insert_seal"], stream=stream, first_seq=first_seq, last_seq=last_seq, sha256=sha256)
    tx.run(STREAM_SQL["set_sealed_seq"], stream=stream, sealed_seq=last_seq)


def _seal(log: Log, stream: str, minimum: int) -> int:
    with log.database.transaction() as tx:
        last_seq = log.lock_stream(tx, stream)
        previous = tx.rows(SQL["last_seal"], stream=stream)
        first_seq = int(previous[0]["last_seq"] or 0) + 1 if previous else 1
        if last_seq - first_seq + 1 < minimum:
            return 0
        before = str(previous[0]["sha256"]) if previous else ""
        sha256 = seal_sha256(tx, stream, before, first_seq, last_seq)
        insert_seal(tx, stream, first_seq, last_seq, sha256)
        return 1
