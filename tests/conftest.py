"""Fixtures that every part uses: an empty store on each engine, a path for one, a clock."""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from agentjournal.storage.open import open_database
from support.clock import SettableClock
from support.postgres import Cluster
from support.store_child import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentjournal.storage.database import Database

# A busy machine is no failure: laws are about answers, not about time.
_BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# One commit, one verdict. `long` looks further with seeds of its own: `make laws`.
settings.register_profile("repeatable", _BUSY, derandomize=True, database=None)
settings.register_profile("long", _BUSY, max_examples=2000, derandomize=False, print_blob=True)
settings.load_profile("repeatable")

_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
_NUMBERS = count(1)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """Where a store may be made: neither the file nor its folder is there."""
    return tmp_path / "store" / "log.db"


@pytest.fixture
def memory_folder() -> Iterator[Path]:
    """A folder in memory where there is one: for kills and replays, which need no disk."""
    where = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as made:
        yield Path(made)


@pytest.fixture(scope="session")
def cluster(pytestconfig: pytest.Config) -> Iterator[Cluster]:
    """One PostgreSQL server for this test process, started by the first test that needs it."""
    running = Cluster.start(pytestconfig.cache.mkdir("locale"))
    yield running
    running.stop()


@pytest.fixture
def postgres_url(cluster: Cluster) -> Iterator[str]:
    """A fresh, empty database."""
    name = f"test_{next(_NUMBERS)}"
    cluster.run(f"CREATE DATABASE {name} STRATEGY file_copy")
    yield cluster.url(name)
    cluster.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest) -> str:
    """Where a store may be opened, on each engine in turn; nothing is there yet."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_path"))
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def child() -> Iterator[Callable[..., Child]]:
    """Start other processes at a store (`support.store_child`), gone after the test."""
    started = []

    def start(job: str, location: str, argument: str = "") -> Child:
        started.append(Child(job, location, argument))
        return started[-1].wait_for("ready")

    yield start
    for process in started:
        process.clear_away()


@pytest.fixture
def database(location: str, clock: SettableClock) -> Iterator[Database]:
    """A fresh, empty store on each engine: no table is made yet; it tells the time of `clock`."""
    store = open_database(location, clock=clock)
    yield store
    store.close()
