"""Ledgers of a store, written as this and other tools write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agentjournal.engmem.ledger.stamp import Stamp
from support.everyday import DRAFT, OLD, ROUTER

if TYPE_CHECKING:
    from pathlib import Path

STAMP = Stamp(
    now=datetime(2026, 11, 30, 9, 0, tzinfo=UTC), version="tool 1", channel="cli", op_id="op-1"
)


def search_row(**fields: Any) -> dict[str, Any]:
    """Give a row of telemetry as the reference writes it."""
    return {
        "ts": "2026-11-30T17:10:10.452320+00:00",
        "engmem_version": "0.1.9",
        "query": "parcel router",
        "session_id": DRAFT,
        "channel": "cli",
        "n_docs": 5,
        "hits": [{"id": ROUTER, "score": 18.1}],
        "surfaced": [ROUTER, OLD],
        "result": "hit",
        "context_bytes": 700,
        "context_tokens_estimate": 200,
        "scope": None,
        **fields,
    }


def cost_row(op: str = "read", **fields: Any) -> dict[str, Any]:
    """Give a row of costs as the reference writes it."""
    return {
        "ts": "2026-11-30T17:10:11.452320+00:00",
        "engmem_version": "0.1.9",
        "op_id": f"{op}-{fields}",
        "op": op,
        "session_id": DRAFT,
        "channel": "cli",
        "bytes": 900,
        **fields,
    }


def write_ledger(root: Path, name: str, *rows: dict[str, Any] | str) -> None:
    """Write the rows, and texts as lines of their own."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (root / name).write_text("".join(f"{line}\n" for line in lines))
