"""The base URL under which a worker reaches its model, so that what it spends is counted for its attempt."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, unquote

__all__ = ["Seat", "base_urls"]

_DIGEST = 64


class Seat(NamedTuple):
    """Whose worker it is, as a base URL names it; `attempt` is the SHA-256 of the attempt's token."""

    project: str
    task: str
    attempt: str

    @property
    def owner(self) -> str:
        """Give the one path segment that names it."""
        return ":".join(quote(part, safe="") for part in self)

    @classmethod
    def of_owner(cls, owner: str) -> Seat | None:
        """Read such a segment back; None where the name is any other."""
        parts = owner.split(":")
        if len(parts) != len(cls._fields) or len(parts[-1]) != _DIGEST:
            return None
        return cls(*map(unquote, parts))


def base_urls(proxy: str, seat: Seat) -> dict[str, str]:
    """Give the variables that the usual clients read, each with the path that its API begins with."""
    base = f"{proxy}/o/{seat.owner}"
    return {"OPENAI_BASE_URL": f"{base}/v1", "ANTHROPIC_BASE_URL": base}
