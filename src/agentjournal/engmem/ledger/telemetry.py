"""How often searches found something and what they took, by channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.search_row import searches
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.ledger.search_row import SearchRow

__all__ = ["Telemetry", "Usage", "read_telemetry"]

CHANNELS = 8  # told apart; a log may name any number
OTHERS = "others"
_CHANNEL = 10  # bytes of a name: the width of its column


@dataclass
class Usage:
    """Sums over searches; `misses` are those that are neither a hit nor ambiguous."""

    searches: int = 0
    hits: int = 0
    ambiguous: int = 0
    weak_only: int = 0
    context_bytes: int = 0
    context_tokens: int = 0

    @property
    def misses(self) -> int:
        """Count the searches that found nothing."""
        return self.searches - self.hits - self.ambiguous

    def add(self, row: SearchRow) -> None:
        """Take one search into the sums."""
        self.searches += 1
        self.hits += row.result == "hit"
        self.ambiguous += row.result == "ambiguous"
        self.weak_only += row.result == "hit" and row.is_weak
        self.context_bytes += row.context_bytes
        self.context_tokens += row.context_tokens

    def data(self) -> dict[str, object]:
        """Give the sums as plain values."""
        return {
            "searches": self.searches,
            "hits": self.hits,
            "misses": self.misses,
            "ambiguous": self.ambiguous,
            "weak_only_hits": self.weak_only,
            "hit_rate": round(self.hits / self.searches, 4) if self.searches else None,
            "context_bytes": self.context_bytes,
            "context_tokens_estimate": self.context_tokens,
        }


@dataclass
class Telemetry:
    """The searches of a store, summed; `unreadable` counts lines that could not be taken."""

    overall: Usage = field(default_factory=Usage)
    channels: dict[str, Usage] = field(default_factory=dict)
    unreadable: int = 0
    navigation_misses: int = 0

    def add(self, row: SearchRow) -> None:
        """Take one search into the sums of its channel and of all."""
        is_told_apart = row.channel in self.channels or len(self.channels) < CHANNELS
        self.channels.setdefault(row.channel if is_told_apart else OTHERS, Usage()).add(row)
        self.overall.add(row)

    def text(self) -> str:
        """Give the figures as a table, a line for each channel."""
        skipped = f" ({self.unreadable} unreadable line(s) skipped)" if self.unreadable else ""
        lines = [f"telemetry: {self.overall.searches} row(s) recorded{skipped}"]
        if self.overall.searches:
            lines = [lines[0].replace(" recorded", "", 1), *self._table()]
        if self.overall.weak_only:
            weak, hits = self.overall.weak_only, self.overall.hits
            lines.append(f"weak-only hits: {weak} of {hits}; all they showed were weak candidates")
        if self.navigation_misses:
            lines.append(f"navigation misses recorded in documents: {self.navigation_misses}")
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Give the figures as plain values, for `--json`."""
        return {
            "channels": {name: self.channels[name].data() for name in sorted(self.channels)},
            "overall": self.overall.data(),
            "unreadable": self.unreadable,
            "navigation_misses": self.navigation_misses,
        }

    def _table(self) -> list[str]:
        rows = sorted(self.channels.items())
        return [
            *(_line(one_line(name, _CHANNEL), usage) for name, usage in rows),
            _line("overall", self.overall),
        ]


def read_telemetry(root: Path, navigation_misses: int = 0) -> Telemetry:
    """Sum up the searches of a store; `navigation_misses` is what its documents recorded.

    Raises:
        InputError: the telemetry cannot be read.
    """
    telemetry = Telemetry(navigation_misses=navigation_misses)
    for row in searches(root):
        if row is None:
            telemetry.unreadable += 1
            continue
        telemetry.add(row)
    return telemetry


def _line(name: str, usage: Usage) -> str:
    rate = 100 * usage.hits / usage.searches
    return (
        f"  {name:<10}{usage.searches:>6} row(s)   hit-rate {rate:>5.1f}%   misses {usage.misses}"
        f"   ambiguous {usage.ambiguous}   context {usage.context_bytes / 1024:.1f} KB"
        f" (~{usage.context_tokens} tokens est.)"
    )
