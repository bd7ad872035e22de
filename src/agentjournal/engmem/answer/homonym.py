"""A short name with several meanings: one document for each, none of them picked silently."""

from __future__ import annotations

from agentjournal.engmem.ranking.spelling import camel_parts, is_restricted, runs
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.rank import Hit

__all__ = ["told_apart"]


def told_apart(query: str, hits: Sequence[Hit]) -> tuple[list[Hit], frozenset[str]]:
    """Keep the best hit of each meaning of a query that is one short name; give their ids too.

    `MQ` is both MessageQueue and MetricsQuery: a document belongs to the class name among its
    entities whose initials are asked for. Hits without such a name stay. Where there are not two
    meanings every hit stays, and no id is given.
    """
    asked = {word.casefold() for word in _words(query)}
    name = asked.pop() if len(asked) == 1 else ""
    if not name or not is_restricted(name):
        return list(hits), frozenset()
    meanings = {hit.header.id: _meaning(hit.header, name) for hit in hits}
    best: dict[str, str] = {}
    for hit in hits:
        if meaning := meanings[hit.header.id]:
            best.setdefault(meaning, hit.header.id)
    if len(best) <= 1:
        return list(hits), frozenset()
    kept = [hit for hit in hits if hit.header.id in best.values() or not meanings[hit.header.id]]
    return kept, frozenset(best.values())


def _meaning(header: Header, name: str) -> str:
    """Give the class name that the short name stands for in this document, or nothing."""
    words = [word for entity in header.entities for word in _words(entity)]
    if name not in {word.casefold() for word in words}:
        return ""
    whole = (word for word in words if _initials(word) == name)
    return next(whole, "").casefold()


def _words(text: str) -> list[str]:
    return [piece for run in runs(text) for piece in run.split("-")]


def _initials(word: str) -> str:
    parts = camel_parts(word)
    return "".join(part[0] for part in parts).casefold() if len(parts) > 1 else ""
