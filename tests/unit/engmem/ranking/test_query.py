"""Reading a question: what of it is looked at."""

from __future__ import annotations

from agentjournal.engmem.ranking import query
from agentjournal.engmem.ranking.query import LONGEST, read_query


def test_of_a_pasted_book_only_its_first_pages_are_looked_at(monkeypatch):
    read = []
    real = query.runs
    monkeypatch.setattr(query, "runs", lambda text: read.append(len(text)) or real(text))
    asked = read_query("the cache " * 1_000_000)
    assert (asked.words, read) == (("cache",), [LONGEST])
