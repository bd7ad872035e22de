"""Goes through captured conversations turn by turn and collects where each prefix broke."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from agentjournal.usage.lint.conversation import conversations
from agentjournal.usage.request.block import Request
from agentjournal.usage.request.difference import Difference, compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.usage.lint.capture import Captured, Captures

__all__ = ["BrokenTurn", "Report", "lint"]


@dataclass(frozen=True, kw_only=True)
class BrokenTurn:
    """One turn whose prefix broke; turns count from 1 within their conversation."""

    conversation: int
    turn: int
    where: str
    difference: Difference


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was looked at, and every break."""

    turns: int
    conversations: int
    broken: tuple[BrokenTurn, ...]
    passed_over: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Say whether every turn kept its prefix."""
        return not self.broken

    def data(self) -> dict[str, object]:
        """Give the report for a program."""
        return asdict(self) | {"is_good": self.is_good}


def lint(captures: Captures) -> Report:
    """Compare each turn with the one before it; the first turn of a conversation by the head it shares."""
    captured = captures.turns
    found = conversations(captured)
    broken = []
    for number, conversation in enumerate(found, 1):
        turns = conversation.turns
        before = [_head_before(captured, turns[0]), *(turn.request for turn in turns)]
        for place, turn in enumerate(turns):
            earlier = before[place]
            later = turn.request if place else _head(turn.request)
            difference = compare(earlier, later) if earlier else None
            if difference is not None:
                broken.append(
                    BrokenTurn(
                        conversation=number,
                        turn=place + 1,
                        where=turn.where,
                        difference=difference,
                    )
                )
    return Report(
        turns=len(captured),
        conversations=len(found),
        broken=tuple(broken),
        passed_over=tuple(captures.passed_over),
    )


def _head_before(captured: Sequence[Captured], first: Captured) -> Request | None:
    """Give the tools and system prompt of the turn before, where a new conversation nearly shares them."""
    place = next(at for at, turn in enumerate(captured) if turn is first)
    if place == 0:
        return None
    earlier, later = _head(captured[place - 1].request), _head(first.request)
    if not earlier.blocks or earlier.model != later.model:
        return None
    pairs = list(zip(earlier.blocks, later.blocks, strict=False))
    has_drifted = any(
        old.identity != new.identity and old.kind == new.kind == "system" for old, new in pairs
    )
    return earlier if has_drifted and _costs(earlier, later) else None


def _costs(earlier: Request, later: Request) -> bool:
    """Say whether two heads are one that drifted, and not two different ones."""
    difference = compare(earlier, later)
    return difference is not None and difference.cause in ("clock", "id", "counter")


def _head(request: Request) -> Request:
    head = tuple(block for block in request.blocks if block.kind in ("tool", "system"))
    return Request(blocks=head, model=request.model, template=request.template, reach=request.reach)
