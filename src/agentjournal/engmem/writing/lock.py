"""The lock of one document: one writer at a time, of this program and of others that share a store."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from typing import TYPE_CHECKING

from agentjournal.engmem.writing.refusal import WriteRefused, place_of
from agentjournal.system.process import start_time

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["WAIT", "locked"]

WAIT = 2.0  # seconds

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PAUSE = 0.02


@contextlib.contextmanager
def locked(folder: int, id_: str, wait: float = WAIT) -> Iterator[None]:
    """Hold the lock of a document in its open folder for the block; wait at most so many seconds.

    The lock is a file whose holder locks it in the kernel too: that of a dead process is taken over
    at once. Other tools make a folder of the same name, whose owner nobody can know; it is waited
    for and then named.

    Raises:
        WriteRefused: somebody else held it all the time.
        OSError: it cannot be made.
    """
    name = f".{id_}.md.write-lock"
    end = time.monotonic() + wait
    while (descriptor := _taken(folder, name)) is None:
        if time.monotonic() >= end:
            raise _busy(folder, id_, name)
        time.sleep(_PAUSE)
    try:
        with contextlib.suppress(OSError):  # on a full disk the name is missing, not the lock
            os.pwrite(descriptor, f"{os.getpid()} {start_time(os.getpid())}\n".encode(), 0)
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        os.close(descriptor)


def _taken(folder: int, name: str) -> int | None:
    """Give a descriptor that holds the file that stands at this name now; None while another does."""
    try:
        descriptor = os.open(name, _FLAGS, 0o600, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.EISDIR, errno.ENXIO}:
            return None
        raise
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        there = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if os.path.samestat(os.fstat(descriptor), there):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass  # held, or its holder just removed it
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _busy(folder: int, id_: str, name: str) -> WriteRefused:
    return WriteRefused(
        f"{place_of(id_)} is being written by {_holder(folder, name)} — nothing was written; run "
        f"the command again. If no engmem process is running, remove sessions/{name}."
    )


def _holder(folder: int, name: str) -> str:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return "another process"
    try:
        number = os.read(descriptor, 40).split()[:1]
        return f"process {int(number[0])}" if number else "another process"
    except (OSError, ValueError):
        return "another process"
    finally:
        os.close(descriptor)
