"""Layout v2's memory: distilled spans, each written once, four of a tier made into one above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError
from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.distilled import Distilled, folded, tier_above
from agentjournal.journal.tiered_rendering import TieredRendering
from agentjournal.journal.tiered_wire import INTRODUCTION
from agentjournal.journal.wire import repair, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agentjournal.journal.entry import Entry

KEPT_TURNS = 4
KINDS = ("situation", "heard", "own")


@dataclass(frozen=True, slots=True)
class TieredMemory:
    """The distilled spans, oldest first."""

    spans: tuple[Distilled, ...] = ()

    @property
    def core(self) -> tuple[str, ...]:
        """Give who the owner was in each span that says so."""
        return tuple(span.identity for span in self.spans if span.identity)

    @property
    def ledger(self) -> tuple[str, ...]:
        """Give the lines of all spans, oldest first."""
        return tuple(line for span in self.spans for line in span.ledger)

    def render(self) -> TieredRendering:
        """Begin a render with it."""
        return TieredRendering(self.spans)

    def first_kept(
        self,
        entries: Sequence[Entry],  # noqa: ARG002 - v2 goes by turns
        turn_ends: Sequence[int],
        keep_fraction: float,  # noqa: ARG002 - v1's; v2 keeps its last turns, whatever they weigh
    ) -> int:
        """Give the index of the first entry that a consolidation keeps: of the last four turns."""
        return turn_ends[-KEPT_TURNS - 1] if len(turn_ends) > KEPT_TURNS else 0

    def folded(self) -> Sequence[Distilled]:
        """Give the spans that are distilled again together with the next one."""
        return folded(self.spans)

    def span_text(self, entries: Sequence[Entry], turn_ends: Sequence[int]) -> str:
        """Give the text of what a consolidation replaces, as it stands in the render."""
        render = TieredRendering(self.folded())
        for count, entry in enumerate(entries, 1):
            render.add(entry)
            if count in turn_ends:
                render.end_turn()
        return render.text().removeprefix(INTRODUCTION)

    def news(self, consolidation: Consolidation) -> Consolidation:
        """Give it trimmed, without blank lines and without lines that it holds twice."""
        lines = (trim(repair(line)) for line in consolidation.ledger)
        kept = tuple(dict.fromkeys(line for line in lines if line))
        return Consolidation(trim(repair(consolidation.identity)), kept)

    def with_lines(self, lines: Sequence[str]) -> TieredMemory:
        """Give it with more lines, in a span of their own that has no turns."""
        return self.with_span(Consolidation("", lines), (), ())

    def with_span(
        self, news: Consolidation, entries: Sequence[Entry], folded: Sequence[Distilled]
    ) -> TieredMemory:
        """Give it with a span in the place of the entries and of the newest spans named."""
        kept = self.spans[: len(self.spans) - len(folded)]
        epochs = [
            *(epoch for span in folded for epoch in (span.epoch_start, span.epoch_end)),
            *(entry.epoch for entry in entries),
        ] or [kept[-1].epoch_end if kept else 0]
        span = Distilled(
            tier=tier_above(folded),
            epoch_start=min(epochs),
            epoch_end=max(epochs),
            identity=news.identity,
            ledger=tuple(news.ledger),
        )
        is_nothing = not (span.identity or span.ledger or folded)
        return TieredMemory(kept if is_nothing else (*kept, span))

    def replaced(self, by: Consolidation, entries: Sequence[Entry]) -> TieredMemory:
        """Give one that holds this alone, as one span."""
        return self.with_span(by, entries, self.spans)

    def refuse_entries(self, entries: Iterable[Entry], *, strict: bool) -> None:  # noqa: ARG002 - nothing forges v2
        """Let entries of the three kinds through.

        Raises:
            InputError: names each other kind.
        """
        faults = tuple(
            Fault(
                field="kind",
                rule="one of " + ", ".join(KINDS),
                got=repr(entry.kind),
                remedy="Only v1 keeps other kinds; they read as the owner's own there.",
            )
            for entry in entries
            if entry.kind not in KINDS
        )
        if faults:
            raise InputError("Layout v2 knows three kinds of entries.", faults=faults)

    def refuse_lines(self, identity: str, lines: Iterable[str], *, strict: bool) -> None:
        """Let every memory through: what it holds is escaped."""

    def fields(self) -> Mapping[str, object]:
        """Give the fields of a snapshot that hold it."""
        return {"distilled": [_plain(span) for span in self.spans] or None}


def _plain(span: Distilled) -> dict[str, object]:
    return {
        "tier": span.tier,
        "epoch_start": span.epoch_start,
        "epoch_end": span.epoch_end,
        "identity": span.identity,
        "ledger": list(span.ledger) or None,
    }
