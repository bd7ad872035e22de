"""F13: while somebody swaps folders, documents and links, nothing outside is read or written."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentjournal.engmem.document import Document, version_of
from agentjournal.engmem.store import read_file
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.folder import read_current
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.engmem.writing.superseding import mark_superseded
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.errors import AgentJournalError

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="linux: needs renameat2"),
]

SWAPPER = Path(__file__).parent.parent / "support" / "links_swapper.py"
INSIDE = b"---\nid: a-x\ntitle: inside\nstatus: active\n---\n"
OUTSIDE = b"---\nid: a-x\ntitle: outside\nstatus: active\n---\n"
SECONDS = 2


@pytest.fixture
def root(tmp_path: Path):
    """Give a store whose folders and ledger change places with links that lead outside."""
    root, outside = tmp_path / "store", tmp_path / "outside"
    for folder, text in ((root / "sessions", INSIDE), (outside / "sessions", OUTSIDE)):
        folder.mkdir(parents=True)
        (folder / "a-x.md").write_bytes(text)
    (outside / "versions" / "a-x").mkdir(parents=True)
    (root / "versions" / "a-x").mkdir(parents=True)
    (outside / "telemetry.jsonl").write_bytes(b"")
    (root / "telemetry.jsonl").write_bytes(b"")
    names = ("sessions", "versions", "telemetry.jsonl")
    pairs = []
    for name in names:
        link = tmp_path / f"{name}.link"
        link.symlink_to(outside / name)
        pairs += [root / name, link]
    swapper = subprocess.Popen(
        [sys.executable, SWAPPER, *pairs],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert swapper.stdout is not None
    assert swapper.stdout.readline() == b"swapping\n"
    yield root
    assert swapper.poll() is None, "the swapper stopped before the test did"
    swapper.communicate()


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_outside_is_read_and_nothing_outside_is_written(root: Path) -> None:
    outside = root.parent / "outside"
    before, titles, done = everything(outside), set(), 0
    end = time.monotonic() + SECONDS
    number = 0
    while time.monotonic() < end:
        number += 1
        if isinstance(found := read_file(root, "a-x.md").found, Document):
            titles.add(found.title)
        done += append_line(root, "telemetry.jsonl", {"n": number}) is None
        done += retain_version(root, "a-x", b"%d" % number) is None
        with contextlib.suppress(AgentJournalError):
            draft = f"---\nid: b-{number}\nmode: daily\nstatus: draft\n---\n".encode()
            create_draft(root, f"b-{number}", draft, mode="daily")
            done += 1
        with contextlib.suppress(AgentJournalError):
            current = read_current(root, "a-x").data
            mark_superseded(root, "a-x", "b-x", version_of(current))
            done += 1
    print(number, done)
    assert titles == {"inside"}
    assert 0 < done < 4 * number + 1  # both states were met
    assert everything(outside) == before
