"""What the tools do: the life of a draft, the same text as the commands, and what a reader may not."""

from __future__ import annotations

import json

import pytest

from agentjournal.compose.world import World
from agentjournal.errors import AgentJournalError
from agentjournal.mcp_server.memory import Memory
from support.clock import SettableClock
from support.documents import document, make_store

DRAFT = "20261120-cache-endpoint"


@pytest.fixture
def world(tmp_path):
    clock = SettableClock()
    return World(
        clock=clock,
        random_bytes=lambda count: b"\1" * count,
        environment={"XDG_CONFIG_HOME": str(tmp_path / "config")},
        cwd=tmp_path,
        home=tmp_path,
        login="me",
    )


@pytest.fixture
def root(tmp_path):
    text = document(
        "1001-response-cache",
        "## Decision Log\nRejected a metadata table: the response carries ETAG and TTL.",
        "## Future LLM Context (cold-start primer)\nResponseCache serves reads.",
        entities="[ResponseCache, ETAG]",
        repos="[platform-core]",
    )
    return make_store(tmp_path / "store", {"1001-response-cache.md": text})


@pytest.fixture
def memory(root, tmp_path, world):
    return Memory(root, tmp_path / "cache", world)


def draft(status="draft", *sections):
    plan = "## Pre-reg\nAdd a table.\n\npre-reg source: self (no sub-agent available)"
    return document(DRAFT, plan, *sections, status=status, mode="daily")


def version_in(text):
    return text.partition("version: ")[2][:16]


def test_a_task_from_its_draft_to_its_document(memory, root):
    call = memory.calls()
    created = call["engmem_create_draft"]({"id": DRAFT, "content": draft()})
    assert created.startswith(f"created sessions/{DRAFT}.md (status: draft, version: ")
    found = call["engmem_search"]({"query": "ResponseCache ETAG", "session_id": DRAFT})
    assert found.startswith("### 1001-response-cache (score: ")
    assert "unattributed" not in found
    role = {"query": "ResponseCache", "role": "decisions", "session_id": DRAFT}
    assert "[role: decisions]" in call["engmem_search_by_role"](role)
    asked = {"id": "1001-response-cache", "role": "decisions", "session_id": DRAFT}
    told = call["engmem_read"](asked)
    assert "the response carries ETAG and TTL" in told
    cite = next(line for line in told.splitlines() if line.startswith("cite as")).split()[-1]
    baseline = {"session_id": DRAFT, "tokens": 1840, "call_id": "c1"}
    assert "1,840" in call["engmem_record_baseline"](baseline).replace("1840", "1,840")
    verdict = {"session_id": DRAFT, "doc_id": "1001-response-cache", "assessment": "helped"}
    assert "helped" in call["engmem_record_feedback"](verdict)
    reuse = (
        "## Reuse Log\n| prior-doc | taken | impact | classification |\n|---|---|---|---|\n"
        f'| {cite} | "the response carries ETAG and TTL" | no table | reuse |'
    )
    saved = {
        "id": DRAFT,
        "content": draft("active", reuse),
        "expected_version": version_in(created),
    }
    assert call["engmem_complete_draft"](saved).startswith(f"completed sessions/{DRAFT}.md")
    overturned = {
        "id": "1001-response-cache",
        "superseded_by": DRAFT,
        "expected_version": cite.partition("@")[2],
    }
    assert "(status: active -> superseded)" in call["engmem_mark_superseded"](overturned)
    assert f"superseded by {DRAFT}" in call["engmem_search"]({"query": "ResponseCache"})
    rows = [json.loads(line) for line in (root / "telemetry.jsonl").read_text().splitlines()]
    assert {row["channel"] for row in rows} == {"mcp"}


def test_a_refused_save_shows_the_current_text(memory):
    call = memory.calls()
    call["engmem_create_draft"]({"id": DRAFT, "content": draft()})
    for version in ({}, {"expected_version": "0" * 16}):
        with pytest.raises(AgentJournalError) as refusal:
            call["engmem_complete_draft"]({"id": DRAFT, "content": draft("active")} | version)
        assert f"--- current sessions/{DRAFT}.md ---\n---\nid: {DRAFT}" in str(refusal.value)


def test_a_server_that_only_reads_leaves_a_line_of_telemetry_and_names_no_draft(
    memory, root, tmp_path, world
):
    memory.calls()["engmem_create_draft"](
        {"id": DRAFT, "content": draft("draft", "## Decision Log\nResponseCache keeps ETAG.")}
    )
    assert "unsaved drafts also match" in memory.search({"query": "ResponseCache ETAG"})
    before = {path.name for path in root.iterdir()}
    reader = Memory(root, tmp_path / "cache", world, is_read_only=True)
    assert "unsaved drafts" not in reader.search({"query": "ResponseCache ETAG"})
    assert {path.name for path in root.iterdir()} == before
    assert not (root / "cost.jsonl").exists()
    assert not (root / "versions").exists()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"repo": "Platform-Core"}, "scope: repo Platform-Core (1 linked document(s) searched"),
        ({"repo": "a", "repos": ["b"]}, "scope: repos a, b (0 linked document(s)"),
        ({"unscoped": True}, "scope: unscoped (0 document(s)"),
        ({"all_repos": True}, "scope: all repositories (1 document(s)"),
    ],
)
def test_the_scope_that_is_asked_for_is_searched(memory, given, line):
    assert memory.search({"query": "ResponseCache", **given}).startswith(line)


def test_a_file_that_changes_is_found_by_the_next_call(memory, root):
    memory.warm()
    assert memory.search({"query": "ZebraLedger"}).startswith("prior context: none found")
    text = document("3000-zebra", "## Decision Log\nZebraLedger.", entities="[ZebraLedger]")
    (root / "sessions" / "3000-zebra.md").write_text(text)
    assert memory.search({"query": "ZebraLedger"}).startswith("### 3000-zebra (")
    (root / "sessions" / "3000-zebra.md").unlink()
    assert memory.search({"query": "ZebraLedger"}).startswith("prior context: none found")


def test_the_mode_is_told_with_who_chose_it(memory, tmp_path):
    file = tmp_path / "config" / "engmem" / "mode"
    told = "engmem mode for this session: "
    assert memory.mode_line() == f"{told}daily (default \u2014 no saved choice in {file})"
    file.parent.mkdir(parents=True)
    file.write_text("research\n")
    assert memory.mode_line() == f"{told}research (saved choice in {file})"
    file.write_text("weekly\n")
    assert memory.mode_line().startswith(f"{told}unknown (")


def test_a_store_that_is_missing_is_told_when_somebody_asks(tmp_path, world):
    memory = Memory(tmp_path / "none", tmp_path / "cache", world)
    memory.warm()
    for name, given in (
        ("engmem_search", {"query": "x"}),
        ("engmem_read", {"id": "x"}),
        ("engmem_create_draft", {"id": DRAFT, "content": draft()}),
    ):
        with pytest.raises(AgentJournalError, match="store not found"):
            memory.calls()[name](given)
