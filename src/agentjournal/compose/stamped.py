"""What a line of a ledger takes from this machine: the moment, and a name of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.stamp import Stamp
from agentjournal.engmem.version import PROGRAM

if TYPE_CHECKING:
    from agentjournal.compose.world import World
    from agentjournal.engmem.ledger.stamp import Channel

__all__ = ["stamp_of"]


def stamp_of(world: World, channel: Channel = "cli") -> Stamp:
    """Make the stamp of one operation."""
    op_id = world.random_bytes(16).hex()
    return Stamp(now=world.clock.now(), version=PROGRAM, channel=channel, op_id=op_id)
