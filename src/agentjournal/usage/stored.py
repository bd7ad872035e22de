"""Reads a call back from its row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from agentjournal.usage.call import Break, Call, Source
from agentjournal.usage.record import Dialect, Usage
from agentjournal.usage.subject import Subject

if TYPE_CHECKING:
    from agentjournal.storage.database import Row

__all__ = ["break_of", "call_of"]


def call_of(row: Row) -> Call:
    """Give the call that this row was made from."""
    return Call(
        id=str(row["id"]),
        at=str(row["at"]),
        usage=_usage_of(row),
        subject=_subject_of(row),
        model=str(row["model"]),
        lane=_text(row, "lane"),
        source=cast("Source", row["source"]),
        ms=_count(row, "ms"),
    )


def break_of(row: Row) -> Break:
    """Give the break that this row was made from."""
    return Break(
        id=str(row["id"]),
        at=str(row["at"]),
        subject=_subject_of(row),
        model=str(row["model"]),
        source=cast("Source", row["source"]),
        turn=_count(row, "turn"),
        block=_text(row, "block"),
        path=_text(row, "path"),
        byte=_count(row, "byte"),
        cause=str(row["cause"]),
        detail=str(row["detail"]),
        lost=_count(row, "lost"),
    )


def _subject_of(row: Row) -> Subject:
    """Give for whom the row counts."""
    return Subject(
        component=str(row["component"]),
        owner=_text(row, "owner"),
        project=_text(row, "project"),
        task=_text(row, "task"),
        attempt=_text(row, "attempt"),
        thread=_text(row, "thread"),
    )


def _usage_of(row: Row) -> Usage:
    native, violations = _text(row, "native"), _text(row, "violations")
    return Usage(
        input_total=_count(row, "input_total"),
        cache_read=_count(row, "cache_read"),
        cache_write=_count(row, "cache_write"),
        cache_write_5m=_count(row, "cache_write_5m"),
        cache_write_1h=_count(row, "cache_write_1h"),
        output=_count(row, "output"),
        reasoning=_count(row, "reasoning"),
        model=str(row["model"]) or None,
        dialect=cast("Dialect | None", row["dialect"]),
        native=json.loads(native) if native else None,
        violations=tuple(violations.split("\n")) if violations else (),
    )


def _count(row: Row, name: str) -> int | None:
    value = row[name]
    return value if isinstance(value, int) else None


def _text(row: Row, name: str) -> str | None:
    value = row[name]
    return value if isinstance(value, str) else None
