from __future__ import annotations

from dataclasses import replace

from agentjournal.engmem.document import read_document
from agentjournal.recall.documented import documented_claims
from agentjournal.recall.kept import KeptClaims
from agentjournal.recall.tried import tried
from support import golden, tried_cases
from support.documents import document

CLAIMS = {claim.id: claim for claim in tried_cases.claims()}
LOG = KeptClaims(
    "log",
    [
        *CLAIMS.values(),
        replace(
            CLAIMS["queue-redis"],
            id="queue-streams",
            what="Redis streams as the job queue",
            why="The library that we use cannot trim them, so they grew for ever.",
            scope="shop T-014",
            evidence="step 0a1b2c3d4e5f",
            actor="worker-2",
            revision=2,
            reopen_if="may be reopened: library redis >= 8",
        ),
    ],
)
CANDIDATES = KeptClaims(
    "candidates",
    [
        replace(
            CLAIMS["queue-redis"],
            id="revert:1",
            what="Hand jobs out by BRPOPLPUSH from Redis",
            why="Workers that died kept their job for ever",
            scope="shop",
            evidence="commit 3f9c2d1e0a (2024-05-06)",
            source="harvest",
            standing="candidate",
            actor=None,
            revision=None,
        )
    ],
)
ROUTER = document(
    "2201-parcel-queue",
    "## Decision Log\n- Decision: Jobs stay in a PostgreSQL table\n"
    "- Reason: one store to operate\n- Rejected alternative: a Redis queue. Loses jobs at failover.",
)
SOURCES = [LOG, documented_claims([read_document("a.md", ROUTER.encode())]), CANDIDATES]


def test_an_answer_out_of_every_source():
    golden.check("tried.txt", tried(SOURCES, "put the job queue into redis").text)


def test_an_answer_that_had_to_be_shortened():
    golden.check("tried_700.txt", tried(SOURCES, "put the job queue into redis", cap=700).text)


def test_only_weak_matches():
    golden.check("tried_weak.txt", tried(SOURCES, "mark rows as deleted instead").text)


def test_nothing_found():
    golden.check("tried_nothing.txt", tried(SOURCES, "a Vulkan shader pipeline").text)
