"""Where a turn's words may have gone: what takes back a turn takes back no distillation of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.lanes.lane import SQL
from agentjournal.lanes.owner import is_owner

if TYPE_CHECKING:
    from agentjournal.log.log import Log

__all__ = ["distilled_from"]


def distilled_from(log: Log, id: str) -> list[str]:  # noqa: A002 - the column's name
    """Give the ids of the consolidations that may hold words of a turn, in order.

    These are the one that distilled it and all since, because each takes over who the owner was.
    Those that are taken back already are left out. Whoever redacts a turn looks at them too.
    """
    with log.database.snapshot() as reader:
        event = log.find(reader, id)
        if event is None or event.kind != "turn" or not is_owner(event.stream):
            return []
        place = reader.rows(SQL["turn_at"], stream=event.stream, seq=event.seq)[0]
        rows = reader.rows(SQL["distilled_since"], stream=event.stream, n=place["n"])
        hidden = log.hidden(reader, event.stream)
        return [str(row["id"]) for row in rows if row["id"] not in hidden]
