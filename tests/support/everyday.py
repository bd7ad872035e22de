"""A small store as a team has it: published documents, a draft, an old one, one that is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.compose.documents import open_documents
from support.documents import document, make_store

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.index import StoreIndex

DRAFT = "20261120-retry-budget"
ROUTER = "2201-parcel-router"
LOOKUP = "20261005-depot-lookup"
OLD = "2100-old-router"

FILES = {
    f"{ROUTER}.md": document(
        ROUTER,
        "# Knowledge Base — Parcel router",
        "## 8. Decision Log\nThe budget is split evenly. Rejected: a queue for each depot.",
        "## 11. Lessons Learned\n- Tried: retrying inside ParcelRouteController.\n"
        "- Failed because: the caller retries too.",
        "## 13. Future LLM Context (cold-start primer)\n"
        "ParcelRouteController splits the SLA budget evenly across depots.",
        "## 16. Reuse Log\n| prior-doc | taken | impact | classification |\n|---|---|---|---|\n"
        f'| {LOOKUP}@0123456789abcdef | "in memory" | kept it | reuse |',
        "## Search Trace\nshell",
        title="Parcel router",
        date="2026-11-20",
        tags="[routing]",
        entities="[ParcelRouteController, RouteBudget, SLA]",
        related=f"[{LOOKUP}]",
        covers_files="[src/router.py]",
        repos="[parcel-core]",
        mode="daily",
        author="Ada",
        pr="12",
    ),
    f"{LOOKUP}.md": document(
        LOOKUP,
        "## Decision Log\nDepots are held in memory, since there are forty.",
        "## Landmines\nThe table is read once: restart after a change.",
        title="Depot lookup tables",
        date="2026-10-05",
        entities="[DepotLookup]",
    ),
    f"{OLD}.md": document(
        OLD,
        "## Decision Log\nA queue for each depot.",
        title="Old router",
        date="2026-01-05",
        status="superseded",
        superseded_by=ROUTER,
    ),
    f"{DRAFT}.md": document(
        DRAFT,
        "## Pre-reg\nRetry in the controller.",
        title="Retry budget",
        date="2026-11-29",
        status="draft",
        mode="daily",
    ),
    "20260101-old-notes.md": (
        "# Knowledge Base — Depot notes\n\n- Date: 2026-01-01\n- Status: done\n"
        "- Repos: Parcel-Core, `Depot-Api` (main)\n\n## Search Keywords\n\n"
        "- Classes: `depot`, DepotTable, plain words; depot-id | n/a\n\n## Decision Log\n\n"
        f"See [the lookup]({LOOKUP}.md#x), and `[none]({OLD}.md)`.\n\n> [quoted]({OLD}.md)\n"
    ),
    "broken.md": "---\nid: [x\n---\nbody\n",
}


def everyday_store(root: Path, **more: str) -> Path:
    """Write the store below the root; `more` are further files by their stems."""
    return make_store(root, {**FILES, **{f"{stem}.md": text for stem, text in more.items()}})


def index_of(root: Path) -> StoreIndex:
    """Open the index of a store, kept beside it."""
    return open_documents(root, root.parent / "cache", now=0)
