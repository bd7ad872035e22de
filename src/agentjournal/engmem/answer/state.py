"""The lines after a result: what could not be read, how big the store is, what was not recorded."""

from __future__ import annotations

from datetime import date

from agentjournal.engmem.answer.page import ALWAYS, Line
from agentjournal.engmem.answer.spelled import ID, spelled
from agentjournal.engmem.strays import Strays
from agentjournal.text.visible import one_line
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.answer.request import Channel
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.index.counts import Counts
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["drafts_line", "note", "scoreboard", "strays_line", "unattributed", "unread_lines"]

DRAFTS = 5  # named
FILES = 3
UNREAD = 300  # bytes
NOTE = 250

_STRAYS = 105
_DRAFTS = 45
_UNREAD = 65
_NOTE = 120


def scoreboard(counts: Counts, today: date) -> Line:
    """Say how many documents there are, in what state, and how old the newest is."""
    parts = {
        "partial spine": counts.partial,
        "degraded": counts.degraded,
        "failed to load": counts.failed,
    }
    told = ", ".join(f"{count} {what}" for what, count in parts.items() if count)
    total = f"docs: {counts.total}" + (f" ({told})" if told else "")
    return Line(f"{total} | drafts: {counts.drafts} | last doc: {_age(counts.newest, today)}")


def strays_line(names: Sequence[str]) -> list[Line]:
    """Say that files lie where no search looks; they may hold what was not found."""
    told = Strays(tuple(names)).note()
    return [Line(told, _STRAYS)] if told else []


def drafts_line(drafts: Sequence[Header]) -> list[Line]:
    """Name the drafts that would answer."""
    if not drafts:
        return []
    named = ", ".join(spelled(each.id, ID // 2) for each in drafts[:DRAFTS])
    more = f" +{len(drafts) - DRAFTS} more" if len(drafts) > DRAFTS else ""
    told = (
        "unsaved drafts also match (not reviewed at save, not ranked, not citable): "
        f"{named}{more} -- read one with `engmem read <id>` (MCP: engmem_read)"
    )
    return [Line(told, _DRAFTS)]


def unread_lines(index: StoreIndex) -> list[Line]:
    """Name the files that were not loaded and those that were read with faults, a line each."""
    failed = [f"{each.file} ({each.reason})" for each in index.failures[:FILES]]
    degraded = [f"{file} ({'; '.join(faults)})" for file, faults in index.degraded[:FILES]]
    return [
        *_unread("not loaded", failed, len(index.failures)),
        *_unread("read with faults", degraded, len(index.degraded)),
    ]


def unattributed(channel: Channel) -> Line:
    """Say how a search is counted for the session it belongs to."""
    how = "--session" if channel == "cli" else "session_id"
    return Line(f"note: unattributed search — pass {how} <draft-id>", _NOTE)


def note(text: str) -> Line:
    """Give a note that must be read."""
    return Line(f"note: {one_line(text, NOTE)}", ALWAYS)


def _unread(what: str, named: Sequence[str], count: int) -> list[Line]:
    if not named:
        return []
    more = f", +{count - len(named)} more" if count > len(named) else ""
    return [Line(f"{what}: {one_line(', '.join(named), UNREAD)}{more}", _UNREAD)]


def _age(newest: str, today: date) -> str:
    if not newest:
        return "never"
    return f"{max((today - date.fromisoformat(newest)).days, 0)}d ago"
