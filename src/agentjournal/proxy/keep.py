"""Keeps request bodies where that was asked for, byte for byte, in files that `usage lint` reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from agentjournal.system.clock import timestamp
from agentjournal.system.files import private_folder, write_atomically
from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.system.clock import Clock
    from agentjournal.usage.subject import Subject

__all__ = ["Keeper"]

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True)
class Keeper:
    """A private folder with one folder an owner; headers, and with them credentials, are never kept."""

    folder: Path
    clock: Clock
    _numbers: Iterator[int]

    @classmethod
    def of(cls, folder: Path, clock: Clock) -> Keeper:
        """Make the folder where it is missing.

        Raises:
            StoreUnavailableError: it cannot be made.
        """
        private_folder(folder)
        return cls(folder, clock, count(1))

    def keep(self, subject: Subject, body: bytes) -> None:
        """Write one body, named by the moment.

        Raises:
            StoreError: it cannot be written.
        """
        name = "-".join(filter(None, (subject.owner or "nobody", subject.thread)))
        folder = self.folder / (name if _PLAIN.fullmatch(name) else sha256_hex(name)[:32])
        private_folder(folder)
        moment = timestamp(self.clock.now()).replace(":", "")
        write_atomically(folder / f"{moment}-{next(self._numbers):06}.json", body)
