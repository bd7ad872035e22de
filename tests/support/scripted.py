"""A script in a process of its own, which says `ready` and then waits for a line."""

from __future__ import annotations

import subprocess
import sys


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a script, and come back once it has said a first line."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process
