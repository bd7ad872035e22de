"""Ranking: the parts of a document's score, and the order of the hits."""

from __future__ import annotations

from agentjournal.engmem.ranking.found import held_by
from agentjournal.engmem.ranking.hit import Hit, Sought
from agentjournal.engmem.ranking.near import by_worth, nearness
from agentjournal.engmem.ranking.score import asked, body, spine, title
from agentjournal.engmem.ranking.trust import is_exact
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.encoded import Encoded
    from agentjournal.engmem.ranking.query import Query
    from agentjournal.engmem.ranking.statistics import Statistics

__all__ = ["Hit", "rank"]

MOST = 32  # hits
_NEAR_OF = 16  # of them, whose words may stand near: no other rises to where it is read
_NEAR_IN = 6  # their sections that answer best
_AGE = 0.12  # off a score for each year that a document is older than the newest candidate


def rank(
    query: Query, candidates: Iterable[tuple[Header, Encoded]], statistics: Statistics
) -> list[Hit]:
    """Give the candidates that hold anything asked for, best first, at most 32.

    Order: exact before others, then score, newer date, id. Exact ones stand by what their fields
    say, which no other document has a say in, before the rest. A weak hit is marked, not moved:
    among questions with known answers every way to move it lost more right ones than it gained.
    """
    sought = Sought(query, asked(query, statistics), statistics.documents)
    scored = [_scored(sought, *each, statistics) for each in candidates]
    scored = [each for each in scored if each.score > 0]
    newest = _months(max((each.header.date for each in scored), default=""))
    for each in scored:
        each.parts["age"] = -min(_AGE * _years(each.header.date, newest), each.score / 2)
    weighed = by_worth(sought.tokens)
    for each in _ordered(scored)[:_NEAR_OF]:
        sections = [part for part, _ in each.ranked[:_NEAR_IN]]
        each.parts["nearness"] = nearness(weighed, each.held, sections)
    return _ordered(scored)[:MOST]


def _ordered(scored: Iterable[Hit]) -> list[Hit]:
    by_id = sorted(scored, key=lambda each: each.header.id)
    newest_first = sorted(by_id, key=lambda each: each.header.date, reverse=True)
    return sorted(newest_first, key=lambda each: (not each.is_exact, -each.named, -each.score))


def _scored(sought: Sought, header: Header, encoded: Encoded, statistics: Statistics) -> Hit:
    query, tokens = sought.query, sought.tokens
    held = held_by(encoded, [each.token for each in tokens])
    told = body(tokens, held, statistics)
    parts = {
        "spine": spine(query, tokens, held),
        "title": title(tokens, held, len(query.tokens)),
        "body": told.score,
        "nearness": 0.0,
    }
    return Hit(
        sought=sought,
        header=header,
        encoded=encoded,
        held=held,
        parts=parts,
        ranked=told.sections,
        is_exact=is_exact(query, encoded, held),
    )


def _years(date: str, newest: int) -> float:
    """Give the years up to a newest month; a document without a date is as new as any."""
    return max(newest - _months(date), 0) / 12 if date else 0.0


def _months(date: str) -> int:
    return 12 * int(date[:4]) + int(date[5:7]) if date else 0
