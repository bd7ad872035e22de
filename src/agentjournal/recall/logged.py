"""The claims of the execution log: options that are ruled out, and decisions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard

from agentjournal.execution.citation import short_id
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.execution.reopen_if import note
from agentjournal.recall.claim import Candidates, Claim
from agentjournal.search.rank import Frequencies, Posting, rank
from agentjournal.storage.statement import load_statements
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.recall.claim import Verdict
    from agentjournal.storage.database import Database, Reader, Row

__all__ = ["LoggedClaims"]

SQL = load_statements("agentjournal.recall", "sql/claim.sql")

_MARK = re.compile("[#/]")  # between a step's id and the position in it

# A question costs the same in a log of any age: common words are looked up in the newest claims.
_COUNTED = 2_000
_POSTINGS = 6_000


class LoggedClaims:
    """A source over every project of one store, found by the words that the fold kept.

    What was superseded, reopened, retracted or redacted is not in force and never given.
    """

    name = "log"

    def __init__(self, database: Database, observed: Observed = NOTHING_OBSERVED) -> None:
        self._database = database
        self._observed = observed

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        """Give the claims in force that hold the rarest of these stems."""
        with self._database.snapshot() as reader:
            frequencies = _frequencies(reader, stems)
            best = rank(_postings(reader, frequencies), frequencies, 2 * limit)
            now = self._observed.now or reader.now()
            found = (self._claim(reader, item, now) for item, _ in best)
            return Candidates(tuple(claim for claim in found if claim)[:limit], frequencies)

    def _claim(self, reader: Reader, id_: str, now: str) -> Claim | None:
        for row in reader.rows(SQL["ruled_out"], id=id_):
            told = _texts(row)
            condition = note(told.get("reopen_if"), told.get("observed"), self._observed, now)
            return _read(told, "rejected", told["what"], told["why"], condition)
        for row in reader.rows(SQL["decision"], id=id_):
            told = _texts(row)
            return _read(told, "decided", f"{told['point']}: {told['chosen']}", _reason(told))
        return None


def _read(
    told: Mapping[str, str], verdict: Verdict, what: str, why: str, condition: str = ""
) -> Claim:
    step = _MARK.split(told["id"])[0]
    return Claim(
        id=told["id"],
        what=what,
        verdict=verdict,
        why=why,
        scope=f"{told['slug']} {told['task']}" if "task" in told else told["slug"],
        evidence=f"step {short_id(step)}",
        source="log",
        standing="in force",
        reopen_if=condition or None,
        actor=told["actor"],
        revision=int(told["revision"]),
    )


def _reason(told: Mapping[str, str]) -> str:
    """Give the reason of a decision and what was not taken: that answers questions too."""
    options = parse_json(told["options"])
    others = [each for each in options if each != told["chosen"]] if _is_list(options) else []
    return f"{told['why']} (not taken: {'; '.join(others)})" if others else told["why"]


def _is_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _texts(row: Row) -> dict[str, str]:
    return {name: str(value) for name, value in row.items() if value is not None}


def _frequencies(reader: Reader, stems: Sequence[str]) -> Frequencies:
    total = reader.rows(SQL["total"], bound=_COUNTED * 5)[0]["held"]
    holding = {
        each: int(reader.rows(SQL["holding"], word=each, bound=_COUNTED)[0]["held"] or 0)
        for each in stems
    }
    return Frequencies(int(total or 0), holding)


def _postings(reader: Reader, frequencies: Frequencies) -> list[Posting]:
    found: list[Posting] = []
    for word, held in sorted(frequencies.holding.items(), key=lambda each: (each[1], each[0])):
        room = _POSTINGS - len(found)
        if held and room > 0:
            rows = reader.rows(SQL["postings"], word=word, bound=min(room, _COUNTED))
            found += [Posting(word, str(row["claim"]), int(row["weight"] or 1)) for row in rows]
    return found
