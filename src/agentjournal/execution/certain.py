"""Writes that are known to be stored, or known not to be, wherever that can be found out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agentjournal.errors import OutcomeUnknownError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

__all__ = ["certain"]


def certain(write: Callable[[], T]) -> T:
    """Write; where it stays open whether it is stored, ask once more.

    The write has its ids and may be repeated: what is stored gives its first answer again.

    Raises:
        OutcomeUnknownError: twice.
    """
    try:
        return write()
    except OutcomeUnknownError:
        return write()
