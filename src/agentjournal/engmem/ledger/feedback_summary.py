"""What became of the finds: helped, not applicable, harmful, or nobody said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.assessment import VERDICTS, assessments
from agentjournal.engmem.ledger.cost_row import Delivery, cost_rows
from agentjournal.engmem.ledger.finds import read_finds
from agentjournal.text.bounded import fit
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.engmem.ledger.assessment import Assessment
    from agentjournal.engmem.ledger.finds import Finds
    from agentjournal.engmem.ledger.known import Known

__all__ = ["Feedback", "Find", "read_feedback"]

LIST = 16_000  # bytes of the finds that are listed
_ID = 200
_SAID = 400  # bytes of a decision or a source
_NAMED = 300
CAVEAT = (
    "an assessment says what the user saw, not what caused it; it is no comparison with work"
    " without memory, and no part of the review's count"
)


@dataclass(frozen=True, kw_only=True)
class Find:
    """A document that a session was shown, and the latest verdict on it."""

    session: str
    document: str
    is_weak: bool
    is_read: bool
    said: Assessment | None


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """The finds of one session or of all; the counts below are left out of them.

    `orphans` are sessions of searches that no document has, `unmatched` verdicts on no find.
    """

    session: str | None
    finds: tuple[Find, ...]
    orphans: tuple[str, ...]
    unmatched: int
    unreadable: int

    def count(self, verdict: str | None) -> int:
        """Count the finds with that verdict, None for those without any."""
        return sum((each.said.verdict if each.said else None) == verdict for each in self.finds)

    def text(self) -> str:
        """Give the counts, then the verdicts; for one session also what nobody assessed."""
        whose = "" if self.session is None else f" of session {one_line(self.session, _ID)}"
        sessions = len({each.session for each in self.finds})
        weak = sum(each.is_weak for each in self.finds)
        counts = ", ".join(f"{verdict} {self.count(verdict)}" for verdict in VERDICTS)
        lines = [
            f"feedback{whose}: {len(self.finds)} find(s) in {sessions} session(s)",
            f"  assessed  {len(self.finds) - self.count(None):>6}   {counts}",
            f"  unknown   {self.count(None):>6}   not assessed: neither a success nor a failure",
            f"  weak      {weak:>6}   shown as weak candidates only",
            *self._listed(),
            *self._left_out(),
            f"caveat: {CAVEAT}",
        ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Give finds and counts as plain values, for `--json`."""
        return {
            "session": self.session,
            "counts": {verdict: self.count(verdict) for verdict in VERDICTS}
            | {"unknown": self.count(None)},
            "finds": [_data(each) for each in self.finds],
            "orphans": list(self.orphans),
            "unmatched": self.unmatched,
            "unreadable": self.unreadable,
            "caveat": CAVEAT,
        }

    def _listed(self) -> list[str]:
        order = (*VERDICTS, *(() if self.session is None else (None,)))
        rows = [
            _line(each, is_alone=self.session is not None)
            for verdict in order
            for each in self.finds
            if (each.said.verdict if each.said else None) == verdict
        ]
        return [fit(rows, LIST, lambda left: f"  ({left} more, all in --json)")] if rows else []

    def _left_out(self) -> list[str]:
        named = one_line(", ".join(self.orphans), _NAMED)
        counted = {
            f"searches' sessions that no document has, not counted ({named})": len(self.orphans),
            "assessments of no find, not counted": self.unmatched,
            "unreadable lines of the ledgers, skipped": self.unreadable,
        }
        return [f"note: {words}: {count}" for words, count in counted.items() if count]


def read_feedback(root: Path, known: Known, session: str | None = None) -> Feedback:
    """Put each find beside the latest verdict on it; `[read]` marks come from the costs.

    Raises:
        InputError: a ledger cannot be read.
    """
    finds = read_finds(root, session)
    said, unreadable = _latest(root)
    read, unreadable_costs = (set(), 0) if session is None else _read_by(root, session)
    orphans = sorted(each for each in finds.by_session if known.header(each) is None)
    kept = _finds(finds, {*orphans}, said, read)
    matched = {(each.session, each.document) for each in kept}
    asked = [pair for pair in said if session in {None, pair[0]}]
    return Feedback(
        session=session,
        finds=kept,
        orphans=tuple(orphans),
        unmatched=sum(pair not in matched for pair in asked),
        unreadable=unreadable + unreadable_costs + finds.unreadable,
    )


def _latest(root: Path) -> tuple[dict[tuple[str, str], Assessment], int]:
    said: dict[tuple[str, str], Assessment] = {}
    unreadable = 0
    for each in assessments(root):
        if each is None:
            unreadable += 1
        else:
            said[each.session, each.document] = each
    return said, unreadable


def _read_by(root: Path, session: str) -> tuple[set[str], int]:
    read: set[str] = set()
    unreadable = 0
    for row in cost_rows(root):
        unreadable += row is None
        if isinstance(row, Delivery) and row.is_read and row.session == session and row.doc_id:
            read.add(row.doc_id)
    return read, unreadable


def _finds(
    finds: Finds,
    orphans: set[str],
    said: Mapping[tuple[str, str], Assessment],
    read: set[str],
) -> tuple[Find, ...]:
    return tuple(
        Find(
            session=session,
            document=document,
            is_weak=is_weak,
            is_read=document in read,
            said=said.get((session, document)),
        )
        for session, shown in sorted(finds.by_session.items())
        if session not in orphans
        for document, is_weak in sorted(shown.items())
    )


def _line(find: Find, *, is_alone: bool) -> str:
    pair = f"{one_line(find.session, _ID)} -> {one_line(find.document, _ID)}"
    read = " [read]" if is_alone and find.is_read else ""
    if find.said is None:
        weak = " [weak candidate]" if find.is_weak else ""
        return f"  unknown: {pair}{weak}{read}"
    words = [
        f"{name}: {one_line(text, _SAID)}"
        for name, text in (("decision", find.said.decision), ("source", find.said.source))
        if text
    ]
    told = f"; {'; '.join(words)}" if words else ""
    via = one_line(find.said.channel, _ID)
    return f"  {find.said.verdict}: {pair}{read} (the user, over {via}){told}"


def _data(find: Find) -> dict[str, object]:
    said = find.said
    return {
        "session": find.session,
        "document": find.document,
        "is_weak": find.is_weak,
        "is_read": find.is_read,
        "assessment": said.verdict if said else None,
        "decision": said.decision if said else None,
        "source": said.source if said else None,
        "channel": said.channel if said else None,
    }
