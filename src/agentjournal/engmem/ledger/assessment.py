"""What a user thought of a document that a search had shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, get_args

from agentjournal.engmem.ledger.rows import ledger_rows, text_of
from agentjournal.errors import InputError
from agentjournal.text.bounded import clip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.ledger.rows import Row
    from agentjournal.engmem.ledger.stamp import Stamp

__all__ = ["FEEDBACK", "VERDICTS", "Assessment", "Verdict", "assessments", "read_verdict"]

FEEDBACK = "feedback.jsonl"

Verdict = Literal["helped", "not-applicable", "harmful"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_USER = "user"
_SHOWN = 80  # bytes of a verdict that is none


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """One verdict on one find; `decision` and `source` are the user's words."""

    session: str
    document: str
    verdict: Verdict
    decision: str | None = None
    source: str | None = None
    channel: str = "unknown"

    @classmethod
    def of(cls, row: Row) -> Self | None:
        """Take a row, or None where it is no assessment by a user."""
        verdict = row.get("assessment")
        try:
            session, document = text_of(row, "session_id"), text_of(row, "doc_id")
            if verdict not in VERDICTS or row.get("assessed_by") != _USER:
                return None
            if session is None or document is None:
                return None
            return cls(
                session=session,
                document=document,
                verdict=verdict,
                decision=text_of(row, "decision"),
                source=text_of(row, "source"),
                channel=text_of(row, "channel") or "unknown",
            )
        except ValueError:
            return None

    def line(self, stamp: Stamp) -> dict[str, object]:
        """Give the row that holds it."""
        return {
            "ts": stamp.ts,
            "session_id": self.session,
            "doc_id": self.document,
            "assessment": self.verdict,
            "assessed_by": _USER,
            "decision": self.decision,
            "source": self.source,
            "channel": stamp.channel,
        }


def read_verdict(text: str) -> Verdict:
    """Read one of the three verdicts.

    Raises:
        InputError: it is none of them.
    """
    if text not in VERDICTS:
        raise InputError(
            f"unknown assessment {clip(text, _SHOWN)!r}.",
            next=f"Give one of {', '.join(VERDICTS)}.",
        )
    return text


def assessments(root: Path) -> Iterator[Assessment | None]:
    """Give every assessment of a store in order, None for a line that is none.

    Raises:
        InputError: the ledger cannot be read.
    """
    return (None if row is None else Assessment.of(row) for row in ledger_rows(root, FEEDBACK))
