"""Power loss, replayed: what a disk may hold when it went, from a recorded run.

What was synced is there. Of what was not, each write is there whole, is not there, or is there in
some of its sectors of 512 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from support.vfs import Operation

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

_SECTOR = 512


@dataclass
class Disk:
    """The files as they may be, and what had been acknowledged by then."""

    files: dict[str, bytearray] = field(default_factory=dict)
    acknowledged: list[str] = field(default_factory=list)

    def write_to(self, folder: Path) -> None:
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


def power_loss(log: Sequence[Operation | str], chance: random.Random) -> Disk:
    """Cut the power at some moment of the recorded run."""
    happened = log[: chance.randint(0, len(log))]
    synced = {
        operation.file: index
        for index, operation in enumerate(happened)
        if isinstance(operation, Operation) and operation.kind == "sync"
    }
    disk = Disk()
    for index, operation in enumerate(happened):
        if isinstance(operation, str):
            disk.acknowledged.append(operation)
        else:
            _apply(disk, operation, chance, is_safe=index < synced.get(operation.file, -1))
    for name in [name for name in disk.files if not synced.keys() & {name, f"{name}.new"}]:
        if chance.random() < 1 / 2:
            del disk.files[name]
    return disk


def _apply(disk: Disk, operation: Operation, chance: random.Random, *, is_safe: bool) -> None:
    if (
        f"{operation.file}.new" in disk.files
    ):  # renamed, and the folder synced, before its first use
        disk.files[operation.file] = disk.files.pop(f"{operation.file}.new")
    fate = "whole" if is_safe else chance.choice(("whole", "gone", "torn"))
    content = disk.files.setdefault(operation.file, bytearray())
    match operation.kind:
        case "delete":  # SQLite syncs the folder with it
            del disk.files[operation.file]
        case "truncate" if fate != "gone":
            del content[operation.size :]
        case "write" if fate != "gone":
            for start in range(0, len(operation.data), _SECTOR):
                if fate == "whole" or chance.random() < 1 / 2:
                    _put(content, operation.offset + start, operation.data[start : start + _SECTOR])


def _put(content: bytearray, offset: int, data: bytes) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data
