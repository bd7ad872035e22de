"""Bit rot in the file itself (trust F10): never a wrong text returned as good, never our crash."""

from __future__ import annotations

import random
from contextlib import closing

import pytest

from agentjournal.errors import StoreError
from agentjournal.log.backup import backup
from agentjournal.log.revoke import redact, retract
from agentjournal.log.transfer import export
from agentjournal.log.verify import inspect
from agentjournal.storage.sqlite import Sqlite
from support.example_fold import AT, example_log, note, write

BY = {"actor": "ada", "at": AT, "why": "it is wrong"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The bytes of a sealed store at rest, and its export."""
    folder = tmp_path_factory.mktemp("sound")
    log = example_log(Sqlite(str(folder / "log.db")))
    write(log, *(note(f"e{n}", f"words {n} " * 40, turn=f"line {n}\n") for n in range(1, 60)))
    write(log, note("q1", "other", stream="project/q"))
    retract(log, "e2", event_id="r1", **BY)
    redact(log, "e5", event_id="r2", **BY)
    backup(log, str(folder / "copy.db"))
    lines = list(export(log))
    log.database.close()
    return (folder / "copy.db").read_bytes(), lines


def read_back(path):
    """Give what a store says of itself: an export where all is good, or None."""
    with closing(Sqlite(str(path))) as database:
        log = example_log(database)
        return list(export(log)) if inspect(log).is_good else None


def outcome(data, path):
    path.write_bytes(data)
    try:
        return read_back(path)
    except StoreError:
        return None


def test_a_sound_file_reads_back(sound, tmp_path):
    data, lines = sound

    assert outcome(data, tmp_path / "log.db") == lines


def test_no_flipped_bit_of_300_gives_a_wrong_text(sound, tmp_path):
    data, lines = sound
    chance = random.Random(20260131)  # noqa: S311 - a repeatable choice
    found = 0

    for number in range(300):
        rotten = bytearray(data)
        rotten[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        answer = outcome(bytes(rotten), tmp_path / f"{number}.db")
        assert answer in (None, lines)
        found += answer is None

    assert found > 100  # the rest lies in unused bytes, and in indexes, which hold no text


def test_no_lost_page_and_no_cut_gives_a_wrong_text(sound, tmp_path):
    data, lines = sound
    page = 4096

    for at in range(0, len(data), page):
        zeroed = data[:at] + bytes(page) + data[at + page :]
        assert outcome(zeroed, tmp_path / f"zero-{at}.db") in (None, lines)
        if at:
            assert outcome(data[:at], tmp_path / f"cut-{at}.db") in (None, lines)
