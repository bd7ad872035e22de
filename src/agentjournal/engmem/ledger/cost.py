"""What a session's searches and reads handed over, beside what was reported of its baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.cost_row import Baseline, Delivery, cost_rows
from agentjournal.engmem.ledger.search_row import searches
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BYTES_PER_TOKEN", "Cost", "Delivered", "baseline_words", "read_cost", "tokens_of"]

BYTES_PER_TOKEN = 3.5
CALLS = 20  # shown
UNMEASURED = (
    "not measured: files opened without `engmem read`, what stands on stderr, and the model's own"
    " context"
)
_NAME = 200  # bytes of an id


@dataclass
class Delivered:
    """How often something was handed over, and how much."""

    count: int = 0
    bytes: int = 0

    def add(self, delivered: int) -> None:
        """Take in one more."""
        self.count += 1
        self.bytes += delivered

    def data(self) -> dict[str, int]:
        """Give it as plain values."""
        return {"deliveries": self.count, "bytes": self.bytes}


@dataclass
class Cost:
    """What one session took, as far as it was measured.

    `unmeasured` counts searches of the session that say what they found and not what they printed.
    """

    session: str
    searches: Delivered = field(default_factory=Delivered)
    reads: Delivered = field(default_factory=Delivered)
    baselines: list[Baseline] = field(default_factory=list)
    replaced: int = 0
    repeated: int = 0
    unmeasured: int = 0
    unreadable: int = 0
    is_known: bool = True

    @property
    def total(self) -> Delivered:
        """Add up searches and reads."""
        both = self.searches, self.reads
        return Delivered(sum(each.count for each in both), sum(each.bytes for each in both))

    def text(self) -> str:
        """Give the figures, what they leave out, and no figure that nobody measured."""
        lines = [
            f"cost of session {one_line(self.session, _NAME)}: what engmem itself handed over",
            _line("searches", self.searches),
            _line("reads", self.reads),
            _line("total", self.total) + f"   (~{tokens_of(self.total.bytes)} tokens est.)",
            *self._baselines(),
            *self._gaps(),
            "savings: none claimed; the task was not also done without memory.",
        ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Give the figures as plain values, for `--json`."""
        return {
            "session": self.session,
            "is_known": self.is_known,
            "searches": self.searches.data(),
            "reads": self.reads.data(),
            "total": {**self.total.data(), "tokens_estimate": tokens_of(self.total.bytes)},
            "baselines": [
                {
                    "call_id": each.call_id,
                    "tokens": each.tokens,
                    "seconds": each.seconds,
                    "channel": each.channel,
                }
                for each in self.baselines
            ],
            "replaced_baselines": self.replaced,
            "repeated": self.repeated,
            "unmeasured_searches": self.unmeasured,
            "unreadable": self.unreadable,
        }

    def _baselines(self) -> list[str]:
        if not self.baselines:
            return ["baseline: not reported by the client (missing data, not zero)"]
        lines = [
            f"baseline: {baseline_words(each)}, reported by the client over"
            f" {one_line(each.channel, _NAME)}"
            for each in self.baselines[:CALLS]
        ]
        more = len(self.baselines) - CALLS
        return [*lines, f"baseline: ... and {more} more calls"] if more > 0 else lines

    def _gaps(self) -> list[str]:
        counted = {
            "searches whose printed size was not recorded, not counted": self.unmeasured,
            "baseline reports that a later one of the same call replaced": self.replaced,
            "lines that repeat an operation, counted once": self.repeated,
            "unreadable lines of the ledgers, skipped": self.unreadable,
        }
        unknown = [] if self.is_known else ["no document of the store has this id"]
        return [
            UNMEASURED,
            *(f"note: {words}: {count}" for words, count in counted.items() if count),
            *(f"note: {words}" for words in unknown),
        ]


def read_cost(root: Path, session: str, *, is_known: bool) -> Cost:
    """Sum up what was measured of a session; `is_known` says that a document has its id.

    Raises:
        InputError: a ledger cannot be read.
    """
    cost = Cost(session, is_known=is_known)
    calls: dict[str, Baseline] = {}
    _take_costs(cost, root, calls)
    _take_searches(cost, root)
    cost.baselines.extend(calls.values())
    return cost


def baseline_words(baseline: Baseline) -> str:
    """Say in words what was reported of one call."""
    call = "one call" if baseline.call_id is None else f"call {one_line(baseline.call_id, _NAME)}"
    tokens = [] if baseline.tokens is None else [f"{baseline.tokens} tokens"]
    seconds = [] if baseline.seconds is None else [f"{baseline.seconds:g} s"]
    return f"{call}, {', '.join([*tokens, *seconds])}"


def tokens_of(size: int) -> int:
    """Estimate the tokens of so many bytes."""
    return math.ceil(size / BYTES_PER_TOKEN)


def _take_costs(cost: Cost, root: Path, calls: dict[str, Baseline]) -> None:
    taken: set[str] = set()
    for row in cost_rows(root):
        if row is None:
            cost.unreadable += 1
        elif row.session != cost.session:
            continue
        elif row.op_id is not None and row.op_id in taken:
            cost.repeated += 1
        else:
            taken.add(row.op_id or "")
            _take(cost, row, calls)


def _take(cost: Cost, row: Delivery | Baseline, calls: dict[str, Baseline]) -> None:
    if isinstance(row, Delivery):
        (cost.reads if row.is_read else cost.searches).add(row.bytes)
        return
    name = f"call {row.call_id}" if row.call_id is not None else f"unnamed {len(calls)}"
    cost.replaced += name in calls
    calls[name] = row


def _take_searches(cost: Cost, root: Path) -> None:
    """Count searches that measured themselves; the others have a row of their own, or none.

    Other tools write a row of cost beside each search's telemetry; ours says all in one.
    """
    apart, measured_apart = 0, cost.searches.count
    for row in searches(root):
        if row is None:
            cost.unreadable += 1
        elif row.session == cost.session and row.delivered_bytes is None:
            apart += 1
        elif row.session == cost.session and row.delivered_bytes is not None:
            cost.searches.add(row.delivered_bytes)
    cost.unmeasured = max(0, apart - measured_apart)


def _line(name: str, delivered: Delivered) -> str:
    return f"  {name:<10}{delivered.count:>6}   {delivered.bytes} bytes"
