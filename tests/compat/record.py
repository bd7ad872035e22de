"""Records the store that `test_recorded_store.py` reads: run with the path of the reference's program.

`PYTHONPATH=tests python tests/compat/record.py /path/to/engmem`
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from support.stories import FIRST, SECOND, first, second
from support.two_programs import Program

PLACE = Path(__file__).parents[1] / "data" / "engmem-0.1.9"


def record(program: Program) -> None:
    """Live a small life: two documents, the second citing the first, a draft, and every ledger."""
    begun = program.well("draft", "create", FIRST, stdin=first("draft"))
    done = first("active")
    program.well("draft", "complete", FIRST, "--expected-version", begun.version, stdin=done)
    begun = program.well("draft", "create", SECOND, stdin=second("draft", FIRST))
    found = program.well("search", "ExportWorker backoff", "--session", SECOND)
    program.well("search", "kubernetes", "--session", SECOND)
    program.well("search", "ExportWorker")
    program.well("read", FIRST, "--role", "decisions", "--session", SECOND)
    program.well("cost", "record-baseline", SECOND, "--tokens", "1840", "--call-id", "plan")
    program.well("feedback", "record", SECOND, FIRST, "helped", "--decision", "no fixed delay")
    done = second("active", f"{FIRST}@{found.cited[FIRST]}")
    program.well("draft", "complete", SECOND, "--expected-version", begun.version, stdin=done)
    program.well("draft", "create", "20261101-left-open", stdin=_left_open())


def _left_open() -> str:
    text = first("draft").replace(FIRST, "20261101-left-open")
    return text.replace("Backoff of retries", "Left open")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        store = Path(home) / "store"
        (store / "sessions").mkdir(parents=True)
        record(Program((str(Path(sys.argv[1]).absolute()),), Path(home), store))
        shutil.rmtree(PLACE, ignore_errors=True)
        shutil.copytree(store, PLACE)
