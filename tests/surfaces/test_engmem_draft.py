"""`engmem draft`: a document begins as a draft, is completed over itself, and is never lost."""

from __future__ import annotations

import json
import subprocess

import pytest

from agentjournal.engmem.document import version_of
from support.documents import document, make_store

ID = "20261130-retry"
DRAFT = document(ID, status="draft", mode="daily", repos="[Here]")
DONE = document(ID, "## Decision Log\nJitter.", mode="daily", entities="[ExportWorker]")


@pytest.fixture
def store(home):
    return make_store(home / "engmem", {})


def test_a_draft_is_created_found_unfinished_completed_and_then_searched(shell, store, home):
    subprocess.run(["git", "init", "-q"], cwd=home / "here", check=True)
    told = shell("draft", "create", ID, stdin=DRAFT, program="engmem")
    version = version_of(DRAFT.encode())
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"created sessions/{ID}.md (status: draft, version: {version}).")
    left = shell("draft", "status", program="engmem")
    assert left.out == (
        f"engmem: unsaved draft(s) {ID} — finish with /engmem.save.quick or leave them\n"
    )
    done = shell(
        "draft", "complete", ID, "--expected-version", version, stdin=DONE, program="engmem"
    )
    assert (done.code, done.out.split("\n")[0]) == (
        0,
        f"completed sessions/{ID}.md (status: draft -> active)",
    )
    assert shell("draft", "status", program="engmem").out == (
        "engmem: no unsaved drafts for here\n"
    )
    assert f"### {ID} (" in shell("search", "ExportWorker", program="engmem").out


def test_a_draft_that_was_edited_in_its_file_is_completed_as_it_stands(shell, store):
    shell("draft", "create", ID, stdin=DRAFT, program="engmem")
    path = store / "sessions" / f"{ID}.md"
    path.write_text(DRAFT + "\n## Decision Log\nJitter, by zebrafish.\n")
    done = shell("draft", "complete", ID, "--as-is", program="engmem")
    assert done.out.split("\n")[0] == f"completed sessions/{ID}.md (status: draft -> active)"
    assert path.read_text() == DRAFT.replace("status: draft", "status: active") + (
        "\n## Decision Log\nJitter, by zebrafish.\n"
    )
    assert f"### {ID} (" in shell("search", "zebrafish", program="engmem").out
    again = shell("draft", "complete", ID, "--as-is", program="engmem")
    assert (again.code, "is active, no draft" in again.out) == (2, True)


def test_a_plan_that_is_not_the_drafts_any_more_is_told(shell, store):
    begun = DRAFT + "\n## Pre-reg\nRetry three times.\n"
    shell("draft", "create", ID, stdin=begun, program="engmem")
    done = DONE + "\n## Pre-reg\nUse jitter.\n"
    version = version_of(begun.encode())
    told = shell(
        "draft", "complete", ID, "--expected-version", version, stdin=done, program="engmem"
    )
    assert "warning: the Pre-reg is not the draft's, word for word" in told.out


def test_a_refusal_is_told_on_both_streams_with_the_current_text(shell, store):
    shell("draft", "create", ID, stdin=DRAFT, program="engmem")
    told = shell("draft", "complete", ID, stdin=DONE, program="engmem")
    assert (told.code, told.out) == (2, told.err)
    assert told.out.startswith(f"error: sessions/{ID}.md: no expected version was given")
    assert f"--- current sessions/{ID}.md ---\n{DRAFT}" in told.out
    assert (store / "sessions" / f"{ID}.md").read_text() == DRAFT


def test_nothing_on_standard_input_is_refused(shell, store):
    told = shell("draft", "create", ID, program="engmem")
    assert (told.code, list((store / "sessions").iterdir())) == (2, [])
    assert told.out == told.err
    assert "the content is empty" in told.out


def test_the_saved_mode_is_what_a_draft_has_to_state(shell, store):
    shell("mode", "set", "research", program="engmem")
    told = shell("draft", "create", ID, stdin=DRAFT, program="engmem")
    assert (told.code, "the configured one 'research'" in told.out) == (2, True)


def test_a_missing_store_is_named(shell, home):
    told = shell("draft", "create", ID, stdin=DRAFT, program="engmem")
    assert (told.code, told.out) == (2, told.err)
    assert told.out.startswith(f"error: store not found: {home}/engmem/sessions does not exist")


def test_of_many_drafts_three_are_named_newest_first(shell, store, home):
    subprocess.run(["git", "init", "-q"], cwd=home / "here", check=True)
    for day in range(1, 6):
        text = document(f"2026100{day}-d", status="draft", repos="[' HERE ']")
        text = text.replace("date: 2026-09-01", f"date: 2026-10-0{day}")
        (store / "sessions" / f"2026100{day}-d.md").write_text(text)
    (store / "sessions" / "z-z.md").write_text(document("z-z", status="draft", repos="[other]"))
    told = shell("draft", "status", program="engmem")
    assert told.out == (
        "engmem: unsaved draft(s) 20261005-d, 20261004-d, 20261003-d +2 more — finish with "
        "/engmem.save.quick or leave them\n"
    )
    hook = json.loads(shell("draft", "status", "--hook", program="engmem").out)
    assert hook["systemMessage"] == told.out.rstrip("\n")
    assert hook["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert (
        "20261005-d, 20261004-d, 20261003-d +2 more"
        in (hook["hookSpecificOutput"]["additionalContext"])
    )


def test_outside_of_a_checkout_the_reason_is_told(shell, store, home):
    assert shell("draft", "status", program="engmem").out == (
        f"engmem: engmem's working directory {home}/here is not in a git checkout\n"
    )


@pytest.mark.parametrize("setting", [None, "", "relative"])
def test_a_hook_is_silent_and_never_fails(shell, home, monkeypatch, setting):
    subprocess.run(["git", "init", "-q"], cwd=home / "here", check=True)
    if setting is not None:
        monkeypatch.delenv("ENGMEM_HOME")
        (home / "config" / "engmem").mkdir(parents=True)
        (home / "config" / "engmem" / "store").write_text(setting)
    told = shell("draft", "status", "--hook", program="engmem")
    assert (told.code, told.out, told.err) == (0, "", "")
