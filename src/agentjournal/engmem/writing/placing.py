"""Putting a file into a folder that is held open: whole or not at all, and never over another."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import threading
from typing import TYPE_CHECKING

from agentjournal.system.files import sync_file

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["put_new", "put_over"]

PRIVATE = 0o600
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS})


def put_new(folder: int, name: str, data: bytes) -> bool:
    """Put a new file there; say no where something stands at that name already.

    Where the file system has no hard links the caller's lock alone keeps others away.

    Raises:
        OSError: it cannot be written.
    """
    with _written(folder, name, data, PRIVATE) as temporary:
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return _renamed_where_free(folder, temporary, name)
    os.fsync(folder)
    return True


def put_over(folder: int, name: str, data: bytes, mode: int = PRIVATE) -> None:
    """Put the file in the place of the one that stands there; a link is replaced, not followed.

    Raises:
        OSError: it cannot be written.
    """
    with _written(folder, name, data, mode) as temporary:
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    os.fsync(folder)


@contextlib.contextmanager
def _written(folder: int, name: str, data: bytes, mode: int) -> Iterator[str]:
    """Write the bytes under a name of this thread's own, which is gone afterwards."""
    mine = f"{os.getpid()} {threading.get_native_id()}".encode()
    digest = hashlib.sha256(mine + b"\0" + data).hexdigest()[:32]
    temporary = f".{name}.{digest}.tmp"
    with contextlib.suppress(FileNotFoundError):  # left by a dead process that had the same number
        os.unlink(temporary, dir_fd=folder)
    try:
        descriptor = os.open(temporary, _FLAGS, PRIVATE, dir_fd=folder)
        try:
            _write_all(descriptor, data)
            os.fchmod(descriptor, mode)
            sync_file(descriptor)
        finally:
            os.close(descriptor)
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _renamed_where_free(folder: int, temporary: str, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
        return True
    return False
