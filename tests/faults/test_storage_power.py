"""A power cut loses nothing that was acknowledged; a store that may lose is found losing."""

from __future__ import annotations

import random

import pytest

from agentjournal.storage import sqlite_file
from agentjournal.storage.sqlite import Sqlite
from support.ledger import faults, make, store
from support.power import power_loss
from support.vfs import FaultVfs, Record

_ENTRIES = 12


@pytest.fixture
def folder(memory_folder):
    return memory_folder


@pytest.fixture
def recorded(folder, monkeypatch):
    """Record a run that empties its log several times and rewrites its file."""
    monkeypatch.setattr(sqlite_file, "_LOG_BYTES", 30_000)

    def run(*, durable):
        record = Record()
        vfs = FaultVfs("record", record)
        database = Sqlite(str(folder / "recorded" / "log.db"), vfs="record", durable=durable)
        make(database)
        for entry in range(_ENTRIES):
            store(database, str(entry), size=9000 if entry == _ENTRIES // 2 else 600)
            record.note(str(entry))
        database.compact()
        database.close()
        vfs.unregister()
        return record.log

    return run


def states_that_lost(log, folder, count, seed):
    """Count the states in which something that was acknowledged is wrong."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated
    lost = 0
    for number in range(count):
        here = folder / str(number)
        here.mkdir()
        disk = power_loss(log, chance)
        disk.write_to(here)
        database = Sqlite(str(here / "log.db"))
        lost += bool(faults(database, disk.acknowledged))
        database.close()
        for file in here.iterdir():
            file.unlink()
    return lost


def test_no_power_cut_loses_what_was_acknowledged(recorded, folder):
    assert states_that_lost(recorded(durable=True), folder, 800, seed=1) == 0


def test_a_measurement_file_is_found_losing_so_the_test_can_fail(recorded, folder):
    assert states_that_lost(recorded(durable=False), folder, 100, seed=1) > 0


@pytest.mark.faults
@pytest.mark.timeout(1800)
def test_no_power_cut_of_many_loses_what_was_acknowledged(recorded, folder):
    assert states_that_lost(recorded(durable=True), folder, 20_000, seed=2) == 0
