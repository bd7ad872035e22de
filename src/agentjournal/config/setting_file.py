"""Small files that hold settings, read with a limit."""

from __future__ import annotations

import os
import stat

from agentjournal.errors import ConfigurationError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_setting_file", "unusable"]

_LIMIT = 64 * 1024


def read_setting_file(path: Path, *, follow: bool) -> str | None:
    """Give the text of a file of at most 64 KiB, or None where there is none.

    Raises:
        ConfigurationError: it is unreadable, too large, not UTF-8, no regular file, or a link that
            is not to be followed.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unusable(path, f"cannot be opened ({error.strerror})") from error
    with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise unusable(path, "is no regular file")
        data = file.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise unusable(path, f"is larger than {_LIMIT} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise unusable(path, f"is not UTF-8 at byte {error.start}") from error


def unusable(path: Path, what: str) -> ConfigurationError:
    """Say what is wrong with such a file."""
    return ConfigurationError(f"{path} {what}.", next="Repair or remove that file.")
