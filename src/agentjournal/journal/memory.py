"""What was distilled, in either layout."""

from __future__ import annotations

from typing import Literal, get_args

from agentjournal.errors import Fault, InputError
from agentjournal.journal.flat_memory import FlatMemory
from agentjournal.journal.rendering import Rendering
from agentjournal.journal.tiered_memory import TieredMemory
from agentjournal.journal.tiered_rendering import TieredRendering

LayoutName = Literal["v1", "v2"]
LAYOUTS: tuple[LayoutName, ...] = get_args(LayoutName)

Memory = FlatMemory | TieredMemory
Render = Rendering | TieredRendering


def empty_memory(layout: LayoutName) -> Memory:
    """Give what an owner begins with.

    Raises:
        InputError: there is no such layout.
    """
    match layout:
        case "v1":
            return FlatMemory()
        case "v2":
            return TieredMemory()
        case _:
            fault = Fault(
                field="layout",
                rule="one of " + ", ".join(LAYOUTS),
                got=repr(layout),
                remedy="Leave it out for v1; a newer one needs a newer version of this package.",
            )
            raise InputError(f"There is no journal layout {layout!r}.", faults=(fault,))
