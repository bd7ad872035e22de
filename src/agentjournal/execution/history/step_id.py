"""A step's whole id, or that of an item of it, from what reads print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.log.event_id import full_id
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.storage.database import Reader

__all__ = ["full_step_id"]

SQL = load_statements("agentjournal.execution", "sql/read_history.sql")


def full_step_id(reader: Reader, text: str) -> str:
    """Give the id of the one step whose id this is, or begins or ends so: 8 characters or more.

    `<short>#n` gives the id of an item of it, whether there is such an item or not.

    Raises:
        NotFoundError: there is no such step.
        InputError: several ids begin or end so.
    """
    step, mark, position = text.partition("#")
    whole = full_id(reader, step, "step", SQL["step_id"], SQL["steps_by_part"])
    return f"{whole}{mark}{position}"
