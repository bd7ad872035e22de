from __future__ import annotations

import os
import threading
import traceback
from pathlib import Path

import pytest

from agentjournal.errors import (
    ConflictError,
    OutcomeUnknownError,
    SchemaError,
    StoreBusyError,
    StoreUnavailableError,
)
from agentjournal.storage import sqlite_file
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import parse_statement
from support.thing import ADD, ALL, add, names, with_things

REMOVE = parse_statement("remove", "DELETE FROM {schema}thing WHERE name = :name")


@pytest.fixture
def store(sqlite_path):
    database = with_things(Sqlite(str(sqlite_path)), "a")
    yield database
    database.close()


def mode(path):
    return oct(Path(path).stat().st_mode & 0o777)


def log_size(path):
    return Path(f"{path}-wal").stat().st_size


@pytest.mark.usefixtures("store")
def test_the_folder_is_ours_alone_and_so_is_every_file(sqlite_path):
    files = ("log.db", "log.db-wal", "log.db-shm", "log.queue", "log.queue.next")
    assert mode(sqlite_path.parent) == "0o700"
    assert {file.name: mode(file) for file in sqlite_path.parent.iterdir()} == dict.fromkeys(
        files, "0o600"
    )


def test_a_folder_that_was_there_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o755)
    Sqlite(str(tmp_path / "log.db")).facts()
    assert mode(tmp_path) == "0o755"


def test_every_switch_that_guards_the_data_is_set(store):
    facts = store.facts()
    assert facts["journal_mode"] == "wal"
    assert facts["synchronous"] == "2"
    assert facts["fullfsync"] == facts["secure_delete"] == "1"
    assert facts["wal_reset_fault"] == "fixed"


def test_a_measurement_file_syncs_less(tmp_path):
    database = Sqlite(str(tmp_path / "usage.db"), durable=False)
    assert database.facts()["synchronous"] == "1"
    database.close()


def test_only_a_transaction_can_write(store):
    row = {"name": "b", "size": 0, "note": None}
    with pytest.raises(StoreUnavailableError, match="readonly"):
        store.rows(ADD, **row)
    with store.snapshot() as reader, pytest.raises(StoreUnavailableError, match="readonly"):
        reader.rows(ADD, **row)
    add(store, "c")
    with pytest.raises(StoreUnavailableError, match="readonly"):
        store.rows(ADD, **row)
    assert names(store) == ["a", "c"]


def test_a_store_has_one_queue_by_whatever_link_it_is_named(store, sqlite_path, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(sqlite_path)
    other = Sqlite(str(link), busy_wait=0.02)
    with store.transaction(), pytest.raises(StoreBusyError) as caught:
        other.transaction().__enter__()
    assert f"held by pid {os.getpid()}" in str(caught.value)
    assert names(other) == ["a"]
    other.close()


def test_a_long_log_is_emptied_by_the_next_writer(store, sqlite_path, monkeypatch):
    add(store, *(f"{n:05}" for n in range(500)))
    assert log_size(sqlite_path) > 0
    monkeypatch.setattr(sqlite_file, "_LOG_BYTES", 1000)
    add(store, "b")
    assert log_size(sqlite_path) == 0
    assert len(names(store)) == 502


def test_a_long_read_does_not_hold_up_writers(store, sqlite_path, monkeypatch):
    monkeypatch.setattr(sqlite_file, "_LOG_BYTES", 1000)
    reader = Sqlite(str(sqlite_path))
    with reader.snapshot() as before:
        add(store, "b")
        add(store, "c")
        assert log_size(sqlite_path) > 0
        assert names(before) == ["a"]
    add(store, "d")
    assert log_size(sqlite_path) == 0
    reader.close()


def test_closing_checkpoints_nothing(store, sqlite_path):
    size = sqlite_path.stat().st_size
    store.close()
    assert log_size(sqlite_path) > 0
    assert sqlite_path.stat().st_size == size


def test_what_was_redacted_is_in_no_file_after_compacting(store, sqlite_path):
    add(store, "hunter2-hunter2")
    with store.transaction() as transaction:
        transaction.run(REMOVE, name="hunter2-hunter2")
    store.compact()
    store.close()
    for file in sqlite_path.parent.iterdir():
        assert b"hunter2" not in file.read_bytes(), file.name


def test_compacting_waits_for_readers_and_says_so(sqlite_path):
    store = with_things(Sqlite(str(sqlite_path), busy_wait=0.02), "a")
    reader = Sqlite(str(sqlite_path))
    with reader.snapshot():
        add(store, "b")
        with pytest.raises(StoreBusyError):
            store.compact()
    store.compact()
    for database in (store, reader):
        database.close()


def test_each_thread_has_its_own_connection_and_one_only(store):
    seen = []
    together = threading.Barrier(3)

    def look():
        seen.append([store._connections.mine() for _ in range(2)])
        together.wait()

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(first) for first, _ in seen}) == 3
    assert all(first is second for first, second in seen)


def test_a_forked_child_gets_its_own_connection(store):
    assert in_a_child(lambda: add(store, "b")) == 0
    add(store, "c")
    assert names(store) == ["a", "b", "c"]


def test_a_child_that_was_forked_inside_a_transaction_is_refused(store):
    def refused():
        store._block.is_open = False
        with pytest.raises(StoreUnavailableError, match="forked while the store was in use"):
            store.rows(ALL)

    with store.transaction() as transaction:
        transaction.run(ADD, name="b", size=0, note=None)
        assert in_a_child(refused) == 0
    assert names(store) == ["a", "b"]


def in_a_child(task):
    """Run it in a forked child and give the child's exit code."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        task()
    except BaseException:  # noqa: BLE001 - a forked child must not go on with its parent's tests
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("shopping list\n" * 100)
    with pytest.raises(SchemaError, match=r"notes\.db"):
        Sqlite(str(path)).rows(ALL)
    assert path.read_text() == "shopping list\n" * 100


def test_a_path_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailableError, match="file"):
        Sqlite(str(tmp_path / "file" / "log.db")).rows(ALL)


def test_a_folder_in_the_place_of_the_database_is_named(tmp_path):
    with pytest.raises(StoreUnavailableError, match=tmp_path.name):
        Sqlite(str(tmp_path)).rows(ALL)


def test_a_store_that_was_removed_while_it_is_open_acknowledges_nothing(store, sqlite_path):
    for file in sqlite_path.parent.iterdir():
        file.unlink()
    with pytest.raises(OutcomeUnknownError, match="removed or replaced"):
        add(store, "b")
    with pytest.raises(SchemaError):
        store.rows(ALL)


def test_a_store_that_was_replaced_by_its_backup_is_written_at_the_second_try(
    store, sqlite_path, tmp_path
):
    store.backup(str(tmp_path / "copy.db"))
    for file in sqlite_path.parent.glob("log.db*"):
        file.unlink()
    (tmp_path / "copy.db").rename(sqlite_path)
    with pytest.raises(OutcomeUnknownError):
        add(store, "b")
    add(store, "b")
    fresh = Sqlite(str(sqlite_path))
    assert names(fresh) == names(store) == ["a", "b"]
    fresh.close()


def test_a_backup_is_a_whole_store_of_mode_0600(store, tmp_path):
    target = tmp_path / "copy.db"
    store.backup(str(target))
    assert mode(target) == "0o600"
    add(store, "b")
    copy = Sqlite(str(target))
    assert names(copy) == ["a"]
    copy.close()


def test_a_backup_overwrites_nothing(store, tmp_path):
    target = tmp_path / "there.db"
    target.write_text("mine")
    with pytest.raises(ConflictError, match="exists already"):
        store.backup(str(target))
    assert target.read_text() == "mine"


def test_a_backup_into_no_folder_names_it(store, tmp_path):
    with pytest.raises(StoreUnavailableError, match="nowhere"):
        store.backup(str(tmp_path / "nowhere" / "copy.db"))


def test_a_store_in_memory_is_shared_by_its_threads_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = with_things(Sqlite(":memory:"))
    threads = [threading.Thread(target=add, args=(store, str(n))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(store) == [str(n) for n in range(8)]
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_a_store_in_memory_lets_no_one_wait_for_ever():
    store = with_things(Sqlite(":memory:", busy_wait=0.02), "a")
    caught = []

    def write():
        with pytest.raises(StoreBusyError) as error:
            add(store, "b")
        caught.append(error)

    with store.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(caught) == 1
    store.close()
