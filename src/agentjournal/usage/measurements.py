"""The measurement file: calls, breaks, touches and lanes, beside the log and never in its way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentjournal.storage.migrations import MigrationSet, migrate
from agentjournal.storage.statement import load_statements
from agentjournal.usage.call import Break, Call, Touch
from agentjournal.usage.stored import break_of, call_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentjournal.storage.database import Database, Row, Value
    from agentjournal.usage.lane import Capability, Lane
    from agentjournal.usage.subject import Subject

__all__ = ["Measurements"]

_SQL = load_statements(__package__, "sql/measurement.sql")
_TABLES = MigrationSet("usage", "agentjournal.usage.migrations")
_NATIVE_BYTES = 8_000
_PAGE = 1_000


class Measurements:
    """One measurement file; what is stored again under the same id changes nothing.

    Only a call that an import read while it was being written takes the counts of its end.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        migrate(database, [_TABLES])

    def store(self, measured: Iterable[Call | Break | Touch]) -> int:
        """Store them in one transaction and give how many were new, or new at their end."""
        new = 0
        with self.database.transaction() as transaction:
            for one in measured:
                name, values = _row(one)
                new += transaction.run(_SQL[name], **values)
        return new

    def calls(self, *, since: str = "", project: str | None = None) -> list[Call]:
        """Give the calls from a moment on, in the order of time."""
        return list(self.each_call(since=since, project=project))

    def each_call(self, *, since: str = "", project: str | None = None) -> Iterator[Call]:
        """Give the same one by one: no more than a page of them is held."""
        return map(call_of, self._each("calls", since, project))

    def calls_after(self, call: tuple[str, str], limit: int = _PAGE) -> list[Call]:
        """Give the calls that come after the one with that time and id."""
        at, id_ = call
        rows = self.database.rows(_SQL["calls"], at=at, id=id_, project=None, limit=limit)
        return [call_of(row) for row in rows]

    def last_call(self) -> tuple[str, str]:
        """Give time and id of the newest call, blank where there is none."""
        rows = self.database.rows(_SQL["last_call"])
        return (str(rows[0]["at"]), str(rows[0]["id"])) if rows else ("", "")

    def breaks(self, *, since: str = "", project: str | None = None) -> list[Break]:
        """Give the broken prefixes from a moment on, in the order of time."""
        return list(self.each_break(since=since, project=project))

    def each_break(self, *, since: str = "", project: str | None = None) -> Iterator[Break]:
        """Give the same one by one."""
        return map(break_of, self._each("breaks", since, project))

    def newest_breaks(
        self, limit: int, *, since: str = "", project: str | None = None
    ) -> list[Break]:
        """Give so many of the newest broken prefixes, the newest first."""
        rows = self.database.rows(_SQL["newest_breaks"], since=since, project=project, limit=limit)
        return [break_of(row) for row in rows]

    def each_touch(self, *, since: str = "", project: str | None = None) -> Iterator[Row]:
        """Give the touched files from a moment on, in the order of time, one by one."""
        return self._each("touches", since, project)

    def _each(self, name: str, since: str, project: str | None) -> Iterator[Row]:
        at, id_ = since, ""
        while rows := self.database.rows(_SQL[name], at=at, id=id_, project=project, limit=_PAGE):
            yield from rows
            at, id_ = str(rows[-1]["at"]), str(rows[-1]["id"])

    def lanes(self) -> dict[Lane, Capability]:
        """Give what is known of every lane."""
        rows = self.database.rows(_SQL["lanes"])
        return {(str(row["lane"]), str(row["model"])): row["capability"] for row in rows}  # type: ignore[misc] # closed words in, closed words out

    def store_lanes(self, lanes: Mapping[Lane, Capability]) -> None:
        """Store what is known of these lanes."""
        with self.database.transaction() as transaction:
            for (lane, model), capability in lanes.items():
                transaction.run(_SQL["upsert_lane"], lane=lane, model=model, capability=capability)


def _row(one: Call | Break | Touch) -> tuple[str, dict[str, Value]]:
    match one:
        case Call():
            return "insert_completion", _call_row(one)
        case Break():
            return "insert_break", _break_row(one)
        case Touch():
            subject = _subject_row(one.subject)
            row = {"id": one.id, "at": one.at, "kind": one.kind, "path": one.path}
            return "insert_touch", {**subject, **row}


def _subject_row(subject: Subject) -> dict[str, Value]:
    return {
        "component": subject.component,
        "owner": subject.owner,
        "project": subject.project,
        "task": subject.task,
        "attempt": subject.attempt,
        "thread": subject.thread,
    }


def _call_row(call: Call) -> dict[str, Value]:
    usage = call.usage
    native = json.dumps(usage.native, default=str) if usage.native else None
    return {
        **_subject_row(call.subject),
        "id": call.id,
        "at": call.at,
        "source": call.source,
        "model": call.model,
        "dialect": usage.dialect,
        "lane": call.lane,
        "input_total": usage.input_total,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "cache_write_5m": usage.cache_write_5m,
        "cache_write_1h": usage.cache_write_1h,
        "output": usage.output,
        "reasoning": usage.reasoning,
        "ms": call.ms,
        "violations": "\n".join(usage.violations) or None,
        "native": native if native and len(native) <= _NATIVE_BYTES else None,
    }


def _break_row(one: Break) -> dict[str, Value]:
    return {
        **_subject_row(one.subject),
        "id": one.id,
        "at": one.at,
        "source": one.source,
        "model": one.model,
        "turn": one.turn,
        "block": one.block,
        "path": one.path,
        "byte": one.byte,
        "cause": one.cause,
        "detail": one.detail,
        "lost": one.lost,
    }
