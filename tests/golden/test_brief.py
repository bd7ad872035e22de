"""A whole brief, as its worker reads it; `python tests/golden/test_brief.py` writes it anew."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from agentjournal.storage.open import open_database
from support.brief_life import Life
from support.clock import SettableClock

HERE = Path(__file__).parent
GOLDEN = HERE / "brief.txt"

ELSEWHERE = """# Price index

## Goal

Keep prices.

## Work

### T-010 Read the pages again

When a fetch fails, retry it later.
"""


def lived(database) -> Life:
    """Live through a project up to the third attempt of T-003."""
    other = Life(database, ELSEWHERE, slug="price-index", first=5_000)
    other.begin("T-010", "worker-9")
    other.end(
        "T-010",
        {
            "result": "failed",
            "action": "Tried to retry failed fetches from the index",
            "current_state": "Reverted: the index reads pages, it does not fetch them.",
            "next_step": "Leave retries to the fetcher.",
            "ruled_out": [
                {
                    "option": "Retry failed fetches in the index",
                    "why": "It holds a transaction open for minutes and blocks every reader.",
                }
            ],
        },
        actor="worker-9",
    )
    life = Life(database, (HERE / "brief_plan.md").read_text(encoding="utf-8"))
    life.begin("T-001")
    life.end(
        "T-001",
        {
            "result": "success",
            "action": "Added fetch_page with a timeout",
            "current_state": "fetch_page(url) gives bytes or raises FetchError with the status.",
            "touches": [{"kind": "file", "name": "src/fetcher/page.py"}],
        },
    )
    life.begin("T-002", "worker-2")
    life.end(
        "T-002",
        {
            "result": "success",
            "action": "Kept the queue in one append-only file",
            "current_state": "queue.py: push, pop, done; replays its file at start, fsync on done.",
            "touches": [{"kind": "file", "name": "src/fetcher/queue.py"}],
            "decisions": [
                {
                    "point": "where the queue lives",
                    "options": ["an append-only file", "SQLite"],
                    "chosen": "an append-only file",
                    "why": "One writer, and a crash loses at most the last line.",
                }
            ],
        },
        actor="worker-2",
    )
    life.begin("T-003", "worker-3")
    life.end(
        "T-003",
        {
            "result": "failed",
            "action": "Tried a pool of 8 connections that retry at once",
            "current_state": "retry.py has the pool; the test for 429 fails.",
            "next_step": "Wait between tries, one connection a host.",
            "ruled_out": [
                {
                    "option": "Retry at once on 8 parallel connections",
                    "why": "The server answers 429 after the third page and bans the address.",
                    "reopen_if": "the server's limit is lifted",
                }
            ],
            "touches": [{"kind": "file", "name": "src/fetcher/retry.py"}],
        },
        actor="worker-3",
    )
    life.begin("T-003", "worker-4")
    life.end("T-003", end="no_stop_event", actor="worker-4")
    life.begin("T-003", "worker-5")
    return life


def test_a_brief_of_a_third_attempt_reads_as_agreed_on_both_engines(database):
    assert lived(database).brief("T-003").text == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    memory = open_database(":memory:", clock=SettableClock())
    GOLDEN.write_text(lived(memory).brief("T-003").text, encoding="utf-8")
