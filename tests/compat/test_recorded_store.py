"""A store that the reference made (`record.py`), read and gone on with by ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agentjournal.engmem.document import version_of
from support.stories import FIRST, SECOND
from support.two_programs import OURS, Program

RECORDED = Path(__file__).parents[1] / "data" / "engmem-0.1.9"
LEFT_OPEN = "20261101-left-open"


@pytest.fixture
def ours(tmp_path: Path) -> Program:
    shutil.copytree(RECORDED, tmp_path / "store")
    return Program(OURS, tmp_path, tmp_path / "store")


def test_its_documents_are_found_with_their_drafts_and_versions(ours):
    said = ours.well("search", "ExportWorker backoff")
    assert said.out.startswith(f"### {FIRST} (score: ")
    assert "docs: 3 | drafts: 1 | last doc: " in said.out
    assert said.err == ""
    [kept] = (RECORDED / "versions" / FIRST).iterdir()
    assert said.cited[FIRST] == kept.stem


def test_its_citations_hold_at_the_version_that_it_kept(ours):
    path = ours.store / "sessions" / f"{FIRST}.md"
    path.write_text(path.read_text().replace("rejected fixed delays", "something else"))
    assert "1 rows checked: 0 unverifiable, 0 stale, 0 conflicting." in ours.well("verify").out


def test_its_ledgers_are_counted(ours):
    told = ours.well("telemetry").out
    assert told.startswith("telemetry: 3 row(s)\n")
    assert "hit-rate  66.7%   misses 1" in told
    cost = ours.well("cost", "summary", "--session", SECOND).out
    assert "1840 tokens" in cost
    assert "unreadable" not in cost
    assert "helped" in ours.well("feedback", "summary", "--session", SECOND).out
    review = ours.well("review").out
    assert "2 searches in 1 sessions, 1 of no session." in review
    assert "3 searches, " not in review
    assert f"{SECOND}: 2 searches, 1 reads, 0 in briefs, 1,034 bytes" in review
    assert "1,840 tokens" in review


def test_a_draft_that_it_left_open_is_completed(ours):
    path = ours.store / "sessions" / f"{LEFT_OPEN}.md"
    version = version_of(path.read_bytes())
    done = path.read_text().replace("status: draft", "status: active")
    refused = ours("draft", "complete", LEFT_OPEN, "--expected-version", "0" * 16, stdin=done)
    assert (refused.code, "status: draft" in path.read_text()) == (2, True)
    ours.well("draft", "complete", LEFT_OPEN, "--expected-version", version, stdin=done)
    assert path.read_text() == done
    assert f"### {LEFT_OPEN} (" in ours.well("search", "Left open ExportWorker").out
