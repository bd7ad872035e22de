from __future__ import annotations

import subprocess
import sys

import pytest

from agentjournal.errors import ExtraMissingError
from agentjournal.storage.open import open_database


def test_a_path_opens_sqlite_and_a_url_postgres(sqlite_path):
    assert open_database(str(sqlite_path)).engine == "sqlite"
    assert open_database(":memory:").engine == "sqlite"
    assert open_database("postgresql://localhost/x").engine == "postgres"


def test_opening_touches_nothing_until_it_is_used(sqlite_path):
    open_database(str(sqlite_path))
    assert not sqlite_path.parent.exists()


def test_without_psycopg_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "agentjournal.storage.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "agentjournal.storage.postgres_pool", None)
    with pytest.raises(ExtraMissingError) as caught:
        open_database("postgresql://localhost/x")
    assert 'pip install "agent-journal[postgres]"' in caught.value.next


def test_a_sqlite_store_loads_no_postgres_driver(sqlite_path):
    program = (
        "import sys, agentjournal; loaded = {'apsw', 'psycopg'} & set(sys.modules); assert not loaded\n"
        "from agentjournal.storage.open import open_database; assert 'apsw' not in sys.modules\n"
        f"open_database({str(sqlite_path)!r}).facts(); assert 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
