"""What a check of the log found: each piece of damage named, the list bounded."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.errors import DamagedError

__all__ = ["Damage", "Findings"]

LIMIT = 1000


@dataclass(frozen=True, kw_only=True)
class Damage:
    """One thing that is not as it was written: the stream or table, the seq, what is wrong."""

    where: str
    seq: int | None
    what: str

    def __str__(self) -> str:
        """Give the damage as one line."""
        place = self.where if self.seq is None else f"{self.where} seq {self.seq}"
        return f"{place}: {self.what}"


class Findings:
    """Collects damage; beyond the first thousand pieces it only counts them in `more`."""

    def __init__(self) -> None:
        self.damages: list[Damage] = []
        self.more = 0

    def __bool__(self) -> bool:
        """Say whether anything is damaged."""
        return bool(self.damages)

    def add(self, where: str, seq: int | None, what: str) -> None:
        """Note one piece of damage."""
        if len(self.damages) < LIMIT:
            self.damages.append(Damage(where=where, seq=seq, what=what))
        else:
            self.more += 1

    def refuse(self) -> None:
        """Stop what needs a sound log.

        Raises:
            DamagedError: something was found.
        """
        if self.damages:
            raise DamagedError(
                f"The log is damaged: {self.damages[0]}.",
                next="Run `agentjournal db verify` for all of it, then restore a backup.",
            )
