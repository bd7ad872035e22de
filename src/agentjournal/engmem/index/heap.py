"""One heap for all threads of this process, where the C library lets that be said."""

from __future__ import annotations

import contextlib
import ctypes

__all__ = ["share_heap"]

_ARENAS = -8  # `M_ARENA_MAX` of glibc


def share_heap() -> None:
    """Let threads that begin from now on share the heap of the first.

    Each would have its own and keep what it freed there: with the threads that write postings, of
    which every few thousand documents have new ones, that comes to 60 MB. Without effect where
    threads ran before, or where the C library is another one.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_ARENAS, 1)
