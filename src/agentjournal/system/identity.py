"""Names for events and attempts, made before the first try from time and randomness given."""

from __future__ import annotations

import base64
import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

__all__ = ["attempt_token", "uuid7"]


def uuid7(now: datetime, random_bytes: Callable[[int], bytes]) -> str:
    """Make a UUID of version 7: it sorts by its millisecond, the other 74 bits are random."""
    milliseconds = int(now.timestamp() * 1000) & (2**48 - 1)
    random = int.from_bytes(random_bytes(10), "big")
    version, variant = 0x7 << 76, 0b10 << 62
    high = (milliseconds << 80) | version | ((random >> 62 & 0xFFF) << 64)
    return str(uuid.UUID(int=high | variant | (random & (2**62 - 1))))


def attempt_token(random_bytes: Callable[[int], bytes]) -> str:
    """Make the secret that binds a worker to its attempt: `aj-` and 26 characters of base32."""
    return "aj-" + base64.b32encode(random_bytes(17)).decode("ascii").lower()[:26]
