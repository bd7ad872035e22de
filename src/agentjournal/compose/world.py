"""The one place where clock, randomness and environment are taken from the machine."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.system.clock import Clock, SystemClock, timestamp
from agentjournal.system.identity import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["World", "this_world"]


@dataclass(frozen=True, kw_only=True)
class World:
    """What the rest of the package gets as arguments."""

    clock: Clock
    random_bytes: Callable[[int], bytes]
    environment: Mapping[str, str]
    cwd: Path
    home: Path
    login: str

    def new_id(self) -> str:
        """Mint an id for an event, before it is first tried."""
        return uuid7(self.clock.now(), self.random_bytes)

    def now(self) -> str:
        """Give this moment as the log writes it."""
        return timestamp(self.clock.now())


def this_world() -> World:
    """Take clock, randomness and environment from this process and machine."""
    return World(
        clock=SystemClock(),
        random_bytes=os.urandom,
        environment=dict(os.environ),
        cwd=Path.cwd(),
        home=_home(),
        login=_login(),
    )


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no HOME and no entry for this user: a container's bare uid
        return Path("/")


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"
