"""Closes that wait in the spool: for their own store, whatever other store is opened meanwhile."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from agentjournal.compose.store_word import store_word
from agentjournal.errors import StoreBusyError
from agentjournal.orchestrator import close


@pytest.fixture
def waiting(shell, shop, monkeypatch):
    """A worker's close that its store could not take."""

    def busy(*_args, **_named):
        raise StoreBusyError("store busy, held by pid 1")

    program = (
        "import json, os; json.dump({'result': 'success', 'action': 'Did it',"
        " 'current_state': 'Ok'}, open(os.environ['AGENTJOURNAL_HANDOFF'], 'w'))"
    )
    with monkeypatch.context() as patch:
        patch.setattr(close, "close_attempt", busy)
        answer = shell("run", shop, "T-001", "--", sys.executable, "-c", program)
    assert "waits in the spool" in answer.err
    return shop


def test_any_later_command_on_its_store_takes_it_in(shell, waiting):
    assert "done 1" in shell("state", waiting).out


def test_a_command_on_another_store_leaves_it_where_it_is(shell, waiting, plan_file, home):
    other = str(home / "other.db")
    assert shell("plan", "add", waiting, str(plan_file), "--database", other).code == 0
    assert "done" not in shell("state", waiting, "--database", other).out
    assert "Quarantined" not in shell("state", waiting, "--database", other).out
    assert "done 1" in shell("state", waiting).out
    assert not (home / "data" / "agentjournal" / "spool" / "quarantine").exists()


def test_a_read_that_finds_no_store_leaves_it_where_it_is(shell, waiting, home):
    data = home / "data" / "agentjournal"
    for name in ("log.db", "log.db-wal", "log.db-shm"):
        (data / name).rename(home / name)
    assert shell("state", waiting).code == 2
    for name in ("log.db", "log.db-wal", "log.db-shm"):
        (home / name).rename(data / name)
    assert "done 1" in shell("state", waiting).out


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("postgresql://ada:old@host/log", "postgresql://ada:new@host/log", True),
        ("postgresql://host/log?password=old", "postgresql://host/log?password=new", True),
        ("postgresql://ada@host/log", "postgresql://ada@host/other", False),
        ("postgresql://ada@host/log", "/data/log.db", False),
        ("/data/./log.db", "/data/log.db", True),
        ("/data/log.db", "/data/other.db", False),
    ],
)
def test_a_store_is_known_by_its_place_and_not_by_its_password(tmp_path, first, second, is_same):
    words = [
        store_word(SimpleNamespace(database=database, data_dir=tmp_path, schema="agentjournal"))
        for database in (first, second)
    ]
    assert (words[0] == words[1]) is is_same
    assert all(words)
