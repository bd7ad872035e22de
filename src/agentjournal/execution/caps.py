"""How many bytes a read may give: asked for by the caller, within the read's own bounds."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.errors import Fault, InputError

__all__ = ["CLAIMS", "CONTEXT", "HISTORY", "STATE", "Cap"]

LEAST = 500  # bytes: a heading and the line that says what was left out


@dataclass(frozen=True)
class Cap:
    """A read's default and its ceiling, in bytes."""

    default: int
    ceiling: int

    def checked(self, cap: int | None) -> int:
        """Give the cap asked for, or the default.

        Raises:
            InputError: it lies outside of 500 and the ceiling.
        """
        if cap is None:
            return self.default
        if not LEAST <= cap <= self.ceiling:
            rule = f"lies between {LEAST} and {self.ceiling} bytes"
            remedy = f"Leave it out for {self.default}."
            fault = Fault(field="bytes", rule=rule, got=str(cap), remedy=remedy)
            raise InputError(f"The cap of {cap} bytes is refused.", faults=(fault,), next=remedy)
        return cap


CONTEXT = Cap(6_000, 16_000)
STATE = Cap(1_600, 4_000)
CLAIMS = Cap(3_000, 8_000)
HISTORY = Cap(8_000, 24_000)
