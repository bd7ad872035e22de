"""A backup is a whole, checked copy under a name that was free, or there is none."""

from __future__ import annotations

import os

import pytest

from agentjournal.errors import AgentJournalError, ConflictError, DamagedError, StoreError
from agentjournal.log.backup import backup
from agentjournal.log.transfer import export
from agentjournal.log.verify import verify
from agentjournal.storage.postgres import Postgres
from agentjournal.storage.sqlite import Sqlite
from agentjournal.storage.statement import parse_statement
from support.example_fold import example_log, note, projections, write


@pytest.fixture
def log(sqlite_path, clock):
    log = example_log(Sqlite(str(sqlite_path), clock=clock))
    write(log, *(note(f"e{n}", f"words {n}", turn=f"line {n}\n") for n in range(1, 9)))
    write(log, note("q1", "other", stream="project/q"))
    yield log
    log.database.close()


def test_a_backup_holds_everything_and_says_so(log, tmp_path):
    report = backup(log, str(tmp_path / "copy.db"))

    assert (report.is_good, report.events, report.seals, report.unsealed) == (True, 9, 2, ())
    copy = log.on(Sqlite(str(tmp_path / "copy.db")))
    assert list(export(copy)) == list(export(log))
    assert projections(copy) == projections(log)
    copy.database.close()


def test_a_backup_is_one_private_file(log, tmp_path):
    (tmp_path / "kept").mkdir()

    backup(log, str(tmp_path / "kept" / "copy.db"))

    [copy] = (tmp_path / "kept").iterdir()
    assert copy.name == "copy.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.stat().st_nlink == 1


def test_a_backup_goes_on_as_a_store_of_its_own(log, tmp_path):
    backup(log, str(tmp_path / "copy.db"))

    copy = example_log(Sqlite(str(tmp_path / "copy.db")))
    [event] = write(copy, note("e9"))

    assert event.seq == 9
    assert verify(copy).is_good
    assert len(projections(log)[0]) == 9
    copy.database.close()


@pytest.mark.parametrize("kind", ["file", "empty file", "folder", "dangling link"])
def test_a_name_that_is_taken_is_refused_and_left_alone(log, tmp_path, kind):
    target = tmp_path / "copy.db"
    if kind == "folder":
        target.mkdir()
    elif kind == "dangling link":
        target.symlink_to("nowhere")
    else:
        target.write_text("mine" if kind == "file" else "")
    before = target.lstat()

    with pytest.raises(ConflictError, match=r"copy\.db exists already"):
        backup(log, str(target))

    assert target.lstat() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "store"]


def test_the_store_itself_is_no_target(log, sqlite_path):
    with pytest.raises(ConflictError):
        backup(log, str(sqlite_path))

    assert verify(log).is_good


def test_a_name_taken_while_the_copy_was_made_is_left_alone(log, tmp_path, monkeypatch):
    copy = log.database.backup
    target = tmp_path / "copy.db"

    def slow_copy(path):
        copy(path)
        target.write_text("mine")

    monkeypatch.setattr(log.database, "backup", slow_copy)

    with pytest.raises(ConflictError, match=r"copy\.db exists already"):
        backup(log, str(target))

    assert target.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "store"]


def test_a_file_system_without_links_takes_a_backup(log, tmp_path, monkeypatch):
    def no_links(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", no_links)

    assert backup(log, str(tmp_path / "copy.db")).is_good

    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "store"]


def test_a_folder_that_is_not_there_is_refused_by_name(log, tmp_path):
    with pytest.raises(StoreError, match=r"nowhere/copy\.db cannot be written"):
        backup(log, str(tmp_path / "nowhere" / "copy.db"))


def test_a_damaged_store_gives_no_backup(log, tmp_path):
    with log.database.transaction() as tx:
        tx.run(parse_statement("x", "UPDATE {schema}event SET actor = 'eve' WHERE id = 'e3'"))

    with pytest.raises(DamagedError, match="project/p seq 3"):
        backup(log, str(tmp_path / "copy.db"))

    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_postgres_names_its_own_tools(postgres_url, tmp_path):
    log = example_log(Postgres(postgres_url))

    with pytest.raises(AgentJournalError, match="pg_dump"):
        backup(log, str(tmp_path / "copy.db"))

    assert list(tmp_path.iterdir()) == []
    log.database.close()
