"""What completions cost, one row for each component, model, owner or task; no total across them."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal

from agentjournal.storage.statement import load_statements
from agentjournal.usage.record import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.storage.database import Row
    from agentjournal.usage.call import Break
    from agentjournal.usage.measurements import Measurements
    from agentjournal.usage.report.price import Price, Prices

__all__ = ["By", "Line", "Report", "WorstTurn", "build_report"]

By = Literal["component", "model", "owner", "task"]
NOBODY = "-"
BREAKS_LISTED = 200
_SQL = load_statements("agentjournal.usage", "sql/report.sql")


@dataclass(frozen=True, kw_only=True)
class WorstTurn:
    """The turn that had the most to compute: `tokens` were not in the cache.

    `turn` counts the measured turns of its conversation from 1.
    """

    tokens: int
    owner: str | None
    thread: str | None
    turn: int
    at: str


@dataclass
class Line:
    """One row: counts of tokens; shares and work only from calls whose cached part was measured.

    `amplification` is the computed tokens over those that were new in their conversation, at least once
    each; None where no conversation is known. A conversation is what one owner (and thread, attempt) said
    to one model, so that helper calls to another are no turns of it. `cost` is in US dollars, of the calls
    that could be priced.
    """

    key: str
    calls: int = 0
    input: int = 0
    measured_input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    unmeasured: int = 0
    violations: int = 0
    worst: WorstTurn | None = None
    breaks: dict[str, int] = field(default_factory=dict)
    cost: float | None = None
    unpriced: int = 0
    computed: int = 0
    new: int = 0

    @property
    def share(self) -> float | None:
        """Give the cached share, weighted by tokens, None where nothing was measured."""
        return self.cached / self.measured_input if self.measured_input else None

    @property
    def amplification(self) -> float | None:
        """Give how often each new token was computed."""
        return self.computed / self.new if self.new else None

    def data(self) -> dict[str, object]:
        """Give the row for a program."""
        kept = {k: v for k, v in vars(self).items() if k not in {"computed", "new"}}
        worst = asdict(self.worst) if self.worst else None
        derived = {"share": self.share, "amplification": self.amplification}
        return {**kept, "worst": worst, **derived}


@dataclass(frozen=True, kw_only=True)
class Report:
    """The rows by what they are grouped by, and the newest of the broken prefixes behind them."""

    by: By
    since: str
    lines: Sequence[Line]
    breaks: Sequence[Break]
    breaks_unlisted: int
    prices_as_of: str

    def data(self) -> dict[str, object]:
        """Give the report for a program."""
        return {
            "by": self.by,
            "since": self.since or None,
            "rows": [line.data() for line in self.lines],
            "breaks": [asdict(each) for each in self.breaks],
            "breaks_unlisted": self.breaks_unlisted,
            "prices_as_of": self.prices_as_of,
        }


def build_report(
    measurements: Measurements, *, by: By, since: str, prices: Prices, project: str | None = None
) -> Report:
    """Add up what is stored; rows with the most input come first. The database does the adding."""
    lines: dict[object, Line] = {}
    price_of = functools.cache(prices.of)
    with measurements.database.snapshot() as reader:
        asked: dict[str, str | None] = {"by": by, "since": since, "project": project}
        for row in reader.rows(_SQL["totals"], **asked):
            key = row["key"] or NOBODY
            _count(lines.setdefault(key, Line(str(key))), row, price_of(str(row["model"])))
        for row in reader.rows(_SQL["work"], **asked):
            _weigh(lines[row["key"] or NOBODY], row)
        broken = reader.rows(_SQL["break_counts"], **asked)
    for row in broken:
        if line := lines.get(row["key"] or NOBODY):
            cause = str(row["cause"])
            line.breaks[cause] = line.breaks.get(cause, 0) + _whole(row, "count")
    return Report(
        by=by,
        since=since,
        lines=sorted(lines.values(), key=lambda line: (-line.input, line.key)),
        breaks=measurements.newest_breaks(BREAKS_LISTED, since=since, project=project),
        breaks_unlisted=max(0, sum(_whole(row, "count") for row in broken) - BREAKS_LISTED),
        prices_as_of=prices.as_of,
    )


def _count(line: Line, row: Row, price: Price | None) -> None:
    """Add one model's calls to its row."""
    calls, priced = _whole(row, "calls"), _whole(row, "priced")
    line.calls += calls
    line.input += _whole(row, "input")
    line.output += _whole(row, "output")
    line.violations += _whole(row, "violations")
    line.measured_input += _whole(row, "measured_input")
    line.cached += _whole(row, "cached")
    line.written += _whole(row, "written")
    line.unmeasured += calls - _whole(row, "measured")
    cost = price.of(_priced(row)) if price and priced else None
    line.unpriced += calls if cost is None else calls - priced
    if cost is not None:
        line.cost = (line.cost or 0.0) + cost


def _priced(row: Row) -> Usage:
    """Give the counts of all calls that can be priced as one: a price is so much for each token."""
    return Usage(
        input_total=_whole(row, "priced_input"),
        cache_read=_whole(row, "priced_read"),
        cache_write=_whole(row, "priced_write"),
        cache_write_1h=_whole(row, "priced_write_1h"),
        output=_whole(row, "priced_output"),
    )


def _weigh(line: Line, row: Row) -> None:
    """Take in the work of its conversations, and their worst turn."""
    line.computed += _whole(row, "computed")
    line.new += _whole(row, "new")
    tokens = row["tokens"]
    if isinstance(tokens, int) and (line.worst is None or tokens > line.worst.tokens):
        owner, thread = row["owner"], row["thread"]
        line.worst = WorstTurn(
            tokens=tokens,
            owner=str(owner) if owner is not None else None,
            thread=str(thread) if thread is not None else None,
            turn=_whole(row, "turn"),
            at=str(row["at"]),
        )


def _whole(row: Row, name: str) -> int:
    value = row[name]
    return value if isinstance(value, int) else 0
