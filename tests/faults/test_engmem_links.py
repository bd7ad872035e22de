"""F13: while somebody swaps a store's folders and files with links, nothing outside is read or written."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agentjournal.engmem.document import version_of
from agentjournal.engmem.ledger.rows import ledger_rows
from agentjournal.engmem.store import read_store
from agentjournal.engmem.writing.completing import complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.errors import AgentJournalError
from support.documents import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="linux: needs renameat2"),
]

SWAPPER = Path(__file__).parent.parent / "support" / "links_swapper.py"
SECONDS = 2
NAMES = ("sessions", "versions", "cost.jsonl")


@pytest.fixture
def store(tmp_path: Path):
    """Give a store whose folders and ledger change places with links that lead outside."""
    inside, outside = tmp_path / "store", tmp_path / "outside"
    for place, word in ((inside, "Inside"), (outside, "Outside")):
        for folder in ("sessions", "versions"):
            (place / folder).mkdir(parents=True)
        text = document("some-doc", f"## Decision Log\n{word} only.", entities=f"[{word}]")
        (place / "sessions" / "some-doc.md").write_text(text)
        (place / "cost.jsonl").write_text(f'{{"word": "{word}"}}\n')
    pairs = [path for name in NAMES for path in (inside / name, inside / f"{name}.link")]
    for name in NAMES:
        (inside / f"{name}.link").symlink_to(outside / name)
    swapper = subprocess.Popen(
        [sys.executable, SWAPPER, *pairs], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert swapper.stdout is not None
    assert swapper.stdout.readline() == b"swapping\n"
    yield inside
    assert swapper.poll() is None, "the swapper stopped before the test did"
    swapper.communicate()


def rounds(is_enough: Callable[[], bool]) -> Iterator[int]:
    """Go on for SECONDS, and on a busy machine until enough was met."""
    begun, number = time.monotonic(), 0
    while (taken := time.monotonic() - begun) < SECONDS or (taken < 60 and not is_enough()):
        yield (number := number + 1)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_outside_is_read(store):
    met = {"Inside": 0, "refused": 0}
    for _ in rounds(lambda: min(met.values()) > 20):
        try:
            words = [word for each in read_store(store).documents for word in each.entities]
            words += [str(row["word"]) for row in ledger_rows(store, "cost.jsonl") if row]
        except AgentJournalError:
            words = ["refused"]
        for word in words:
            met[word] += 1  # a word from outside is none of the two
    assert min(met.values()) > 20, met


def test_nothing_outside_is_written(store):
    outside = store.parent / "outside"
    before, met = contents(outside), {"done": 0}
    for number in rounds(lambda: met["done"] > 20):
        draft = document(f"new-doc-{number}", status="draft", mode="daily", entities="[N]").encode()
        active = draft.replace(b"status: draft", b"status: active")
        with contextlib.suppress(AgentJournalError):
            create_draft(store, f"new-doc-{number}", draft, mode="daily")
            complete_draft(store, f"new-doc-{number}", active, version_of(draft))
            met["done"] += 1
        met["done"] += append_line(store, "cost.jsonl", {"word": "Inside"}) is None
        met["done"] += retain_version(store, "some-doc", draft) is None
    assert contents(outside) == before
    assert met["done"] > 20


def test_control_a_plain_write_goes_outside(store):
    outside = store.parent / "outside" / "cost.jsonl"
    end = time.monotonic() + 60
    while time.monotonic() < end and "leaked" not in outside.read_text():
        with contextlib.suppress(OSError), (store / "cost.jsonl").open("a") as file:
            file.write('{"word": "leaked"}\n')
    assert "leaked" in outside.read_text()
