"""A commit that the device did not confirm is never taken for stored, however often it is asked for."""

from __future__ import annotations

from itertools import count

import apsw
import pytest

from agentjournal.errors import OutcomeUnknownError, StoreError
from agentjournal.storage.sqlite import Sqlite
from support.ledger import faults, make, store
from support.vfs import Fail, FaultVfs

NEVER = Fail(at=10**9, error=apsw.IOError)


@pytest.fixture
def vfs():
    made = FaultVfs("unsynced", NEVER)
    yield made
    made.unregister()


@pytest.fixture
def database(memory_folder, vfs):
    opened = Sqlite(str(memory_folder / "log.db"), vfs="unsynced")
    make(opened)
    yield opened
    opened.close()


def fail_syncs(vfs, *, is_sticky):
    vfs.plan = Fail(at=1, error=apsw.IOError, is_sticky=is_sticky, kinds=("sync",))


def known(database):
    """Give what a reader sees, who may take it for stored."""
    return [entry for entry in ("a",) if not faults(database, [entry])]


def test_it_is_not_acknowledged_while_the_device_confirms_nothing(database, vfs):
    fail_syncs(vfs, is_sticky=True)
    with pytest.raises(OutcomeUnknownError):
        store(database, "a")
    for _ in range(3):
        with pytest.raises(StoreError):
            store(database, "a")
        with pytest.raises(StoreError):
            known(database)
    vfs.plan = NEVER
    store(database, "a")
    assert faults(database, ["a"]) == []


def test_once_it_is_seen_it_has_reached_the_device(database, vfs):
    fail_syncs(vfs, is_sticky=False)
    with pytest.raises(OutcomeUnknownError):
        store(database, "a")
    synced = count()
    vfs.plan = Counting(synced)
    store(database, "a")
    assert next(synced) > 0
    assert faults(database, ["a"]) == []


class Counting:
    """Counts syncs."""

    def __init__(self, synced):
        self._synced = synced

    def around(self, operation, perform, _tear):
        perform()
        if operation.kind == "sync":
            next(self._synced)
