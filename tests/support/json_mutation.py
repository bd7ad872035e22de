"""Changes a line of JSON into another line of JSON, which bytes changed one by one seldom are."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from support.parsers import WORDS

if TYPE_CHECKING:
    from random import Random

ODD = (None, True, -1, 0.5, 2**53, 10**400, float("inf"), "", "\0", "\ud800", [], {}, [[]], *WORDS)


def mutated(data: bytes, chance: Random) -> bytes | None:
    """Put an odd value somewhere into one line; None where that line holds no JSON object."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    head, brace, body = lines[place].partition(b"{")
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(brace + body)
        _put(value, chance)
        lines[place] = head + json.dumps(value).encode()
        return b"\n".join(lines)
    return None


def _put(value: Any, chance: Random) -> None:
    while places := list(value) if isinstance(value, dict) else list(range(len(value))):
        place = chance.choice(places)
        if isinstance(value[place], dict | list) and value[place] and chance.random() > 0.2:
            value = value[place]
            continue
        value[place] = chance.choice(ODD)
        return
