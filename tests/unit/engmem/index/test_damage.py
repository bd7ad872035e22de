from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentjournal.engmem.index import postings, shelf, work
from agentjournal.engmem.index.looked import looked_at
from agentjournal.engmem.index.refresh import Listener, refreshed
from agentjournal.errors import DamagedError
from support.engmem_store import LATER, Shop, many

DOCUMENTS = 40  # more than stay out of the postings


@pytest.fixture
def shop(tmp_path):
    shop = Shop(tmp_path)
    many(shop, DOCUMENTS)
    shop.write("zz-bad", "---\ntitle: [\n---\n")
    shop.index()
    return shop


def told(shop):
    index = shop.index()
    found = [(hit.header.id, hit.score) for hit in index.search("everywhere only7word")[:3]]
    return index.counts, index.failures, found, index.passages("d007-doc")


def places(size):
    return sorted({0, 1, 4, 5, 8, size // 3, size // 2, size - 2, size - 1} & set(range(size)))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :]


def test_every_file_of_an_index_may_be_cut_changed_or_gone(shop):
    right, kept = told(shop), shop.cache.with_name("kept")
    shutil.copytree(shop.cache, kept)
    tried = 0
    for file in shop.files():
        data = file.read_bytes()
        harms = [None, b"", data[: len(data) // 2], data + b"more", b"another file's bytes"]
        for harm in [*harms, *(flipped(data, at) for at in places(len(data)))]:
            if harm is None:
                file.unlink()
            else:
                file.write_bytes(harm)
            assert told(shop) == right, (file.name, harm and len(harm))
            tried += 1
            shutil.rmtree(shop.cache)
            shutil.copytree(kept, shop.cache)
    assert tried > 50


def test_a_pipe_or_a_folder_in_the_place_of_a_file_is_not_waited_for(shop):
    right = told(shop)
    for name in ("index", "records-1"):
        for make in (os.mkfifo, os.mkdir):
            (file,) = (each for each in shop.files() if each.name == name)
            file.unlink()
            make(file)
            assert told(shop) == right
            shutil.rmtree(shop.cache)
            shop.index()


def test_an_index_that_was_copied_is_used_after_it_was_checked(shop):
    right, kept = told(shop), shop.cache.with_name("kept")
    shutil.copytree(shop.cache, kept)
    shop.cache = kept
    assert told(shop) == right


def test_an_index_of_another_format_or_store_is_made_again(shop, monkeypatch):
    right = told(shop)
    monkeypatch.setattr(shelf, "FORMAT", 0)
    assert told(shop) == right
    monkeypatch.undo()
    assert told(shop) == right
    (folder,) = (shop.cache / "engmem").iterdir()
    other = Shop(shop.root.parent / "other")
    other.write("1-cache", body="everywhere")
    other.cache = shop.cache
    other.index()
    (theirs,) = set((shop.cache / "engmem").iterdir()) - {folder}
    shutil.rmtree(folder)
    theirs.rename(folder)
    assert told(shop) == right


def test_damage_that_no_file_shows_is_told_and_the_next_search_is_right(shop, monkeypatch):
    right = told(shop)
    index = shop.index()
    records = next(each for each in shop.files() if each.name.startswith("records"))
    records.write_bytes(bytes(records.stat().st_size))  # beneath an index that is open
    with pytest.raises(DamagedError, match="Ask again"):
        index.search("everywhere only7word")
    assert told(shop) == right


def noted(shop):
    """Bring an index up to date, and give it with what its user is told."""
    notes = []
    listener = Listener(note=notes.append)
    return refreshed(looked_at(shop.root), shop.cache, now=LATER, listener=listener), notes


@pytest.mark.parametrize("stands", ["a file", "nothing may be made"])
def test_an_index_that_cannot_be_kept_is_held_in_memory_and_one_note_says_so(tmp_path, stands):
    shop = Shop(tmp_path)
    many(shop, DOCUMENTS)
    shop.cache.write_text("in the way")
    if stands != "a file":
        shop.cache = Path("/proc/none")
    index, notes = noted(shop)
    assert [hit.header.id for hit in index.search("only7word")] == ["d007-doc"]
    assert len(notes) == 1
    assert "is not kept" in notes[0]
    shop.write("new-doc", body="something fresh")
    (shop.sessions / "d007-doc.md").unlink()
    again = refreshed(looked_at(shop.root), shop.cache, now=LATER, before=index)
    assert [hit.header.id for hit in again.search("fresh")] == ["new-doc"]
    assert again.search("only7word") == []


def test_an_index_that_may_only_be_read_is_built_upon_in_memory(shop, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("agentjournal.engmem.index.work.Work.loaded", full)
    shop.write("new-doc", body="something fresh")
    index, notes = noted(shop)
    assert [hit.header.id for hit in index.search("fresh")] == ["new-doc"]
    assert [hit.header.id for hit in index.search("only7word")] == ["d007-doc"]
    assert "no room" in notes[0]


def test_postings_that_cannot_be_written_cost_a_note_and_no_answer(tmp_path, monkeypatch):
    class Dead(postings.PostingsWriter):
        def __init__(self, folder):
            super().__init__(folder)
            self._writer = self

        def add_document(self, _):
            raise ValueError("An index writer was killed.. A worker thread encountered an error")

    shop = Shop(tmp_path)
    many(shop, DOCUMENTS)
    monkeypatch.setattr(work, "PostingsWriter", Dead)
    index, notes = noted(shop)
    assert [hit.header.id for hit in index.search("only7word")] == ["d007-doc"]
    assert len(notes) == 1
    assert "is not kept" in notes[0]


CHILD = """
import os, sys
from pathlib import Path
from agentjournal.engmem.index import reading, records, refresh, shelf, work, postings
from agentjournal.compose.documents import open_documents
moment, root, cache = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
left = [moment]
def dying(real):
    def call(*args, **kwargs):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), 9)
        done = real(*args, **kwargs)
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), 9)
        return done
    return call
records.Records.write = dying(records.Records.write)
postings.PostingsWriter.commit = dying(postings.PostingsWriter.commit)
shelf.Shelf.write = dying(shelf.Shelf.write)
work.clear = dying(work.clear)
reading.read_file = dying(reading.read_file)
if moment == 0:
    left[0] = -1
open_documents(root, cache, now=4 * 10**18)
"""


def child(shop, moment):
    command = [sys.executable, "-c", CHILD, str(moment), str(shop.root), str(shop.cache)]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


@pytest.mark.parametrize("moment", [1, 2, 30, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81])
def test_a_kill_while_the_index_is_brought_up_to_date_costs_nothing_but_time(shop, moment):
    for number in range(35):
        shop.write(f"d{number:03}-doc", body=f"everywhere new{number}word")
    (shop.sessions / "d036-doc.md").unlink()
    with child(shop, moment) as dying:
        dying.wait()
    right = told(shop)
    assert shop.found("new7word") == ["d007-doc"]
    assert shop.found("only7word") == []
    shop.cache = shop.cache.with_name("other")
    assert told(shop) == right


def test_the_kills_reach_the_last_write(shop):
    for number in range(35):
        shop.write(f"d{number:03}-doc", body=f"everywhere new{number}word")
    ends = []
    for moment in (71, 78, 1_000):
        with child(shop, moment) as dying:
            ends.append(dying.wait())
        shutil.rmtree(shop.cache)
        shop.index()
        for number in range(35):
            shop.write(f"d{number:03}-doc", body=f"everywhere new{number}word{moment}")
    assert ends == [-9, -9, 0]


def test_postings_that_are_written_while_an_index_is_opened_are_not_mixed_with_it(
    shop, monkeypatch
):
    shop.write("new-doc", body="something fresh")
    shop.index()
    looked = looked_at(shop.root)

    def late(folder):
        monkeypatch.undo()
        for number in range(DOCUMENTS):
            shop.write(f"more{number}", body="fresh")
        shop.index()
        return postings.Postings(folder)

    monkeypatch.setattr(shelf, "Postings", late)
    assert shelf.open_unchanged(looked, shop.cache) is None


def test_eight_processes_at_once_leave_one_right_index(shop):
    right = told(shop)
    shutil.rmtree(shop.cache)
    running = [child(shop, 0) for _ in range(8)]
    ends = [each.communicate()[1] or each.returncode for each in running]
    assert ends == [0] * 8
    assert told(shop) == right
    assert shelf.open_unchanged(looked_at(shop.root), shop.cache) is not None
    names = {os.path.relpath(each, shop.cache).split("/")[2] for each in shop.files()}
    assert len(names) == 3  # the index, its records, its postings
