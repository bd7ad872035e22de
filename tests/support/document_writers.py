"""Processes of their own that write to one store of documents at the same moment."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from agentjournal.compose.documents import open_documents
from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing.completing import complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.engmem.writing.refusal import WriteRefused
from support.at_once import at_once as in_processes
from support.documents import document

if TYPE_CHECKING:
    import multiprocessing
    from collections.abc import Callable
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

ROUNDS = 4
NONE = "## Reuse Log\nPrior docs used: none."
LEDGERS = ("telemetry.jsonl", "cost.jsonl", "feedback.jsonl")


def at_once(store: Path, count: int, work: Callable[[Path, int, Barrier], object]) -> list[object]:
    """Do the work in as many processes; give what each returned, in their order."""
    return in_processes(_run, store, count, work)


def _run(
    store: Path,
    number: int,
    work: Callable[[Path, int, Barrier], object],
    barrier: Barrier,
    answers: multiprocessing.SimpleQueue[tuple[int, object]],
) -> None:
    try:
        answer = work(store, number, barrier)
    except BaseException as error:  # noqa: BLE001 - the test shows it
        barrier.abort()
        answer = repr(error)
    answers.put((number, answer))


def own_id(number: int, round_: int) -> str:
    return f"w{number}-note-{round_}"


def shared_id(round_: int) -> str:
    return f"shared-note-{round_}"


def content(id_: str, status: str, words: str) -> bytes:
    text = f"## Decision Log\nAll {words} are kept."
    return document(id_, text, NONE, status=status, mode="daily", entities=f"[{words}]").encode()


def write_everything(store: Path, number: int, barrier: Barrier) -> object:
    """Save documents of its own, race for shared ones, add lines, and look through the index.

    Gives the shared drafts that it made and completed, and what a search of its own did not find.
    """
    made, completed, unseen = [], [], []
    for round_ in range(ROUNDS):
        barrier.wait()
        own, shared = own_id(number, round_), shared_id(round_)
        _save(store, own, f"Writer{number}Round{round_}")
        if _is_done(create_draft, store, shared, content(shared, "draft", "Shared"), mode="daily"):
            made.append(shared)
        for name in LEDGERS:
            assert append_line(store, name, {"session_id": own, "line": round_}) is None
        if open_documents(store, store.parent / "cache", now=time.time_ns()).header(own) is None:
            unseen.append(own)
        barrier.wait()
        expected = version_of(content(shared, "draft", "Shared"))
        finished = content(shared, "active", f"Won{number}")
        if _is_done(complete_draft, store, shared, finished, expected):
            completed.append(shared)
    return made, completed, unseen


def rewrite_ledger(store: Path, number: int, barrier: Barrier) -> object:
    """Add a line as one must not: read the whole, write the whole."""
    path = store / LEDGERS[0]
    before = path.read_text()
    barrier.wait()
    path.write_text(before + json.dumps({"session_id": own_id(number, 0)}) + "\n")
    return None


def complete_unasked(store: Path, number: int, barrier: Barrier) -> object:
    """Complete a draft as one must not: without asking which version it has."""
    path = store / "sessions" / f"{shared_id(0)}.md"
    is_draft = b"status: draft" in path.read_bytes()
    barrier.wait()
    path.write_bytes(content(shared_id(0), "active", f"Won{number}"))
    return is_draft


def _save(store: Path, id_: str, words: str) -> None:
    draft = content(id_, "draft", words)
    create_draft(store, id_, draft, mode="daily")
    complete_draft(store, id_, content(id_, "active", words), version_of(draft))


def _is_done(write: Callable[..., object], *args: object, **more: object) -> bool:
    try:
        write(*args, **more)
    except WriteRefused:
        return False
    return True
