"""What recall cost: bytes that searches, reads and briefs delivered, and baseline calls."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentjournal.engmem.review.ledger import Ledger

__all__ = ["Recalled", "Session", "recalled"]

_DELIVERIES = ("search", "read")
_MOST = 10**15  # of a count that somebody meant
_BRIEF = "brief"


@dataclass(frozen=True, kw_only=True)
class Session:
    """What one session got delivered; `baseline_tokens` is None where no call reported any."""

    session: str
    searches: int
    reads: int
    briefs: int
    bytes: int
    baseline_tokens: int | None


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """The cost of recall by session and in all, or why it is unmeasured.

    `unattributed` counts the bytes that no session named. Tokens are an estimate of the bytes.
    """

    sessions: tuple[Session, ...]
    deliveries: int
    bytes: int
    unattributed: int
    unreadable: int
    unmeasured: str | None


def recalled(costs: Ledger, telemetry: Ledger) -> Recalled:
    """Add up what was delivered: by the ledger of costs, and by searches that measured themselves.

    Other tools write a row of cost beside each search's telemetry; ours says all in one.
    """
    by_session: dict[str | None, list[Mapping[str, object]]] = defaultdict(list)
    known = [row for row in costs.rows if _is_delivery(row) or row.get("op") == "baseline"]
    for row in [*_once(known), *_measured(telemetry)]:
        by_session[_session(row)].append(row)
    rows = [row for each in by_session.values() for row in each if _is_delivery(row)]
    return Recalled(
        sessions=tuple(
            _totals(session, by_session[session]) for session in sorted(filter(None, by_session))
        ),
        deliveries=len(rows),
        bytes=_bytes(rows),
        unattributed=_bytes(row for row in by_session[None] if _is_delivery(row)),
        unreadable=costs.unreadable + len(costs.rows) - len(known),
        unmeasured=costs.unmeasured or telemetry.unmeasured,
    )


def _once(rows: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Leave out what repeats an operation."""
    return list({_named(row, "op_id") or place: row for place, row in enumerate(rows)}.values())


def _measured(telemetry: Ledger) -> Iterator[Mapping[str, object]]:
    for row in telemetry.rows:
        if _is_count(delivered := row.get("delivered_bytes")):
            yield {**row, "op": "search", "bytes": delivered}


def _totals(session: str, rows: list[Mapping[str, object]]) -> Session:
    delivered = [row for row in rows if _is_delivery(row)]
    briefs = [row for row in delivered if row.get("channel") == _BRIEF]
    asked = [row for row in delivered if row.get("channel") != _BRIEF]
    return Session(
        session=session,
        searches=sum(row["op"] == "search" for row in asked),
        reads=sum(row["op"] == "read" for row in asked),
        briefs=len(briefs),
        bytes=_bytes(delivered),
        baseline_tokens=_baseline(row for row in rows if row.get("op") == "baseline"),
    )


def _baseline(rows: Iterable[Mapping[str, object]]) -> int | None:
    """Add the tokens of the baseline calls; a call that was told again counts as told last."""
    calls: dict[str | int, object] = {}
    for place, row in enumerate(rows):
        calls[_named(row, "call_id") or place] = row.get("tokens")
    told = [tokens for tokens in calls.values() if _is_count(tokens)]
    return sum(told) if told else None  # type: ignore[arg-type] # counts only


def _session(row: Mapping[str, object]) -> str | None:
    return str(row["session_id"]) if row.get("session_id") else None


def _named(row: Mapping[str, object], key: str) -> str:
    name = row.get(key)
    return name if isinstance(name, str) else ""


def _is_delivery(row: Mapping[str, object]) -> bool:
    return row.get("op") in _DELIVERIES and _is_count(row.get("bytes"))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _bytes(rows: Iterable[Mapping[str, object]]) -> int:
    return sum(int(str(row["bytes"])) for row in rows)
