"""Keeps our failures out of somebody else's call."""

from __future__ import annotations

import logging

__all__ = ["guarded"]

_TROUBLE = logging.getLogger("agentjournal.usage.trouble")


class guarded:  # noqa: N801 - reads as a keyword
    """Run a block of ours inside a caller's own call: a failure is a debug line, and ends here."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> bool:
        """Swallow an error, but no interrupt; its text is left out, since it may hold a prompt."""
        if kind is None or not issubclass(kind, Exception):
            return False
        _TROUBLE.debug("a usage observer failed: %s", kind.__name__)
        return True
