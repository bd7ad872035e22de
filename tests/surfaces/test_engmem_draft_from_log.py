"""`engmem draft from-log`: what a project learned travels as a document, once a person confirms it."""

from __future__ import annotations

import hashlib
import json
import shlex

import pytest

from agentjournal.engmem.review.verify import verify
from agentjournal.engmem.store import read_store
from agentjournal.system.git import run_git
from agentjournal.usage.call import Call
from agentjournal.usage.file import open_measurements
from agentjournal.usage.record import Usage
from agentjournal.usage.subject import Subject
from support.documents import document, make_store

OLD = "20260801-old-stock"
KEY = "AKIA" + "IOSFODNN7EXAMPLQ"
HANDOFF = {
    "result": "success",
    "action": "Counted the stock in a table",
    "current_state": f"All of it is counted, with {KEY}",
    "ruled_out": [{"option": "A CSV file", "why": "Two writers tear it"}],
    "reused": [
        {"document": OLD, "quote": "two writers tear a file", "impact": "No file"},
        {"document": "ghost-doc", "quote": "never seen here", "impact": "None"},
    ],
}


@pytest.fixture
def store(home, shell, plan_file):
    assert shell("plan", "add", "shop", str(plan_file)).code == 0
    done = shell(
        "log", "--project", "shop", "--task", "T-001", "--from", "-", stdin=json.dumps(HANDOFF)
    )
    assert done.code == 0, done
    text = document(OLD, "## Decision Log\nWe know that two writers tear a\nfile.")
    text = text.replace("tear a\nfile", "tear a file")
    return make_store(home / "engmem", {f"{OLD}.md": text})


def test_a_projects_log_becomes_a_draft_with_its_quotes_at_the_version_that_holds_them(
    shell, store, home
):
    run_git(["init", "-q"], home / "here")
    run_git(["config", "user.name", "Ada"], home / "here")
    answer = shell("draft", "from-log", "shop", program="engmem")
    assert answer.code == 0, answer
    [made] = [each for each in read_store(store).documents if each.status == "draft"]
    assert answer.out.startswith(f"created sessions/{made.id}.md (status: draft, version: ")
    assert (made.repos, made.author, made.mode) == (("here",), "Ada", "daily")
    assert "Cost: unmeasured." in made.body
    assert KEY not in made.body
    version = hashlib.sha256((store / "sessions" / f"{OLD}.md").read_bytes()).hexdigest()[:16]
    assert f'| {OLD}@{version} | "two writers tear a file" | No file | reuse |' in made.body
    assert (store / "versions" / OLD / f"{version}.md").is_file()
    assert [each.told.split(" (")[1] for each in verify(store).problems] == [
        "ghost-doc): never seen here"
    ]


def test_what_its_calls_took_is_added_up_and_what_nobody_measured_is_no_zero(shell, store, home):
    counts = [(1000, 200), (234, None), (None, None), (5, 5)]
    calls = [
        Call(
            id=f"call-{at}",
            at=f"2026-09-01T00:00:0{at}.000000Z",
            usage=Usage(input_total=given, output=got),
            subject=Subject(project="shop" if at < 3 else "other", task="T-001"),
        )
        for at, (given, got) in enumerate(counts)
    ]
    measured = open_measurements(home / "data" / "agentjournal" / "usage.db")
    measured.store(calls)
    measured.database.close()
    made = shell("draft", "from-log", "shop", "--print", program="engmem").out
    assert "Cost: 1,234 input and 200 output tokens in 2 measured calls." in made


def test_a_draft_is_found_by_no_search_and_never_written_over(shell, store):
    assert shell("draft", "from-log", "shop", program="engmem").code == 0
    [made] = [each for each in read_store(store).documents if each.status == "draft"]
    found = shell("search", "counted", "stock", "CSV", program="engmem").out
    assert f"### {made.id}" not in found
    path = store / "sessions" / made.file
    before = path.read_bytes()
    again = shell("draft", "from-log", "shop", program="engmem")
    assert (again.code, "already exists" in again.out) == (2, True)
    assert path.read_bytes() == before


def test_a_person_completes_it_and_then_it_answers(shell, store):
    answer = shell("draft", "from-log", "shop", "--json", program="engmem")
    id_, content = answer.data["id"], answer.data["content"]
    version = hashlib.sha256(content.encode()).hexdigest()[:16]
    done = content.replace("status: draft", "status: active")
    completed = shell(
        "draft", "complete", id_, "--expected-version", version, stdin=done, program="engmem"
    )
    assert completed.code == 0, completed
    assert f"### {id_} (" in shell("search", "counted", "stock", "CSV", program="engmem").out
    assert "rejected: A CSV file" in shell("tried", "a CSV file").out


def test_printing_writes_nothing_and_is_the_same_each_time(shell, store):
    first = shell("draft", "from-log", "shop", "--print", program="engmem")
    assert first.out.startswith("---\nid: ")
    assert shell("draft", "from-log", "shop", "--print", program="engmem") == first
    version = hashlib.sha256((store / "sessions" / f"{OLD}.md").read_bytes()).hexdigest()[:16]
    assert f"{OLD}@{version}" in first.out
    assert not (store / "versions").exists()
    assert len(read_store(store).documents) == 1


def test_a_project_that_is_not_there_is_said_on_both_streams(shell, store):
    answer = shell("draft", "from-log", "nowhere", program="engmem")
    assert answer.code == 2
    assert "There is no project 'nowhere'" in answer.out
    assert answer.out == answer.err
    assert len(read_store(store).documents) == 1


DONE = json.dumps({"result": "success", "action": "Did it", "current_state": "Done"})
HANDS_OFF = f"""
import os, pathlib
pathlib.Path(os.environ["AGENTJOURNAL_HANDOFF"]).write_text({DONE!r})
"""
LAST_TASK = {
    "log": ("log", "--project", "shop", "--task", "T-002", "--from", "-"),
    "resolve": ("resolve", "shop", "T-002", "--done", "--why", "seen by hand"),
    "run": ("run", "shop", "T-002", "--", "python3", "-c", HANDS_OFF),
    "loop": ("loop", "shop", "--worker", shlex.join(["python3", "-c", HANDS_OFF])),
}


@pytest.mark.parametrize("has_store", [True, False])
@pytest.mark.parametrize("command", LAST_TASK)
def test_a_plan_is_drafted_once_however_its_last_task_ends(
    shell, home, plan_file, command, has_store
):
    assert shell("plan", "add", "shop", str(plan_file)).code == 0
    if has_store:
        make_store(home / "engmem", {})
    first = shell("resolve", "shop", "T-001", "--done", "--why", "seen by hand")
    assert "Drafted " not in first.err
    answer = shell(*LAST_TASK[command], stdin=DONE)
    assert answer.code == 0, answer.err
    assert ("Drafted " in answer.err) == has_store
    assert "Drafted " not in shell("loop", "shop", "--worker", "true").err
    assert (home / "engmem").exists() == has_store
    if has_store:
        [made] = read_store(home / "engmem").documents
        assert made.status == "draft"
