"""One store, two programs: what either writes the other reads, and goes on with."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING

import pytest

from support.stories import FIRST, SECOND, first, second
from support.two_programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.e2e

WAYS = pytest.mark.parametrize("way", ["ours then theirs", "theirs then ours"])


@pytest.fixture
def pair(way: str, ours: Program, theirs: Program) -> tuple[Program, Program]:
    """Give who writes and who goes on."""
    return (ours, theirs) if way.startswith("ours") else (theirs, ours)


def save(begins: Program, ends: Program, id_: str, text: Callable[[str], str]) -> None:
    begun = begins.well("draft", "create", id_, stdin=text("draft"))
    ends.well("draft", "complete", id_, "--expected-version", begun.version, stdin=text("active"))


@WAYS
def test_a_draft_of_one_is_completed_by_the_other_and_found_by_both(pair):
    writer, other = pair
    save(writer, other, FIRST, first)
    for program in pair:
        said = program.well("search", "ExportWorker backoff", "--session", FIRST)
        assert said.out.startswith(f"### {FIRST} (score: ")
        assert "docs: 1 | drafts: 0" in said.out


@WAYS
def test_a_draft_that_changed_is_refused_to_the_other(pair):
    writer, other = pair
    begun = writer.well("draft", "create", FIRST, stdin=first("draft"))
    path = writer.store / "sessions" / f"{FIRST}.md"
    path.write_text(path.read_text() + "\nMore.\n")
    answer = other(
        "draft", "complete", FIRST, "--expected-version", begun.version, stdin=first("active")
    )
    assert answer.code == 2
    assert path.read_text().endswith("More.\n")


@WAYS
def test_both_give_the_same_version_and_read_what_the_other_kept(pair):
    writer, other = pair
    save(writer, writer, FIRST, first)
    [cited] = {tuple(each.well("search", "ExportWorker").cited.items()) for each in pair}
    [(id_, version)] = cited
    assert id_ == FIRST
    writer.well("read", FIRST)
    kept = writer.store / "versions" / FIRST / f"{version}.md"
    assert kept.read_bytes() == (writer.store / "sessions" / f"{FIRST}.md").read_bytes()
    path = writer.store / "sessions" / f"{FIRST}.md"
    path.write_text(path.read_text().replace("jittered", "changed"))
    old = other.well("read", f"{FIRST}@{version}").out
    assert "Retries use jittered backoff" in old


@WAYS
def test_a_citation_that_one_wrote_is_verified_by_ours(pair, ours):
    writer, _ = pair
    save(writer, writer, FIRST, first)
    version = writer.well("search", "ExportWorker").cited[FIRST]
    writer.well("read", FIRST)  # either program has kept the version by now
    save(writer, writer, SECOND, lambda status: second(status, f"{FIRST}@{version}"))
    assert "1 rows checked: 0 unverifiable" in ours.well("verify").out
    assert "1 rows, 1 verified" in ours.well("review").out


def test_searches_of_both_are_counted_by_both(ours, theirs):
    save(ours, theirs, FIRST, first)
    for program in (ours, theirs):
        program.well("search", "ExportWorker", "--session", FIRST)
        program.well("search", "kubernetes")
    rows = ours.rows("telemetry.jsonl")
    assert [row["result"] for row in rows] == ["hit", "miss"] * 2
    assert set(rows[2]) <= set(rows[0])  # of ours and of theirs: nothing is left out
    for program in (ours, theirs):
        told = program.well("telemetry").out
        assert told.startswith("telemetry: 4 row(s)\n")
        assert "hit-rate  50.0%" in told


def test_costs_of_both_are_summed_by_both(ours, theirs):
    save(ours, theirs, FIRST, first)
    for program in (ours, theirs):
        program.well("read", FIRST, "--session", FIRST)
        call = "ours" if program is ours else "theirs"
        program.well("cost", "record-baseline", FIRST, "--tokens", "1840", "--call-id", call)
    total = sum(row["bytes"] for row in ours.rows("cost.jsonl") if row["op"] == "read")
    for program in (ours, theirs):
        told = program.well("cost", "summary", "--session", FIRST).out
        assert str(total) in told
        assert told.count("1840 tokens") == 2
        assert "unreadable" not in told


def test_what_a_brief_quoted_is_a_read_to_the_reference(ours, theirs):
    save(ours, theirs, FIRST, first)
    theirs.well("read", FIRST, "--session", FIRST)
    row = theirs.rows("cost.jsonl")[-1] | {"channel": "brief", "op_id": "b", "bytes": 700}
    with (ours.store / "cost.jsonl").open("a") as file:
        file.write(str(row).replace("'", '"').replace("None", "null") + "\n")
    told = theirs.well("cost", "summary", "--session", FIRST).out
    assert "document reads: 2 delivery(ies)" in told
    assert "unreadable" not in told


@WAYS
def test_feedback_on_a_find_of_one_is_recorded_by_the_other(pair):
    writer, other = pair
    save(writer, writer, FIRST, first)
    writer.well("draft", "create", SECOND, stdin=second("draft", FIRST))
    writer.well("search", "ExportWorker", "--session", SECOND)
    other.well("feedback", "record", SECOND, FIRST, "helped", "--decision", "no fixed delay")
    for program in pair:
        told = program.well("feedback", "summary").out
        assert "no fixed delay" in told or "helped" in told
        assert "unreadable line" not in told


@WAYS
def test_a_document_that_one_marked_superseded_redirects_in_the_other(pair):
    writer, _ = pair
    save(writer, writer, FIRST, first)
    save(writer, writer, SECOND, lambda status: second(status, FIRST))
    version = writer.well("search", "ExportWorker").cited[FIRST]
    told = writer.call(
        "engmem_mark_superseded", id=FIRST, superseded_by=SECOND, expected_version=version
    )
    assert told.startswith(f"marked sessions/{FIRST}.md superseded by {SECOND}")
    for program in pair:
        found = program.well("search", "ExportWorker").out
        assert f"{FIRST}: superseded by {SECOND}" in found
        assert f"### {FIRST} " not in found


def test_settings_of_one_hold_for_the_other(ours, theirs, tmp_path):
    alone = [Program(each.command, tmp_path, None) for each in (ours, theirs)]
    for name, (writer, other) in {"a": alone, "b": alone[::-1]}.items():
        place = tmp_path / name
        (place / "sessions").mkdir(parents=True)
        writer.well("store", "set", str(place))
        writer.well("mode", "set", "research")
        assert str(place) in other.well("store", "show").out
        assert "mode: research" in other.well("mode", "show").out
        other.well("mode", "set", "daily")
        assert "mode: daily" in writer.well("mode", "show").out


def test_a_setting_file_of_ours_stops_nothing_in_the_reference(ours, theirs):
    save(ours, ours, FIRST, first)
    (ours.store / "engmem.toml").write_text("never_in_brief = true\n")
    said = theirs.well("search", "ExportWorker")
    assert (said.out.startswith(f"### {FIRST} ("), said.err) == (True, "")


def test_a_document_drafted_from_a_log_is_completed_by_the_reference(ours, theirs, tmp_path):
    agentjournal = Program((sys.executable, "-m", "agentjournal.cli"), tmp_path, ours.store)
    (tmp_path / "plan.md").write_text("# Shop\n\n## Tasks\n\n### T-001 Count `stock.py`\n\n## x\n")
    agentjournal.well("plan", "add", "shop", "plan.md")
    save(ours, ours, FIRST, first)
    handoff = {
        "result": "success",
        "action": "Counted with ExportWorker",
        "current_state": "Done",
        "ruled_out": [{"option": "A CSV file", "why": "Two writers tear it"}],
        "reused": [{"document": FIRST, "quote": "rejected fixed delays", "impact": "None"}],
    }
    of_task = ("--project", "shop", "--task", "T-001", "--from", "-")
    last = agentjournal.well("log", *of_task, stdin=json.dumps(handoff))
    [path] = set((ours.store / "sessions").iterdir()) - {ours.store / "sessions" / f"{FIRST}.md"}
    assert f"Drafted {path.stem}" in last.err
    assert "already exists" in ours("draft", "from-log", "shop").out
    done, version = path.read_text(), hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    done = done.replace("status: draft", "status: active")
    said = theirs.well("draft", "complete", path.stem, "--expected-version", version, stdin=done)
    assert "Reuse Log row" not in said.out
    assert "warning" not in said.out + said.err
    assert theirs.well("search", "CSV file").out.startswith(f"### {path.stem} (")
    roles = theirs.well("roles").out
    assert "1 document(s)" in roles
    assert "no document in this store has this section" not in roles
