"""Small TOML files, read with a limit and refused by name."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING

from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["parse_toml", "read_setting_file", "refuse_unknown"]

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
        raise _unusable(path, f"cannot be opened ({error.strerror})") from error
    with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _unusable(path, "is no regular file")
        data = file.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise _unusable(path, f"is larger than {_LIMIT} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _unusable(path, f"is not UTF-8 at byte {error.start}") from error


def parse_toml(path: Path, text: str) -> dict[str, object]:
    """Read the text of that file as TOML.

    Raises:
        ConfigurationError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unusable(path, f"is no valid TOML ({error})") from error


def refuse_unknown(
    path: Path, keys: Mapping[str, object], known: tuple[str, ...], why: str
) -> None:
    """Refuse the first key that does not belong there.

    Raises:
        ConfigurationError: it names the key, the file, and what may stand there.
    """
    for key in sorted(keys.keys() - set(known)):
        raise ConfigurationError(
            f"The key {key!r} in {path} {why}.",
            next=f"Remove it; known here are: {', '.join(known)}.",
        )


def _unusable(path: Path, what: str) -> ConfigurationError:
    return ConfigurationError(f"{path} {what}.", next="Repair or remove that file.")
