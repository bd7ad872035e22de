from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agentjournal.engmem.search import search
from agentjournal.engmem.store import read_store
from support import golden
from support.documents import document, make_store

FILES = {
    "2201-parcel-queue.md": document(
        "2201-parcel-queue",
        "## Executive Summary\nParcels are routed by jobs that wait in a queue.",
        "## Decision Log\n- Decision: Jobs stay in a PostgreSQL table\n- Reason: one store to operate\n"
        "- Rejected alternative: a Redis queue. Loses jobs at failover.",
        title="Where parcel jobs wait",
        entities="[ParcelQueue, JobRunner]",
    ),
    "2202-mail-queue.md": document(
        "2202-mail-queue",
        "## Lessons Learned\n- Tried: sending mail inside the request. Failed because the relay hangs "
        "for a minute when it is busy; every request of that minute waited for it. "
        "Fixed by putting mail into the job queue.",
        title="Mail leaves through the job queue",
        date="2026-07-01",
    ),
    "1900-redis-queue.md": document(
        "1900-redis-queue",
        "## Decision Log\nJobs wait in a Redis queue.",
        title="A Redis queue for jobs",
        status="superseded",
        superseded_by="2201-parcel-queue",
    ),
    "2203-draft.md": document("2203-draft", "## Decision Log\nRedis queue again?", status="draft"),
    "2204-odd.md": document("2204-odd", "## Decision Log\nPrices are integers.", date="soon"),
    "2205-bomb.md": "---\na: &a [x]\nb: *a\n---\n",
}


def ask(tmp_path, question):
    """Search as if the store lay at /store: goldens name no path of a machine."""
    store = read_store(make_store(tmp_path, FILES))
    return search(replace(store, root=Path("/store")), question, today="2026-09-03").rstrip("\n")


def test_hits_a_successor_and_what_could_not_be_read(tmp_path):
    golden.check("engmem_search.txt", ask(tmp_path, "redis job queue"))


def test_weak_candidates_only(tmp_path):
    golden.check("engmem_weak.txt", ask(tmp_path, "relay race for the winter party"))


def test_nothing_found(tmp_path):
    golden.check("engmem_nothing.txt", ask(tmp_path, "vacation approval"))
