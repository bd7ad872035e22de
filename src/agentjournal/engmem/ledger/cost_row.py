"""What was delivered to a session, and what a client said its plan without memory took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.rows import count_of, ledger_rows, number_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.ledger.rows import Row
    from agentjournal.engmem.ledger.stamp import Stamp

__all__ = ["COST", "Baseline", "Delivery", "cost_rows", "read_delivery"]

COST = "cost.jsonl"


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One text that a search or a read handed over, in bytes."""

    op_id: str | None
    session: str | None
    channel: str
    is_read: bool
    bytes: int
    doc_id: str | None


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """What a client reported for its one call without memory: tokens, seconds or both.

    `call_id` is the client's own name of that call, if it has one.
    """

    session: str | None
    tokens: int | None = None
    seconds: float | None = None
    call_id: str | None = None
    channel: str = "unknown"
    op_id: str | None = None


def cost_rows(root: Path) -> Iterator[Delivery | Baseline | None]:
    """Give every row of a store's cost ledger, None for a line that cannot be taken.

    Raises:
        InputError: the ledger cannot be read.
    """
    return (None if row is None else _taken(row) for row in ledger_rows(root, COST))


def read_delivery(
    stamp: Stamp, *, session: str | None, delivered: int, doc_id: str, role: str | None
) -> dict[str, object]:
    """Give the line that says how many bytes a read handed over."""
    return {
        "ts": stamp.ts,
        "engmem_version": stamp.version,
        "op_id": stamp.op_id,
        "op": "read",
        "session_id": session,
        "channel": stamp.channel,
        "bytes": delivered,
        "doc_id": doc_id,
        "role": role,
    }


def _taken(row: Row) -> Delivery | Baseline | None:
    try:
        match row.get("op"):
            case "search" | "read" as op:
                return _delivery(row, is_read=op == "read")
            case "baseline":
                return _baseline(row)
            case _:
                return None
    except ValueError:
        return None


def _delivery(row: Row, *, is_read: bool) -> Delivery | None:
    delivered = count_of(row, "bytes")
    if delivered is None:
        return None
    return Delivery(
        op_id=text_of(row, "op_id"),
        session=text_of(row, "session_id"),
        channel=text_of(row, "channel") or "unknown",
        is_read=is_read,
        bytes=delivered,
        doc_id=text_of(row, "doc_id"),
    )


def _baseline(row: Row) -> Baseline | None:
    tokens, seconds = count_of(row, "tokens"), number_of(row, "seconds")
    if not tokens and not seconds:
        return None
    return Baseline(
        op_id=text_of(row, "op_id"),
        session=text_of(row, "session_id"),
        channel=text_of(row, "channel") or "unknown",
        tokens=tokens or None,
        seconds=seconds or None,
        call_id=text_of(row, "call_id"),
    )
