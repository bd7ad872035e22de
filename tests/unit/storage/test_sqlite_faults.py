"""A disk that fails: each error is ours, names the file, and the next call works once it is well."""

from __future__ import annotations

import errno
import os

import apsw
import pytest

from agentjournal.errors import (
    DamagedError,
    OutcomeUnknownError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)
from agentjournal.storage import sqlite_file
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.sqlite_errors import translated
from support.thing import ADD, ALL, add, names, with_things
from support.vfs import Fail, FaultVfs

NEVER = Fail(at=10**9, error=apsw.IOError)
ERRORS = [(apsw.IOError, StoreUnavailableError), (apsw.FullError, StoreFullError)]


@pytest.fixture
def vfs():
    made = FaultVfs("failing", NEVER)
    yield made
    made.unregister()


@pytest.fixture
def store(sqlite_path, vfs):
    database = with_things(Sqlite(str(sqlite_path), vfs="failing"), "a")
    yield database
    vfs.plan = NEVER
    database.close()


@pytest.mark.parametrize("kind", ["write", "sync"])
@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError])
def test_a_commit_that_fails_says_that_its_outcome_is_unknown(store, vfs, error, kind):
    vfs.plan = Fail(at=1, error=error, kinds=(kind,))
    with pytest.raises(OutcomeUnknownError) as caught:
        add(store, "b")
    assert store.location in str(caught.value)
    assert "same id" in caught.value.next
    add(store, "c")
    assert {"a", "c"} <= set(names(store)) <= {"a", "b", "c"}


def test_a_failed_sync_is_never_tried_again_on_the_same_handle(store, vfs):
    before = store._connections.mine()
    vfs.plan = Fail(at=1, error=apsw.IOError, kinds=("sync",))
    with pytest.raises(OutcomeUnknownError):
        add(store, "b")
    assert store._connections.mine() is not before


@pytest.mark.parametrize(("error", "ours"), ERRORS)
def test_a_statement_that_fails_stores_nothing(store, vfs, error, ours):
    vfs.plan = Fail(at=1, error=error, kinds=("write",))
    with pytest.raises(ours) as caught, store.transaction() as transaction:
        transaction.many(ADD, [{"name": f"{n}", "size": 0, "note": "x" * 9000} for n in range(900)])
    assert store.location in str(caught.value)
    assert caught.value.next
    assert names(store) == ["a"]
    add(store, "b")
    assert names(store) == ["a", "b"]


def test_while_the_disk_stays_broken_every_call_says_so(store, vfs):
    vfs.plan = Fail(at=1, error=apsw.FullError, is_sticky=True)
    for name in ("b", "c"):
        with pytest.raises(StoreError):
            add(store, name)
    vfs.plan = NEVER
    add(store, "d")
    assert {"a", "d"} <= set(names(store))


def test_a_checkpoint_that_fails_does_not_fail_what_is_stored(store, vfs, monkeypatch):
    monkeypatch.setattr(sqlite_file, "_LOG_BYTES", 0)
    vfs.plan = Fail(at=2, error=apsw.IOError, kinds=("sync",), is_sticky=True)
    add(store, "b")
    vfs.plan = NEVER
    assert names(store) == ["a", "b"]
    add(store, "c")
    assert names(store) == ["a", "b", "c"]


def test_a_torn_page_is_damage_and_is_not_repaired(store, sqlite_path):
    add(store, *(f"{n:05}" for n in range(2000)))
    store.compact()
    store.close()
    content = bytearray(sqlite_path.read_bytes())
    content[4096 * 3 : 4096 * 6] = bytes(4096 * 3)
    sqlite_path.write_bytes(content)
    with pytest.raises(DamagedError) as caught:
        store.rows(ALL)
    assert "restore a backup" in caught.value.next
    assert sqlite_path.read_bytes() == content


def test_a_full_disk_below_the_queue_is_a_full_store():
    with (
        pytest.raises(StoreFullError, match=r"No space left on device \(here\)"),
        translated("here"),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
