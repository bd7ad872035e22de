"""Eight writers at once lose nothing: each document, line and answer is there, and one of a race wins."""

from __future__ import annotations

import json
import time

import pytest

from agentjournal.compose.documents import open_documents
from agentjournal.engmem.store import read_store
from agentjournal.engmem.writing.commit import set_commits
from agentjournal.system.git import run_git
from support.document_writers import (
    LEDGERS,
    ROUNDS,
    at_once,
    complete_unasked,
    content,
    own_id,
    rewrite_ledger,
    shared_id,
    write_everything,
)
from support.documents import make_store

WRITERS = 8


@pytest.fixture
def store(tmp_path):
    return make_store(tmp_path / "store", {})


@pytest.mark.parametrize("is_committed", [False, True], ids=["plain", "committed"])
def test_eight_writers_lose_nothing(store, is_committed):
    if is_committed:
        assert run_git(["init", "-q"], store).code == 0
        set_commits(store, wanted=True)
    answers = at_once(store, WRITERS, write_everything)
    assert all(isinstance(each, tuple) for each in answers), answers
    own = {own_id(number, round_) for number in range(WRITERS) for round_ in range(ROUNDS)}
    shared = {shared_id(round_) for round_ in range(ROUNDS)}

    found = read_store(store)
    assert found.failures == ()
    assert {each.id for each in found.documents} == own | shared
    assert {each.status for each in found.documents} == {"active"}
    texts = {each.id: each.entities for each in found.documents}
    for number in range(WRITERS):
        for round_ in range(ROUNDS):
            assert texts[own_id(number, round_)] == (f"Writer{number}Round{round_}",)

    for place in (0, 1):  # who made it, and who completed it
        won = [each for answer in answers for each in answer[place]]
        assert sorted(won) == sorted(shared)
    for number, (_, completed, unseen) in enumerate(answers):
        assert unseen == []
        assert all(texts[each] == (f"Won{number}",) for each in completed)

    for name in LEDGERS:
        rows = [json.loads(line) for line in (store / name).read_text().splitlines()]
        assert {row["session_id"] for row in rows} == own
        assert len(rows) == len(own)

    index = open_documents(store, store.parent / "cache", now=time.time_ns())
    assert index.counts.total == len(own | shared)
    assert all(index.header(each) for each in own | shared)
    left = [path.name for path in (store / "sessions").iterdir() if path.suffix != ".md"]
    assert left == []
    if is_committed:
        assert run_git(["status", "--porcelain", "--", "sessions"], store).out == b""


def test_control_a_ledger_that_is_rewritten_loses_lines(store):
    (store / LEDGERS[0]).write_text("")
    at_once(store, WRITERS, rewrite_ledger)
    assert len((store / LEDGERS[0]).read_text().splitlines()) < WRITERS


def test_control_a_draft_completed_without_its_version_has_several_winners(store):
    (store / "sessions" / f"{shared_id(0)}.md").write_bytes(content(shared_id(0), "draft", "x"))
    assert sum(map(bool, at_once(store, WRITERS, complete_unasked))) > 1
