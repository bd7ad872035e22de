"""Where events wait that could not go to the store: appended by anyone, drained exactly once.

`events.jsonl` takes appends. A drain renames it to `draining-<id>.jsonl`, hands its lines over and
unlinks it; whoever dies in between leaves that file, which the next drain takes first. What cannot
be read goes to `quarantine/`, named by its content, so that doing it twice changes nothing. Where
several stores share the folder, the names of each one's files begin with a word of its own.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, OutcomeUnknownError, StoreUnavailableError
from agentjournal.system.files import (
    private_folder,
    read_inside,
    store_error,
    sync_file,
    sync_folder,
    write_atomically,
)
from agentjournal.system.lock import ProcessLock
from agentjournal.text.canonical import canonical_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["Drained", "Line", "Spool"]

Line = Mapping[str, object]

_WAIT = 10.0
_LARGEST = 2**30


@dataclass(frozen=True)
class Drained:
    """How many lines were handed over, and how many lines or files were set aside."""

    count: int
    quarantined: int


class Spool:
    """A folder of waiting lines, for the user alone; safe for processes, threads and kills.

    `own` is the word that the names of this store's files begin with; the first store needs none.
    """

    def __init__(self, folder: Path, new_id: Callable[[], str], own: str = "") -> None:
        self.folder = folder
        self._new_id = new_id
        self._events = folder / f"{own}events.jsonl"
        self._leaving = f"{own}draining-"
        self._quarantine = folder / "quarantine"
        self._appending = ProcessLock(folder / "append.lock")
        self._draining = ProcessLock(folder / "drain.lock")

    def append(self, line: Line, *, timeout: float = _WAIT) -> None:
        """Append one line and return once it is on the device.

        Raises:
            InputError: the line has no canonical form.
            StoreFullError: there is no room; nothing was kept.
            StoreUnavailableError: the spool cannot be written; nothing was kept.
            OutcomeUnknownError: it may not survive a power loss; append it again.
            LockTimeout: another process kept the spool for so many seconds.
        """
        data = canonical_json(line).encode() + b"\n"
        private_folder(self.folder)
        with self._appending.hold(timeout):
            descriptor = self._opened()
            try:
                self._add(descriptor, data)
            finally:
                os.close(descriptor)

    def drain(self, take: Callable[[list[Line]], None], *, timeout: float = _WAIT) -> Drained:
        """Hand all waiting lines over, in their order, and forget them once `take` has returned.

        After a crash `take` may get lines again that it has had: it must be idempotent by the
        event's id. An error of `take` keeps its lines. Never drain while holding what `take` waits
        for.

        Raises:
            StoreError: the folder cannot be changed.
            LockTimeout: another drain did not end within so many seconds.
        """
        if not self.folder.is_dir():
            return Drained(0, 0)
        count = quarantined = 0
        with self._draining.hold(timeout):
            self._set_off(timeout)
            for file in self._left():
                lines, strays = self._read(file)
                if lines:
                    take(lines)
                self._forget(file)
                count += len(lines)
                quarantined += strays
        return Drained(count, quarantined)

    def set_aside(self, lines: Sequence[Line]) -> None:
        """Keep lines in `quarantine/` that nobody can take; the same ones twice are kept once."""
        self._keep("".join(canonical_json(line) + "\n" for line in lines).encode())

    def counts(self) -> tuple[int, int]:
        """Count the files that wait and the files in `quarantine/`; both are 0 where all is well."""
        waiting = [self._events, *self._left()]
        return sum(each.exists() for each in waiting), len(list(self._quarantine.glob("*")))

    def _opened(self) -> int:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            descriptor = os.open(self._events, flags, 0o600)
        except OSError as error:
            raise store_error(error, self._events) from error
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
        raise StoreUnavailableError(
            f"{self._events} is no regular file.", next="Move it away, then try again."
        )

    def _add(self, descriptor: int, data: bytes) -> None:
        """Write the line on a line of its own, whole or not at all, and wait for the device."""
        before = os.fstat(descriptor).st_size
        if before and os.pread(descriptor, 1, before - 1) != b"\n":
            data = b"\n" + data  # somebody died in the middle of a line
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError as error:
            os.ftruncate(descriptor, before)
            raise store_error(error, self._events) from error
        try:
            sync_file(descriptor)
            sync_folder(self.folder)
        except OSError as error:
            raise OutcomeUnknownError(
                f"The device did not confirm {self._events}: {error.strerror}.",
                next="Try again with the same id.",
            ) from error

    def _left(self) -> list[Path]:
        return sorted(self.folder.glob(f"{self._leaving}*.jsonl"))

    def _set_off(self, timeout: float) -> None:
        """Take what was appended so far out of the way of further appends."""
        with self._appending.hold(timeout):
            try:
                self._events.rename(self.folder / f"{self._leaving}{self._new_id()}.jsonl")
                sync_folder(self.folder)
            except FileNotFoundError:
                pass
            except OSError as error:
                raise store_error(error, self._events) from error

    def _read(self, file: Path) -> tuple[list[Line], int]:
        """Give a file's lines; what is none of ours is kept aside and counted."""
        try:
            data = read_inside(self.folder, file.name, _LARGEST)
        except InputError:
            self._move_aside(file)
            return [], 1
        parsed = [(raw, _line(raw)) for raw in data.split(b"\n") if raw.strip()]
        strays = [raw for raw, line in parsed if line is None]
        if strays:
            self._keep(b"\n".join(strays) + b"\n")
        return [line for _, line in parsed if line is not None], len(strays)

    def _keep(self, data: bytes) -> None:
        private_folder(self._quarantine)
        name = hashlib.sha256(data).hexdigest()[:32]
        write_atomically(self._quarantine / f"{name}.jsonl", data)

    def _move_aside(self, file: Path) -> None:
        private_folder(self._quarantine)
        try:
            file.rename(self._quarantine / f"{file.stem}-{self._new_id()}")
        except OSError as error:
            raise store_error(error, file) from error

    def _forget(self, file: Path) -> None:
        try:
            file.unlink(missing_ok=True)
            sync_folder(self.folder)
        except OSError as error:
            raise store_error(error, file) from error


def _line(raw: bytes) -> Line | None:
    try:
        line = parse_json(raw.decode())
    except (InputError, UnicodeDecodeError):
        return None
    return line if isinstance(line, dict) else None
