"""The checks of `doctor`: each says ok, warn or fail, why, and what to do next."""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agentjournal.compose.round_trip import round_trip
from agentjournal.errors import AgentJournalError
from agentjournal.log.verify import inspect

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.compose.services import Services

__all__ = ["Finding", "examine"]

Verdict = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One check and its outcome."""

    check: str
    verdict: Verdict
    detail: str
    next: str = ""


def examine(services: Services) -> list[Finding]:
    """Run every check; a check that cannot be made fails with the reason."""
    checks: dict[str, Callable[[Services], Finding]] = {
        "python": _python,
        "git": _git,
        "settings": _settings,
        "project": _project,
        "store": _store,
        "log": _log,
        "spool": _spool,
        "documents": _documents,
        "postgres": _postgres,
        "round trip": _round_trip,
    }
    return [_checked(name, check, services) for name, check in checks.items()]


def _checked(name: str, check: Callable[[Services], Finding], services: Services) -> Finding:
    try:
        return check(services)
    except AgentJournalError as error:
        return Finding(check=name, verdict="fail", detail=error.message, next=error.next)


def _python(_services: Services) -> Finding:
    return Finding(check="python", verdict="ok", detail=sys.version.split()[0])


def _git(_services: Services) -> Finding:
    path = shutil.which("git")
    if path is None:
        return Finding(check="git", verdict="fail", detail="not found", next="Install git.")
    return Finding(check="git", verdict="ok", detail=path)


def _settings(services: Services) -> Finding:
    file = services.settings.config_file
    detail = str(file) if file.exists() else f"defaults (there is no {file})"
    return Finding(check="settings", verdict="ok", detail=detail)


def _project(services: Services) -> Finding:
    settings = services.settings
    if settings.project_slug is None:
        return Finding(
            check="project",
            verdict="warn",
            detail="this folder belongs to none",
            next="Run `agentjournal init` in your repository.",
        )
    return Finding(
        check="project", verdict="ok", detail=f"{settings.project_slug} ({settings.project_file})"
    )


def _store(services: Services) -> Finding:
    if services.log.database.location == ":memory:":
        detail = f"none yet; the first record makes {services.settings.database}"
        return Finding(check="store", verdict="ok", detail=detail)
    facts = services.log.database.facts()
    where = services.log.database.location
    told = ", ".join(f"{name} {value}" for name, value in facts.items())
    if "affected" in facts.values():
        return Finding(
            check="store",
            verdict="warn",
            detail=f"{where}: {told}",
            next="Update apsw: this SQLite has a known fault in its write-ahead log.",
        )
    return Finding(check="store", verdict="ok", detail=f"{where}: {told}")


def _log(services: Services) -> Finding:
    report = inspect(services.log)
    counted = f"{report.events} events in {report.streams} streams"
    if report.is_good:
        return Finding(check="log", verdict="ok", detail=f"{counted}, all as they were written")
    first = report.faults[0]
    return Finding(
        check="log",
        verdict="fail",
        detail=f"{counted}; {first}",
        next="Run `agentjournal db verify`.",
    )


def _spool(services: Services) -> Finding:
    waiting, quarantined = services.spool.counts()
    if waiting or quarantined:
        return Finding(
            check="spool",
            verdict="warn",
            detail=f"{waiting} files wait, {quarantined} are quarantined",
            next=f"Look into {services.spool.folder}.",
        )
    return Finding(check="spool", verdict="ok", detail="nothing waits")


def _documents(services: Services) -> Finding:
    store = services.settings.engmem_store
    if not (store / "sessions").is_dir():
        return Finding(
            check="documents",
            verdict="warn",
            detail=f"there is no {store / 'sessions'}",
            next="Run `engmem install`, or set ENGMEM_HOME; without documents only the log is asked.",
        )
    return Finding(check="documents", verdict="ok", detail=str(store))


def _postgres(_services: Services) -> Finding:
    if find_spec("psycopg") is None:
        return Finding(
            check="postgres",
            verdict="ok",
            detail='not installed; a postgresql:// store needs `pip install "agent-journal[postgres]"`',
        )
    return Finding(check="postgres", verdict="ok", detail="psycopg is installed")


def _round_trip(services: Services) -> Finding:
    """Record and read back in a store of its own, and check that briefs extend."""
    with tempfile.TemporaryDirectory(prefix="agentjournal-doctor-") as folder:
        round_trip(Path(folder) / "doctor.db", services.world)
    return Finding(
        check="round trip", verdict="ok", detail="plan, attempt, close, brief and verify agree"
    )
