"""What completions cost, one row for each component, model, owner or task; no total across them."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agentjournal.usage.call import Break, Call
    from agentjournal.usage.report.price import Prices
    from agentjournal.usage.subject import Subject

__all__ = ["By", "Line", "Report", "WorstTurn", "build_report"]

By = Literal["component", "model", "owner", "task"]
NOBODY = "-"


@dataclass(frozen=True, kw_only=True)
class WorstTurn:
    """The turn that had the most to compute: `tokens` were not in the cache."""

    tokens: int
    owner: str | None
    thread: str | None
    turn: int
    at: str


@dataclass
class Line:
    """One row: counts of tokens; shares and work only from calls whose cached part was measured.

    `amplification` is the computed tokens over those that were new in their conversation, at least once
    each; None where no conversation is known. `cost` is in US dollars, of the calls that could be priced.
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
        kept = {k: v for k, v in asdict(self).items() if k not in {"computed", "new"}}
        return kept | {"share": self.share, "amplification": self.amplification}


@dataclass(frozen=True, kw_only=True)
class Report:
    """The rows by what they are grouped by, and the broken prefixes behind them."""

    by: By
    since: str
    lines: Sequence[Line]
    breaks: Sequence[Break]
    prices_as_of: str

    def data(self) -> dict[str, object]:
        """Give the report for a program."""
        return {
            "by": self.by,
            "since": self.since or None,
            "rows": [line.data() for line in self.lines],
            "breaks": [asdict(each) for each in self.breaks],
            "prices_as_of": self.prices_as_of,
        }


def build_report(
    calls: Sequence[Call], breaks: Sequence[Break], *, by: By, since: str, prices: Prices
) -> Report:
    """Add the calls up; rows with the most input come first."""
    lines: dict[str, Line] = {}
    for call in calls:
        key = _key(by, call.subject, call.model)
        _count(lines.setdefault(key, Line(key)), call, prices)
    for key, own in _grouped(by, calls).items():
        _weigh(lines[key], own)
    for each in breaks:
        line = lines.get(_key(by, each.subject, each.model))
        if line is not None:
            line.breaks = dict(Counter(line.breaks) + Counter([each.cause]))
    ordered = sorted(lines.values(), key=lambda line: (-line.input, line.key))
    return Report(by=by, since=since, lines=ordered, breaks=breaks, prices_as_of=prices.as_of)


def _count(line: Line, call: Call, prices: Prices) -> None:
    usage = call.usage
    line.calls += 1
    line.input += max(usage.input_total or 0, 0)
    line.output += max(usage.output or 0, 0)
    line.violations += bool(usage.violations)
    if usage.is_measured:
        line.measured_input += usage.input_total or 0
        line.cached += usage.cache_read or 0
        line.written += usage.cache_write or 0
    else:
        line.unmeasured += 1
    price = prices.of(call.model)
    cost = price.of(usage) if price else None
    if cost is None:
        line.unpriced += 1
    else:
        line.cost = (line.cost or 0.0) + cost


def _weigh(line: Line, calls: Iterable[Call]) -> None:
    """Add up work and worst turn, conversation by conversation."""
    for conversation in _conversations(calls):
        before = 0
        for turn, call in enumerate(conversation, 1):
            usage = call.usage
            if not usage.is_measured or usage.input_total is None:
                continue
            computed = usage.input_total - (usage.cache_read or 0)
            if call.subject.owner is not None:
                line.computed += computed
                line.new += max(0, usage.input_total - before)
                before = usage.input_total
            is_first = turn == 1 and len(conversation) > 1  # a cold start is nobody's fault
            if not is_first and (line.worst is None or computed > line.worst.tokens):
                line.worst = WorstTurn(
                    tokens=computed,
                    owner=call.subject.owner,
                    thread=call.subject.thread,
                    turn=turn,
                    at=call.at,
                )


def _conversations(calls: Iterable[Call]) -> Iterable[list[Call]]:
    """Sort calls into conversations; those of nobody are each on their own."""
    found: dict[tuple[str | None, ...], list[Call]] = {}
    for call in calls:
        who = call.subject
        key = (who.owner or call.id, who.thread, who.component, who.attempt)
        found.setdefault(key, []).append(call)
    return found.values()


def _grouped(by: By, calls: Iterable[Call]) -> Mapping[str, list[Call]]:
    found: dict[str, list[Call]] = {}
    for call in calls:
        found.setdefault(_key(by, call.subject, call.model), []).append(call)
    return found


def _key(by: By, subject: Subject, model: str) -> str:
    match by:
        case "component":
            return subject.component or NOBODY
        case "model":
            return model or NOBODY
        case "owner":
            return subject.owner or NOBODY
        case "task":
            return f"{subject.project}/{subject.task}" if subject.task else NOBODY
