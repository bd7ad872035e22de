"""Takes standard input and output for the wire, before anything that might print is imported."""

from __future__ import annotations

import os
import sys

from agentjournal.errors import InputError

__all__ = ["claimed"]


def claimed() -> tuple[int, int]:
    """Give the wire's two descriptors; from now on what is printed goes to standard error.

    Raises:
        InputError: one of them was closed before the start.
    """
    if sys.stdin is None or sys.stdout is None:
        raise InputError(
            "engmem mcp: standard input and output are the wire, and one of them is closed.",
            next="Let the agent program start the server.",
        )
    incoming, outgoing = os.dup(0), os.dup(1)
    for descriptor in (incoming, outgoing):  # some clients hand over ends that never wait
        os.set_blocking(descriptor, True)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    sys.stdout.flush()
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        os.dup2(nothing, 1)
    os.close(nothing)
    return incoming, outgoing
