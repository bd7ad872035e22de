"""Fixtures that every part uses: an empty store on each engine, a path for one, a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agentjournal.storage.open import open_database
from support.clock import SettableClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.storage.database import Database


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "log.db"


@pytest.fixture
def database(sqlite_path: Path, clock: SettableClock) -> Iterator[Database]:
    """A fresh, empty store: no table is made yet; its clock is the fixture `clock`."""
    store = open_database(str(sqlite_path), clock=clock)
    yield store
    store.close()
