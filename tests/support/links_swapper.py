"""Swap two names for ever, each swap in one step of the kernel, until standard input ends."""

from __future__ import annotations

import ctypes
import os
import sys
import threading

_AT_FDCWD = -100
_EXCHANGE = 2


def swap(one: str, other: str) -> None:
    """Exchange what stands at the two paths (Linux: renameat2 with RENAME_EXCHANGE)."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE):
        raise OSError(ctypes.get_errno(), "renameat2")


def main() -> None:
    """Swap each pair of arguments in turn."""
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    pairs = list(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
    print("swapping", flush=True)
    while True:
        for one, other in pairs:
            swap(one, other)


if __name__ == "__main__":
    main()
