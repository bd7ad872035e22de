"""Tell whether a plan on disk is still the one that was registered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["folder_sha256", "plan_sha256"]


def plan_sha256(data: bytes) -> str:
    """Give the hex sha256 of a plan file's bytes, as `Plan.sha256` holds it."""
    return hashlib.sha256(data).hexdigest()


def folder_sha256(files: Mapping[str, bytes]) -> str:
    """Give one hex sha256 for a folder of plan files: of a line `sha256 name` for each, by name."""
    lines = (f"{plan_sha256(files[name])} {name}\n" for name in sorted(files))
    return plan_sha256("".join(lines).encode(errors="surrogateescape"))
