"""Faults below SQLite: a VFS that kills its process, fails, or remembers, at the n-th operation.

    vfs = FaultVfs("faults", Kill(at=7, when="torn"))
    Sqlite(path, vfs="faults")

Keep the object: SQLite forgets a VFS whose object is gone. Counted are writes, syncs, truncations
and deletions of the database and its log.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import apsw

if TYPE_CHECKING:
    from collections.abc import Callable

When = Literal["before", "torn", "after"]
WHENS: tuple[When, ...] = ("before", "torn", "after")


@dataclass(frozen=True)
class Operation:
    """One change to one file; `size` is the new one of a truncation."""

    kind: Literal["write", "sync", "truncate", "delete"]
    file: str
    offset: int = 0
    data: bytes = b""
    size: int = 0


class Plan(Protocol):
    """What happens at each operation: `perform` does it, `tear` does half of it."""

    def around(
        self, operation: Operation, perform: Callable[[], None], tear: Callable[[], None]
    ) -> None: ...


@dataclass
class Kill:
    """Kill this process with SIGKILL around its operation number `at`, the first being 1."""

    at: int
    when: When
    count: int = 0

    def around(
        self, _operation: Operation, perform: Callable[[], None], tear: Callable[[], None]
    ) -> None:
        self.count += 1
        if self.count != self.at:
            perform()
            return
        {"before": lambda: None, "torn": tear, "after": perform}[self.when]()
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Fail:
    """Let operation number `at` fail, and every later one too where `is_sticky`."""

    at: int
    error: type[apsw.Error]
    is_sticky: bool = False
    kinds: tuple[str, ...] = ("write", "sync", "truncate", "delete")
    count: int = 0

    def around(
        self, operation: Operation, perform: Callable[[], None], _tear: Callable[[], None]
    ) -> None:
        self.count += operation.kind in self.kinds
        is_due = self.count == self.at or (self.is_sticky and self.count > self.at)
        if is_due and operation.kind in self.kinds:
            raise self.error(f"{operation.kind} failed on purpose")
        perform()


@dataclass
class Record:
    """Remember every operation, and in between what `note` says."""

    log: list[Operation | str] = field(default_factory=list)

    def around(
        self, operation: Operation, perform: Callable[[], None], _tear: Callable[[], None]
    ) -> None:
        perform()
        self.log.append(operation)

    def note(self, word: str) -> None:
        self.log.append(word)


class FaultVfs(apsw.VFS):
    """SQLite's own VFS with a plan around each operation."""

    def __init__(self, name: str, plan: Plan) -> None:
        self.plan = plan
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> FaultFile:  # noqa: N802 - SQLite's name
        return FaultFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802 - SQLite's
        self.plan.around(
            Operation("delete", Path(filename).name),
            lambda: super(FaultVfs, self).xDelete(filename, syncdir),
            lambda: None,
        )


class FaultFile(apsw.VFSFile):
    """One file of it."""

    def __init__(
        self, vfs: FaultVfs, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._vfs = vfs
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "unnamed"
        self._file = Path(path).name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        whole = bytes(data)
        write = super().xWrite
        self._vfs.plan.around(
            Operation("write", self._file, offset=offset, data=whole),
            lambda: write(whole, offset),
            lambda: write(whole[: len(whole) // 2], offset),
        )

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        sync = super().xSync
        self._vfs.plan.around(Operation("sync", self._file), lambda: sync(flags), lambda: None)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        truncate = super().xTruncate
        self._vfs.plan.around(
            Operation("truncate", self._file, size=newsize),
            lambda: truncate(newsize),
            lambda: None,
        )
