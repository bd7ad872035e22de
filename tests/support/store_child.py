"""Another process at the same store: `python -m support.store_child JOB LOCATION [ARGUMENT]`.

It prints `ready` once the store is open and `done` at the end, and begins when its input says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.storage.migrations import MigrationSet, migrate
from agentjournal.storage.open import open_database
from support.thing import GROW, SIZE

if TYPE_CHECKING:
    from agentjournal.storage.database import Database

_TESTS = Path(__file__).parent.parent


class Child:
    """Such a process, seen from the test."""

    def __init__(self, job: str, location: str, argument: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.store_child", job, location, argument],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_TESTS,
            env=os.environ | {"PYTHONPATH": str(_TESTS)},
        )

    def wait_for(self, word: str) -> Child:
        line = self.process.stdout.readline().strip()
        assert line == word, f"{word} was expected, not {line!r}"
        return self

    def go(self) -> None:
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Let it finish and see that it did well."""
        self.wait_for("done")
        self.process.stdin.close()
        assert self.process.wait() == 0

    def clear_away(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def hold(database: Database, name: str) -> None:
    """Stay inside a transaction, with the row locked, until told to go on."""
    with database.transaction() as transaction:
        transaction.rows(SIZE, name=name)
        transaction.run(GROW, name=name)
        say("holding")
        sys.stdin.readline()


def grow(database: Database, times: str) -> None:
    """Read a counter and write it back one higher, so many times."""
    for _ in range(int(times)):
        with database.transaction() as transaction:
            transaction.rows(SIZE, name="a")
            transaction.run(GROW, name="a")


def bring_up_to_date(database: Database, package: str) -> None:
    """Apply the migrations of a package and say which."""
    applied = migrate(database, [MigrationSet(package, f"support.migrations.{package}")])
    say(" ".join(migration.name for migration in applied) or "nothing")


def say(word: str) -> None:
    print(word, flush=True)


if __name__ == "__main__":
    jobs = {"hold": hold, "grow": grow, "migrate": bring_up_to_date}
    store = open_database(sys.argv[2])
    say("ready")
    sys.stdin.readline()
    jobs[sys.argv[1]](store, sys.argv[3])
    say("done")
    store.close()
