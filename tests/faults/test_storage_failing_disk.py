"""A disk that fails or fills up, at any operation: errors are ours, and nothing acknowledged is lost."""

from __future__ import annotations

from itertools import count

import apsw
import pytest

from agentjournal.errors import StoreError
from agentjournal.storage import sqlite_file
from agentjournal.storage.sqlite import Sqlite
from support.ledger import faults, make, store
from support.vfs import Fail, FaultVfs

NEVER = Fail(at=10**9, error=apsw.IOError)
ENTRIES = ("0", "1", "2", "3")


@pytest.fixture
def vfs():
    made = FaultVfs("breaking", NEVER)
    yield made
    made.unregister()


@pytest.mark.parametrize("is_sticky", [False, True])
@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError])
def test_each_operation_may_fail_and_a_second_try_with_the_same_id_stores_it_once(
    memory_folder, monkeypatch, vfs, error, is_sticky
):
    monkeypatch.setattr(sqlite_file, "_LOG_BYTES", 20_000)
    for at in count(1):
        vfs.plan = Fail(at=at, error=error, is_sticky=is_sticky)
        database = Sqlite(str(memory_folder / str(at) / "log.db"), vfs="breaking")
        acknowledged = [entry for entry in ENTRIES if is_acknowledged(database, entry)]
        was_hit = vfs.plan.count >= at
        vfs.plan = NEVER
        make(database)
        assert faults(database, acknowledged) == []
        for entry in ENTRIES:
            store(database, entry)
        assert faults(database, ENTRIES) == []
        database.close()
        if not was_hit:
            break
    assert at > 50


def is_acknowledged(database, entry):
    """Store the entry and say whether it was acknowledged; any error but ours fails the test."""
    try:
        make(database)
        store(database, entry)
    except StoreError as error:
        message, remedy = str(error), error.next
    else:
        return True
    assert database.location in message
    assert remedy
    return False
