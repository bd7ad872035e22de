"""Desks that nobody cleared, because their wrapper was killed after it had closed the attempt."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agentjournal.orchestrator.desk import Desk
from agentjournal.storage.statement import load_statements
from agentjournal.system.files import list_inside

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["LEFT_SECONDS", "clear_leftovers"]

SQL = load_statements(__package__, "sql/leftover.sql")
LEFT_SECONDS = 24 * 60 * 60  # a worker whose attempt was closed elsewhere may still be writing


def clear_leftovers(shop: Workshop) -> None:
    """Take away the desks of closed attempts that were not touched for a day, tokens and all.

    A desk that this store knows nothing of belongs to another one, and stays.
    """
    if not shop.attempts.is_dir():
        return
    before = shop.clock.now().timestamp() - LEFT_SECONDS
    for name in list_inside(shop.attempts).folders:
        is_old = _changed_at(shop.attempts / name) < before
        if is_old and shop.log.database.rows(SQL["closed_attempt"], id=name):
            Desk.of(shop.attempts, name).clear()


def _changed_at(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # its own wrapper was faster
        return math.inf
