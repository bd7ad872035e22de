"""The word by which the spool tells the stores of one user apart."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from agentjournal.config.settings import Settings

__all__ = ["store_word"]

DIGITS = 12
_PASSWORD = re.compile(r"(?<=[?&]password=)[^&]*|(?<=:)[^:@/]*(?=@)")


def store_word(settings: Settings) -> str:
    """Give nothing for the user's own store, else some digits of a hash of where the store lies.

    What waits for one store is never taken in by another; a new password makes no other store.
    """
    location = settings.database
    if "://" in location:
        return _word(f"{_PASSWORD.sub('', location)} {settings.schema}")
    own = os.path.realpath(settings.data_dir / "log.db")
    return "" if os.path.realpath(location) == own else _word(os.path.realpath(location))


def _word(place: str) -> str:
    return f"{sha256_hex(place)[:DIGITS]}-"
