"""What goes to a consolidator and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError
from agentjournal.journal.wire import trim

if TYPE_CHECKING:
    from agentjournal.journal.distilled import Distilled
    from agentjournal.journal.entry import Entry


@dataclass(frozen=True)
class Consolidation:
    """A distilled span: who the owner has become, and what happened as neutral lines.

    The identity replaces the earlier one; the ledger's lines are only ever added.
    """

    identity: str = ""
    ledger: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.identity, str):
            raise _wrong("identity", "a text", self.identity)
        object.__setattr__(self, "ledger", ledger_lines(self.ledger))

    @property
    def is_empty(self) -> bool:
        """Say whether it holds neither an identity nor a line that is not blank."""
        return not trim(self.identity) and not any(trim(line) for line in self.ledger)


def ledger_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Take lines as they are: one text alone would become a line for each of its letters.

    Raises:
        InputError: it is one text, or holds something else than texts.
    """
    taken = None if isinstance(lines, str) or not isinstance(lines, Iterable) else tuple(lines)
    if taken is None or not all(isinstance(line, str) for line in taken):
        raise _wrong("ledger", "a list of texts", lines)
    return taken


def _wrong(field: str, rule: str, got: object) -> InputError:
    fault = Fault(field=field, rule=rule, got=type(got).__name__, remedy=f"Give {rule}.")
    return InputError("This is nothing that a memory can hold.", faults=(fault,))


@dataclass(frozen=True, kw_only=True)
class ConsolidationRequest:
    """The oldest span of a journal, to be distilled; its epochs are those of its two ends.

    `folded` are earlier distilled spans that the result replaces too: layout v2 only. `text` is the
    whole span as it stands in the owner's prompt.
    """

    owner: str
    prior_identity: str
    entries: tuple[Entry, ...]
    epoch_start: int
    epoch_end: int
    folded: tuple[Distilled, ...] = ()
    text: str = ""
    layout: str = "v1"


@dataclass(frozen=True, kw_only=True)
class ConsolidationPlan:
    """What to ask a consolidator, and where to apply its answer: now or much later."""

    request: ConsolidationRequest
    first_kept: int
    revision: int


Consolidator = Callable[[ConsolidationRequest], Consolidation]
