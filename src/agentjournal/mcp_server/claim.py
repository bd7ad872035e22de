"""Takes standard input and output for the wire, before anything that might print is imported."""

from __future__ import annotations

import os
import sys

__all__ = ["claimed"]


def claimed() -> tuple[int, int]:
    """Give the wire's two descriptors; from now on what is printed goes to standard error."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    sys.stdout.flush()
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        os.dup2(nothing, 1)
    os.close(nothing)
    return incoming, outgoing
