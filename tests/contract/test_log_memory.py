"""No reader of the whole log holds the whole log."""

from __future__ import annotations

import tracemalloc

import pytest

from agentjournal.log.rebuild import rebuild
from agentjournal.log.transfer import export, import_lines
from agentjournal.log.verify import verify
from agentjournal.storage.sqlite import Sqlite
from support.example_fold import example_log, note, write

EVENTS, BYTES = 2000, 8000
CAP = EVENTS * BYTES // 2  # a page is a tenth of the log; its rows, events and lines stand at once


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    log = example_log(Sqlite(str(tmp_path_factory.mktemp("big") / "log.db")))
    for first in range(0, EVENTS, 100):
        write(log, *(note(f"e{first + n}", "x" * BYTES) for n in range(100)))
    yield log
    log.database.close()


def other(tmp_path):
    return example_log(Sqlite(str(tmp_path / "other.db")))


@pytest.mark.parametrize("whole", ["verify", "rebuild", "export", "import"])
def test_memory_holds_pages_of_a_long_log(log, tmp_path, whole):
    jobs = {
        "verify": lambda: verify(log).events,
        "rebuild": lambda: rebuild(log),
        "export": lambda: sum(1 for _ in export(log)) - 3,
        "import": lambda: import_lines(other(tmp_path), export(log)).events,
    }

    tracemalloc.start()
    try:
        assert jobs[whole]() == EVENTS
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < CAP
