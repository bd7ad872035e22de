"""What the doctor says of one subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Level", "error", "ok", "unverified", "warning"]

Level = Literal["ok", "warning", "error", "unverified"]


@dataclass(frozen=True)
class Finding:
    """A level, the subject, and what was found; `unverified` is what cannot be seen from here."""

    level: Level
    subject: str
    detail: str

    def __str__(self) -> str:
        """Give the line that is printed."""
        return f"{self.level}: {self.subject}: {self.detail}"


def ok(subject: str, detail: str) -> Finding:
    """Say that it is in order."""
    return Finding("ok", subject, detail)


def warning(subject: str, detail: str) -> Finding:
    """Say that it works, but not as it should."""
    return Finding("warning", subject, detail)


def error(subject: str, detail: str) -> Finding:
    """Say that it does not work, and what to do."""
    return Finding("error", subject, detail)


def unverified(subject: str, detail: str) -> Finding:
    """Say what could not be seen from here."""
    return Finding("unverified", subject, detail)
