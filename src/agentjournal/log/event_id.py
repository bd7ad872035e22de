"""A whole id from what a person copied: its beginning or its end, as reads print it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError, NotFoundError
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from agentjournal.storage.database import Reader
    from agentjournal.storage.statement import Statement

__all__ = ["full_event_id", "full_id"]

SQL = load_statements(__package__, "sql/event_id.sql")
_PART = re.compile(r"[0-9a-f-]{8,36}", re.ASCII)


def full_event_id(reader: Reader, text: str) -> str:
    """Give the id of the one event whose id this is, or begins or ends so: 8 characters or more.

    Raises:
        NotFoundError: there is no such event.
        InputError: several ids begin or end so.
    """
    return full_id(reader, text, "event", SQL["event_id"], SQL["event_ids_by_part"])


def full_id(reader: Reader, text: str, what: str, exact: Statement, by_part: Statement) -> str:
    """Give the one id that two statements know: `exact` takes `id`, `by_part` `first` and `last`.

    Raises:
        NotFoundError: there is none.
        InputError: there are several.
    """
    rows = reader.rows(exact, id=text)
    if not rows and _PART.fullmatch(text):
        rows = reader.rows(by_part, first=f"{text}%", last=f"%{text}")
    if not rows:
        raise NotFoundError(
            f"There is no {what} {text!r}.",
            next="Copy an id from `agentjournal context`, `why` or `history`.",
        )
    if len(rows) > 1:
        remedy = "Give more of it."
        fault = Fault(field="id", rule=f"names one {what}", got=f"{text!r}, several", remedy=remedy)
        raise InputError(f"Several {what}s begin or end in {text!r}.", faults=(fault,), next=remedy)
    return str(rows[0]["id"])
