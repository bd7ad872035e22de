"""How many bytes each part of a brief may take."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.errors import Fault, InputError

LEAST_TOTAL = 14_000
PLAN_BYTES = 1_400  # title and goal
RECORD_BYTES = 5_000  # the lines of the record, as the closing transaction keeps them
STABLE_BYTES = 8_000  # all that stands above the boundary


@dataclass(frozen=True, kw_only=True)
class BriefCaps:
    """The caps in bytes; the stable part has its own, which no setting moves.

    Context and recall take what the total leaves them, in this order.

    Raises:
        InputError: the total has no room for what a brief must hold.
    """

    total: int = 20_000
    context: int = 6_000
    elsewhere: int = 2_000
    task: int = 3_000
    retry: int = 600

    def __post_init__(self) -> None:
        if self.total < LEAST_TOTAL:
            fault = Fault(
                field="brief_bytes",
                rule=f"at least {LEAST_TOTAL} bytes",
                got=str(self.total),
                remedy="Leave it out for the default of 20000.",
            )
            raise InputError("A brief has no room in so few bytes.", faults=(fault,))
