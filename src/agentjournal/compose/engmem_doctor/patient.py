"""Everything that an examination is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.engmem.install.target import Home, Target

__all__ = ["Patient"]


@dataclass(frozen=True, kw_only=True)
class Patient:
    """An agent program's files, a store and where its choice comes from, this program itself.

    `later` is the store that commands find which are given none.
    """

    target: Target
    place: Home
    store: Path
    origin: str
    later: Path
    python: str
    version: str
    templates: Mapping[str, str]
