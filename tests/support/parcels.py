"""The small repository that the documentation's examples stand in: same commits, same ids, always."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RECORD = """# 2. Print the labels of a day as one PDF

Status: accepted

## Considered options

* One PDF for a day
* One image for each parcel
* The browser's print dialog

## Decision

One PDF for a day, because the printer takes it as one job.

## Rejected

* One image for each parcel: printing a day opened 40,000 files.
* The browser's print dialog: the depot's machine has no screen.
"""
PLAN = """# Labels for parcels

## Goal

Print a label for every parcel of a day.

## Tasks

### T-001 Read the day's parcels

Write `labels/day.py` with `parcels_of(day)`.

### T-002 Render a label

Write `labels/render.py`. Depends on: T-001
"""
CACHE = "Cache parsed rows with lru_cache"
WHY = """The cache kept the rows of closed files alive: the depot's machine ran out of memory
after two days. If parsing is too slow, parse once and store the result.
"""
COMMITS = (
    ("Read parcels from the depot's CSV export", {"parcels/read.py": "def rows(file): ...\n"}),
    (CACHE, {"parcels/read.py": "from functools import lru_cache\n"}),
    (
        f'Revert "{CACHE}"\n\n{WHY}',
        {"parcels/read.py": "def rows(file): ...\n"},
    ),
    ("Decide how labels are printed", {"docs/adr/0002-one-pdf-a-day.md": RECORD}),
    ("Plan the labels", {"plan.md": PLAN}),
)


def make_parcels(root: Path) -> Path:
    """Make the repository in a new folder."""
    root.mkdir()
    _git(root, "init", "--quiet", "--initial-branch=main")
    first = ""
    for number, (message, files) in enumerate(COMMITS):
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        if message.startswith("Revert"):
            message += f"\nThis reverts commit {first}.\n"  # noqa: PLW2901 - the id is known only now
        _git(root, "add", "--all")
        _git(root, "commit", "--quiet", "--message", message, day=number + 1)
        if message == CACHE:
            first = _git(root, "rev-parse", "HEAD").strip()
    return root


def _git(root: Path, *args: str, day: int = 1) -> str:
    moment = f"2026-09-{day:02}T09:00:00Z"
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_DATE": moment,
    }
    run = subprocess.run(
        ["git", *args], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout
