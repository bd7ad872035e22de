"""Layout v1's memory: one identity that is replaced, and a ledger to which lines are added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.forgery import refuse_forged_entries, refuse_forged_memories
from agentjournal.journal.rendering import Rendering, render_entries
from agentjournal.journal.split import first_kept_entry
from agentjournal.journal.wire import lower, repair, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agentjournal.journal.distilled import Distilled
    from agentjournal.journal.entry import Entry


@dataclass(frozen=True, slots=True)
class FlatMemory:
    """Who the owner has become (none or one; more only from a foreign snapshot), and the ledger."""

    core: tuple[str, ...] = ()
    ledger: tuple[str, ...] = ()

    def render(self) -> Rendering:
        """Begin a render with it."""
        return Rendering(self.core, self.ledger)

    def first_kept(
        self,
        entries: Sequence[Entry],
        turn_ends: Sequence[int],  # noqa: ARG002 - v1 goes by epochs
        keep_fraction: float,
    ) -> int:
        """Give the index of the first entry that a consolidation keeps: at an epoch's edge."""
        return first_kept_entry(entries, keep_fraction)

    def folded(self) -> Sequence[Distilled]:
        """Give what is distilled again: nothing, the ledger's lines stay."""
        return ()

    def span_text(self, entries: Sequence[Entry], turn_ends: Sequence[int]) -> str:  # noqa: ARG002 - as above
        """Give the text of what a consolidation replaces, as it stands in the render."""
        return render_entries(entries)

    def news(self, consolidation: Consolidation) -> Consolidation:
        """Give what of it is new here: an identity, and lines by their first spelling, trimmed."""
        known = {lower(trim(line)) for line in self.ledger}
        new: dict[str, str] = {}
        for line in consolidation.ledger:
            text = trim(repair(line))
            if text and lower(text) not in known:
                new.setdefault(lower(text), text)
        identity = trim(repair(consolidation.identity))
        return Consolidation("" if (identity,) == self.core else identity, tuple(new.values()))

    def with_lines(self, lines: Sequence[str]) -> FlatMemory:
        """Give it with more lines at the end of the ledger."""
        return replace(self, ledger=(*self.ledger, *lines))

    def with_span(
        self,
        news: Consolidation,
        entries: Sequence[Entry],  # noqa: ARG002 - v1's lines carry their epochs
        folded: Sequence[Distilled],  # noqa: ARG002 - none in v1
    ) -> FlatMemory:
        """Give it with the news: the identity replaces, the lines are added."""
        core = (news.identity,) if news.identity else self.core
        return FlatMemory(core, (*self.ledger, *news.ledger))

    def replaced(self, by: Consolidation, entries: Sequence[Entry]) -> FlatMemory:  # noqa: ARG002 - as above
        """Give one that holds this alone."""
        return FlatMemory((by.identity,) if by.identity else (), tuple(by.ledger))

    def refuse_entries(self, entries: Iterable[Entry], *, strict: bool) -> None:
        """Let entries through, unless they are to be checked and forge a marker."""
        if strict:
            refuse_forged_entries(entries)

    def refuse_lines(self, identity: str, lines: Iterable[str], *, strict: bool) -> None:
        """Let memories through, unless they are to be checked and forge a marker."""
        if strict:
            refuse_forged_memories(identity, lines)

    def fields(self) -> Mapping[str, object]:
        """Give the fields of a snapshot that hold it."""
        return {
            "core_memories": list(self.core) or None,
            "episodic_ledger": list(self.ledger) or None,
        }
