"""One queue between processes: a file lock that waits without polling and names its holder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time

from agentjournal.errors import StoreBusyError, StoreUnavailableError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LockTimeout", "ProcessLock"]

_PID_WIDTH = 11


class LockTimeout(StoreBusyError):  # noqa: N818 - said as it is caught: the lock timed out
    """The lock stayed with somebody else for the whole wait; `holder_pid` is who, where known."""

    def __init__(self, path: Path, holder_pid: int | None) -> None:
        holder = f"pid {holder_pid}" if holder_pid else "a process that left no pid"
        super().__init__(
            f"store busy, held by {holder} ({path}).", next="Try again, or look at that process."
        )
        self.holder_pid = holder_pid


class ProcessLock:
    """Lets one thread of one process at a time through; the kernel frees it when its holder dies.

    Whoever waits stands in line before whoever just left: the next in line holds a second lock, the
    turnstile (`<path>.next`), so that a busy process cannot overtake those that wait.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turnstile = path.with_name(path.name + ".next")

    @contextlib.contextmanager
    def hold(self, timeout: float) -> Iterator[None]:
        """Hold the lock for the block; wait at most so many seconds for it.

        Raises:
            LockTimeout: it was still held then; nothing was changed.
            StoreUnavailableError: the lock's file cannot be opened.
        """
        deadline = time.monotonic() + timeout
        with contextlib.ExitStack() as line:
            first = self._acquired(self._turnstile, deadline)
            line.callback(_release, first)
            held = self._acquired(self.path, deadline)
        try:
            with contextlib.suppress(OSError):  # on a full disk the name is missing, not the lock
                os.pwrite(held, f"{os.getpid():<{_PID_WIDTH - 1}}\n".encode(), 0)
            yield
        finally:
            _release(held)

    def _acquired(self, path: Path, deadline: float) -> int:
        """Give a descriptor that holds the lock of the file that stands at this path now."""
        while True:
            descriptor = _opened(path)
            if not _locked(descriptor, deadline):
                raise LockTimeout(self.path, self._holder())
            if _is_still_at(descriptor, path):
                return descriptor
            _release(descriptor)  # somebody removed the file meanwhile: its lock guards nothing

    def _holder(self) -> int | None:
        try:
            return int(self.path.read_bytes()[:_PID_WIDTH])
        except (OSError, ValueError):
            return None


class _Wait:
    """A wait that a thread of its own stands in, so that it can be left without polling."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.turn = threading.Lock()
        self.is_over = threading.Event()
        self.is_left = False

    def stand(self) -> None:
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)
        with self.turn:
            self.is_over.set()
            if self.is_left:
                _release(self.descriptor)

    def leave(self) -> None:
        with self.turn:
            self.is_left = True
            if self.is_over.is_set():
                _release(self.descriptor)


def _locked(descriptor: int, deadline: float) -> bool:
    """Lock the descriptor, or leave it to a thread that closes it as soon as it can."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pass
    else:
        return True
    wait = _Wait(descriptor)
    threading.Thread(target=wait.stand, daemon=True, name="lock").start()
    try:
        got_it = wait.is_over.wait(max(0.0, deadline - time.monotonic()))
    except BaseException:
        wait.leave()
        raise
    if not got_it:
        wait.leave()
    return got_it


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreUnavailableError(
            f"The lock {path} cannot be opened: {error.strerror}.",
            next="Check the folder's owner, permissions and free space.",
        ) from error


def _is_still_at(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def _release(descriptor: int) -> None:
    """Unlock and close: unlocking works even where a forked child shares the descriptor."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)
    os.sched_yield()
