"""Every form of an answer as a golden file: what an agent reads, to the byte."""

from __future__ import annotations

import pytest

from agentjournal.engmem.answer.scope import AllRepositories, Unscoped, repositories
from support import golden
from support.documents import document

LONG = "filler words " * 40
PARCEL = {
    "2201-parcel-router.md": document(
        "2201-parcel-router",
        "# Knowledge Base — Parcel router",
        "## Decision Log\nThe router splits the SLA budget evenly across depots. Rejected greedy "
        "splits because the last depot starves.",
        "## Lessons Learned\n- Tried: retrying inside ParcelRouteController.\n"
        "- Failed because: the caller retried too.",
        "## Future LLM Context (cold-start primer)\nParcelRouteController splits the SLA budget "
        "evenly across depots.\nNever retry inside the controller; the caller owns retries.",
        title="Parcel routing",
        entities="[ParcelRouteController, RouteBudget, SLA]",
        tags="[routing]",
        repos="[parcel-core]",
        related="[20261005-depot-lookup, ghost-doc, 2100-old-router, 20261120-wip-draft]",
    ),
    "20261005-depot-lookup.md": document(
        "20261005-depot-lookup",
        "## Decision Log\nDepots are found by the ParcelRouteController cache.",
        "## Cold-start primer\nDepotLookup maps a postcode to its depot.",
        title="Where a depot is found",
        entities="[DepotLookup, DL]",
        date="2026-09-05",
    ),
    "20261010-data-lake.md": document(
        "20261010-data-lake",
        "## Decision Log\nEvents go to the lake once an hour.",
        entities="[DataLake, DL]",
        date="2026-09-10",
    ),
    "2100-old-router.md": document(
        "2100-old-router",
        "## Decision Log\nThe old ParcelRouteController was greedy about the SLA.",
        entities="[ParcelRouteController, SLA]",
        status="superseded",
        superseded_by="2150-mid-router",
    ),
    "2150-mid-router.md": document(
        "2150-mid-router",
        "## Decision Log\nA middle way.",
        status="superseded",
        superseded_by="2300-new-router",
    ),
    "2300-new-router.md": document(
        "2300-new-router",
        "## Decision Log\nRouting is a table now.",
        "## Cold-start primer\nRoutes stand in one table.\nNothing is computed any more.",
        title="Routes are a table",
        related="[2201-parcel-router]",
    ),
    "20261120-wip-draft.md": document(
        "20261120-wip-draft",
        "## Decision Log\nParcelRouteController and SLA, once more.",
        status="draft",
    ),
    "odd.md": document("3000-odd", "## Decision Log\nPrices are integers.", date="soon"),
    "broken.md": "---\na: [\n---\n",
}
SEED = {
    "1000001-response-cache.md": document(
        "1000001-response-cache",
        "## 8. Decision Log\nReused the ETAG and TTL headers the upstream service already\nsends "
        "instead of adding a separate cache-metadata table;\nrejected the separate table because "
        "the response already\ncarries the freshness data and an extra lookup would add\nlatency "
        "for no real benefit.",
        "## Landmines\nResponseCache lookups must be memoized per-request — a\nrepeated call "
        "inside the same request re-runs the upstream\nfetch and doubles latency.",
        "## 13. Future LLM Context (cold-start primer)\nResponseCacheController serves cached "
        "responses for read\nendpoints using the ETAG (entity tag) and TTL (time to live) values "
        "already present on the upstream response.",
        title="Response cache",
        entities="[ResponseCacheController, ETAG]",
    ),
    "ttl-etag-revalidation-v2.md": document(
        "ttl-etag-revalidation-v2",
        "## Pre-reg\nRework revalidation so TTL and ETAG are carried through to v2 of the cache API.",
        "## Decision Log\nKept revalidation inside CacheRevalidationController rather than "
        "extracting a separate RevalidationResolver; rejected the extraction because both change "
        "together.",
        "## Cold-start primer\nCacheRevalidationController v2 resolves a response's TTL (time to "
        "live) and ETAG (entity tag) together in one pass, reusing the freshness metadata from "
        "the response-cache work.",
        title="Revalidation in one pass",
        entities="[CacheRevalidationController, ETAG]",
        related="[1000001-response-cache]",
    ),
    **{
        f"300{n}-other.md": document(f"300{n}-other", "## Decision Log\nParcels wait in a table.")
        for n in range(4)
    },
    "20260820-draft.md": document("20260820-draft", "## Pre-reg\nA cache.", status="draft"),
    "broken.md": "---\na: [\n---\n",
}


@pytest.mark.parametrize(
    ("name", "query", "how"),
    [
        ("hits", "ParcelRouteController SLA", {}),
        ("hits_mcp", "ParcelRouteController SLA", {"channel": "mcp"}),
        ("own_draft", "ParcelRouteController SLA", {"session": "20261120-wip-draft"}),
        ("ambiguous", "DL", {"session": "a-b"}),
        ("weak", "winter depot party", {"session": "a-b"}),
        ("miss", "vacation approval", {"session": "a-b"}),
        ("blank", "", {"session": "a-b"}),
        ("role", "ParcelRouteController", {"role": "decisions", "session": "a-b"}),
        ("role_none", "ParcelRouteController", {"role": "reuse", "session": "a-b"}),
        ("role_miss", "vacation approval", {"role": "lessons", "session": "a-b"}),
        ("repo", "depots", {"scope": repositories(["Parcel-Core", "x"]), "session": "a-b"}),
        ("repo_miss", "lake", {"scope": repositories(["parcel-core"]), "session": "a-b"}),
        ("unscoped", "depots", {"scope": Unscoped(), "session": "a-b"}),
        ("all_repos", "depots", {"scope": AllRepositories(), "session": "a-b"}),
        ("limit", "ParcelRouteController depots", {"limit": 1, "session": "a-b"}),
        ("superseded", "ParcelRouteController", {"status": "superseded", "session": "a-b"}),
        ("drafts", "ParcelRouteController", {"status": "draft", "session": "a-b"}),
        ("names", "depots", {"names": ("DepotLookup.java", "DepotLookup"), "session": "a-b"}),
        (
            "snapshot",
            "RouteBudget",
            {
                "snapshots": {"2201-parcel-router": "parcel-core abcdef1: same commit as HEAD"},
                "session": "a-b",
            },
        ),
        ("not_recorded", "lake", {"record": lambda _: "No space left on device"}),
    ],
)  # fmt: skip
def test_each_form_of_an_answer(asked, name, query, how):
    golden.check(f"engmem_answer_{name}.txt", asked(PARCEL, query, **how).text.rstrip("\n"))


def test_the_worked_example_of_the_seed_keeps_its_order_and_form(asked):
    answer = asked(SEED, "ResponseCacheController ETAG revalidation", session="20260820-draft")
    golden.check("engmem_answer_seed.txt", answer.text.rstrip("\n"))


def test_files_outside_the_searched_set_are_told_where_nothing_was_found(asked):
    files = {"a-b.md": document("a-b", "## Notes\nquasar"), "sub/x.md": "x", "../y.md": "y"}
    answer = asked(files, "nebula", session="a-b")
    golden.check("engmem_answer_strays.txt", answer.text.rstrip("\n"))


@pytest.mark.parametrize("query", ["quasar", "weakly nebula drift"])
def test_files_outside_the_searched_set_are_not_told_where_something_was_shown(asked, query):
    files = {
        "a-b.md": document("a-b", "## Notes\nquasar", status="superseded", superseded_by="c-d"),
        "c-d.md": document("c-d", "## Notes\nnebula"),
        "../y.md": "y",
    }
    answer = asked(files, query)
    assert answer.row["surfaced"]
    assert "outside the searched set" not in answer.text


def test_an_empty_store_says_so(asked):
    assert asked({}, "quasar", session="a-b").text == (
        "prior context: none found\ndocs: 0 | drafts: 0 | last doc: never\n"
    )


def test_lines_of_long_documents_are_left_out_whole_until_the_answer_fits(asked):
    long = "-".join(["very"] * 30)
    files = {
        f"{n}-{long}.md": document(
            f"{n}-{long}",
            f"## Decision Log\nquasar {LONG}",
            f"## Lessons Learned\nquasar {LONG}",
            f"## Cold-start primer\nquasar {LONG}",
            title=f"quasar {LONG}",
            related=f"[{', '.join(f'{m}-{long}' for m in range(5) if m != n)}]",
        )
        for n in range(5)
    }
    answer = asked(files, "quasar", session="a-b")
    golden.check("engmem_answer_full.txt", answer.text.rstrip("\n"))
    assert answer.row["surfaced"] == [f"{n}-{long}" for n in range(3)]


def test_hits_that_have_no_room_are_counted_as_left_out(asked):
    ids = [f"{n}-{'long' * 28}" for n in range(10)]
    answer = asked(
        {f"{id_}.md": document(id_, "## Notes\nquasar") for id_ in ids}, "quasar", limit=10
    )
    shown = answer.text.count("### ")
    assert 3 < shown < 10
    assert (
        f"({10 - shown} more document(s) matched below the top {shown} — narrow the query to see them.)"
    ) in answer.text
    assert len(answer.row["surfaced"]) == len(answer.data["hits"]) == shown
