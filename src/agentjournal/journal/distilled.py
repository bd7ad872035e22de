"""A distilled span of layout v2, and which ones are distilled again together with the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FAN = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Distilled:
    """What is left of a span: who the owner was then, and what happened as neutral lines.

    `tier` is 1 for turns that were distilled once; four spans of a tier become one of the next.
    """

    tier: int
    epoch_start: int
    epoch_end: int
    identity: str = ""
    ledger: tuple[str, ...] = ()


def folded(spans: Sequence[Distilled]) -> Sequence[Distilled]:
    """Give the newest spans that the next one takes in, so that each tier holds at most three.

    Tiers count like the digits of a number: a span is distilled again when its digit carries, once
    for every fourfold of the consolidations so far.
    """
    start, tier = len(spans), 1
    while start >= FAN - 1 and all(s.tier == tier for s in spans[start - FAN + 1 : start]):
        start, tier = start - FAN + 1, tier + 1
    return spans[start:]


def tier_above(spans: Sequence[Distilled]) -> int:
    """Give the tier of a span that takes in these."""
    return 1 + max((span.tier for span in spans), default=0)
