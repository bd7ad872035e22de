"""The reaper: no attempt stays open whose worker is gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.execution.closing import close_if
from agentjournal.execution.ending import Ending
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.execution.ending import Written
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row

__all__ = [
    "OpenAttempt",
    "Presence",
    "Reaped",
    "Reason",
    "open_attempts",
    "reap",
    "reason_to_reap",
]

SQL = load_statements("agentjournal.execution", "sql/write/lease.sql")

Reason = Literal["its lease ran out", "its wrapper is gone"]


@dataclass(frozen=True, kw_only=True)
class Presence:
    """What is true of the machine that reaps, and the one thing that it may end.

    `is_alive(pid, started)` says whether exactly that process runs; `end_group(pid, started)` ends
    the process group of exactly that leader.
    """

    host: str
    boot: str
    is_alive: Callable[[int, str], bool]
    end_group: Callable[[int, str], object]


@dataclass(frozen=True, kw_only=True)
class OpenAttempt:
    """An open attempt with what its lease says; one without a lease was imported: it has run out."""

    id: str  # the claim's
    slug: str
    task: str
    number: int
    token_sha256: str
    opened_at: str
    until: str | None
    host: str | None
    boot: str | None
    pid: int | None
    started: str | None
    worker_pid: int | None
    worker_started: str | None


@dataclass(frozen=True, kw_only=True)
class Reaped:
    """One attempt that the reaper closed, and why."""

    slug: str
    task: str
    number: int
    claim_id: str
    reason: Reason
    step: str


def reap(  # noqa: PLR0913 - who reaps, when, what
    log: Log,
    presence: Presence,
    *,
    new_id: Callable[[], str],
    at: str,
    slug: str | None = None,
    actor: str = "reaper",
    left: Callable[[OpenAttempt], Written] | None = None,
) -> list[Reaped]:
    """Close every attempt whose worker is gone: of one project, or of all.

    On this machine the worker's process group is ended first; then `left` says what the worker had
    handed off, if anything. Two reapers at once give one close.
    """
    with log.database.snapshot() as reader:
        slugs = [slug] if slug is not None else _slugs(reader)
        due = [found for each in slugs for found in _due(reader, each, presence)]
    reaper = _Reaper(log, presence, new_id, at, actor, left)
    return [reaped for attempt, reason in due if (reaped := reaper.close(attempt, reason))]


def open_attempts(reader: Reader, slug: str) -> list[OpenAttempt]:
    """Give every open attempt of a project, in the plan's order."""
    return [_read(row) for row in reader.rows(SQL["open_attempts"], slug=slug)]


def reason_to_reap(attempt: OpenAttempt, presence: Presence, now: str) -> Reason | None:
    """Say why an attempt has to be closed; None where its worker may be at work."""
    if attempt.until is None or attempt.until < now:
        return "its lease ran out"
    if attempt.host != presence.host or attempt.pid is None:
        return None
    is_here = attempt.boot == presence.boot
    if is_here and presence.is_alive(attempt.pid, attempt.started or ""):
        return None
    return "its wrapper is gone"


@dataclass(frozen=True)
class _Reaper:
    log: Log
    presence: Presence
    new_id: Callable[[], str]
    at: str
    actor: str
    left: Callable[[OpenAttempt], Written] | None

    def close(self, attempt: OpenAttempt, reason: Reason) -> Reaped | None:
        """End the worker, then close: a reaper that dies in between leaves that to the next one."""

        def is_due(reader: Reader) -> bool:
            found = _due(reader, attempt.slug, self.presence)
            return any(each.id == attempt.id for each, _ in found)

        with self.log.database.snapshot() as reader:
            if not is_due(reader):
                return None
        self._end_worker(attempt)
        written = self.left(attempt) if self.left else None
        ending = _ending(attempt, self.new_id(), self.at, self.actor)
        if close_if(self.log, ending, is_due, written, new_id=self.new_id) is None:
            return None
        return Reaped(
            slug=attempt.slug,
            task=attempt.task,
            number=attempt.number,
            claim_id=attempt.id,
            reason=reason,
            step=ending.id,
        )

    def _end_worker(self, attempt: OpenAttempt) -> None:
        here = (self.presence.host, self.presence.boot)
        is_here = (attempt.host, attempt.boot) == here
        if is_here and attempt.worker_pid is not None and attempt.worker_started:
            self.presence.end_group(attempt.worker_pid, attempt.worker_started)


def _due(reader: Reader, slug: str, presence: Presence) -> list[tuple[OpenAttempt, Reason]]:
    now = reader.now()
    found = open_attempts(reader, slug)
    return [(a, reason) for a in found if (reason := reason_to_reap(a, presence, now))]


def _slugs(reader: Reader) -> list[str]:
    return [str(row["slug"]) for row in reader.rows(SQL["projects_with_open_attempts"])]


def _read(row: Row) -> OpenAttempt:
    return OpenAttempt(**row)  # type: ignore[arg-type]  # the columns' types


def _ending(attempt: OpenAttempt, id: str, at: str, actor: str) -> Ending:  # noqa: A002 - the column
    return Ending(
        id=id,
        project_slug=attempt.slug,
        plan_ref=attempt.task,
        attempt=attempt.token_sha256,
        actor=actor,
        started_at=attempt.opened_at,
        ended_at=at,
        end="no_stop_event",
    )
