"""Files that are read by programs of their own: the same index, whatever becomes of those."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from agentjournal.engmem.index import readers
from support.engmem_store import Shop, many

DOCUMENTS = 60

ANSWERING = """
import sys
from pathlib import Path
from agentjournal.engmem.index import worker
from agentjournal.engmem.index.frames import receive, send
from agentjournal.engmem.index.reading import Reader
reader, asked, answers = Reader(Path(sys.argv[1]), is_posting=True), sys.stdin.buffer, sys.stdout.buffer
for left in range(2, -1, -1):
    files = receive(asked)
    if not left:
        HARM
    send(answers, [(s, tuple(e), *rest) for s, e, *rest in (reader(*each) for each in files)])
"""
HARMS = {
    "dies": "os._exit(9)",
    "dies in the middle of an answer": "answers.write(b'ajf'); answers.flush(); os._exit(9)",
    "answers rubbish": "answers.write(b'Traceback (most recent call last):' * 99); answers.flush()",
    "answers too little": "send(answers, []); continue",
    "answers other values": "send(answers, [(1,)] * len(files)); continue",
    "answers no values": "send(answers, 7); continue",
    "can open nothing": "reader = Reader(Path('/nowhere'), is_posting=True)",
    "is of another version": "answers.write(b'ajf\\x00' + bytes(8)); answers.flush()",
}


@pytest.fixture
def shop(tmp_path):
    shop = Shop(tmp_path)
    many(shop, DOCUMENTS)
    shop.write("a-first", body="everywhere", id="d007-doc")
    shop.write("zz-bad", "---\ntitle: [\n---\n")
    shop.write("zz-draft", body="everywhere drafted", status="draft", date="[a, b]")
    (shop.sessions / "zz-link.md").symlink_to("/etc/hostname")
    return shop


@pytest.fixture
def started(monkeypatch):
    """Has two programs started for a few files, and gives those that were."""
    processes: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def noted(*args, **kwargs):
        processes.append(real(*args, **kwargs))
        return processes[-1]

    monkeypatch.setattr(readers, "MANY", 8)
    monkeypatch.setattr(readers, "CHUNK", 5)
    monkeypatch.setattr(readers, "_processors", lambda: 2)
    monkeypatch.setattr(subprocess, "Popen", noted)
    return processes


def kept(shop, name):
    """Give the index as it is made now: every byte but tantivy's, which draws names by lot."""
    shop.cache = shop.cache.with_name(name)
    index = shop.index()
    (folder,) = (shop.cache / "engmem").iterdir()
    told = [(hit.header.id, hit.score) for hit in index.search("everywhere only8word")]
    entries = index.held.files()
    return (
        (folder / "records-1").read_bytes(),
        [*entries.items()],
        index.counts,
        index.failures,
        index.degraded,
        index.head.recent,
        told,
    )


def alone(shop, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(readers, "MANY", DOCUMENTS * 9)
        return kept(shop, "alone")


def test_an_index_is_the_same_to_the_byte_whoever_read_its_files(shop, started, monkeypatch):
    right = alone(shop, monkeypatch)
    assert started == []
    assert kept(shop, "together") == right
    assert [each.poll() is not None for each in started] == [True, True]


@pytest.mark.parametrize("harm", HARMS)
def test_what_a_program_does_not_hand_over_is_read_here(shop, started, monkeypatch, harm):
    right = alone(shop, monkeypatch)
    script = "import os\n" + ANSWERING.replace("HARM", HARMS[harm])
    monkeypatch.setattr(readers, "PROGRAM", ("-c", script))
    assert kept(shop, "harmed") == right
    assert [each.poll() is not None for each in started] == [True, True]


def test_a_program_that_hangs_is_ended_and_its_files_are_read_here(shop, started, monkeypatch):
    right = alone(shop, monkeypatch)
    script = "import os, signal\n" + ANSWERING.replace(
        "HARM", "os.kill(os.getpid(), signal.SIGSTOP)"
    )
    monkeypatch.setattr(readers, "PROGRAM", ("-c", script))
    monkeypatch.setattr(readers, "PATIENCE", 1.0)
    assert kept(shop, "hanging") == right
    assert [each.poll() for each in started] == [-signal.SIGKILL] * 2


def test_where_there_is_no_room_for_a_thread_all_is_read_here(shop, started, monkeypatch):
    def full(_):
        raise RuntimeError("can't start new thread")

    right = alone(shop, monkeypatch)
    monkeypatch.setattr(readers.Timer, "start", full)
    assert kept(shop, "full") == right
    assert [each.poll() is not None for each in started] == [True, True]


def test_programs_are_as_cut_off_from_their_environment_as_whoever_starts_them(shop):
    hostile = shop.root.parent / "hostile"
    hostile.mkdir()
    (hostile / "yaml.py").write_text("import os; open('loaded', 'w'); os._exit(1)")
    script = (
        "import sys; from pathlib import Path; from agentjournal.engmem.index import readers\n"
        "readers.MANY, readers._processors = 0, lambda: 2\n"
        "with readers.Readers(Path(sys.argv[1]), [('a-first.md', None)], is_posting=True) as read:\n"
        "    print(read('a-first.md', None).entry.id, len(read._programs), read._programs[0].is_sound)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(shop.root)],
        env={"PYTHONPATH": str(hostile)}, cwd=hostile, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["d007-doc", "2", "True"]
    assert [each.name for each in hostile.iterdir()] == ["yaml.py"]


def test_where_no_program_can_be_started_all_is_read_here(shop, started, monkeypatch):
    right = alone(shop, monkeypatch)
    for missing in (str(shop.root / "no-python"), None):
        monkeypatch.setattr(sys, "executable", missing)
        assert kept(shop, f"none-{missing is None}") == right
    assert started == []


def test_a_module_that_lies_where_a_search_is_run_is_not_loaded(shop, started, monkeypatch):
    right = alone(shop, monkeypatch)
    shadow = shop.root.parent / "shadow"
    shadow.mkdir()
    (shadow / "yaml.py").write_text("import os; open('loaded', 'w'); os._exit(1)")
    monkeypatch.chdir(shadow)
    assert kept(shop, "shadowed") == right
    assert [each.name for each in shadow.iterdir()] == ["yaml.py"]
    assert len(started) == 2


def test_touched_files_keep_their_records_when_programs_read_them(shop, started):
    for number in range(DOCUMENTS):
        shop.write(f"d{number:03}-doc", body=f"only{number}word", date="2026-11-01")
    first = shop.index().head
    for file in shop.sessions.glob("d*.md"):
        os.utime(file, ns=(1, 1))
    again = shop.index().head
    assert (again.end, again.recent, again.dead) == (first.end, first.recent, first.dead)
    assert len(started) == 4


def test_each_program_ends_with_whoever_asks_it(shop):
    command = [sys.executable, *readers.PROGRAM, str(shop.root)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as first,
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as second,
    ):
        first.stdin.close()
        assert first.wait(60) == 0
        assert second.poll() is None
        second.stdin.close()
