"""The hard cap: a render that outgrows it falls to half of it, without a model and without refusal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from agentjournal.journal.consolidation import Consolidation, ConsolidationRequest
from agentjournal.journal.memory import empty_memory
from agentjournal.journal.neutral import neutral_lines, newest_lines
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.entry import Entry
    from agentjournal.journal.journal import Journal
    from agentjournal.journal.memory import LayoutName

HARD_BYTES = 256 * 1024
SOFT_BYTES = HARD_BYTES // 2
_LEDGER_LINE = 600


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Where the floor moves to, and all that stands for what lies below it.

    `first_kept` is the index of the first entry above it; `memory` replaces everything that was
    distilled before. What lies below is lost from the render only: a kept journal has it in its log.
    """

    first_kept: int
    memory: Consolidation
    revision: int


def plan_floor(journal: Journal, cap_bytes: int = HARD_BYTES) -> Floor | None:
    """Say where the floor of a render above its cap moves to, or None where it fits.

    A quarter of the cap goes to the newest turns, whole epochs; an eighth to the newest lines, of
    which turns below the floor get one each; a sixteenth to the identity. Same journal, same floor.
    """
    if journal.size <= cap_bytes:
        return None
    revision, entries = journal.revision, journal.entries
    first_kept = _first_kept(entries, journal.layout, cap_bytes // 4)
    below = entries[:first_kept]
    lines = [one_line(line, _LEDGER_LINE) for line in journal.episodic_ledger]
    lines += neutral_lines(_request(journal, below)).ledger if below else []
    identity = one_line(next(reversed(journal.core_memories), ""), cap_bytes // 16)
    kept = newest_lines(lines, cap_bytes // 8)
    return Floor(first_kept=first_kept, memory=Consolidation(identity, kept), revision=revision)


def keep_within(journal: Journal, cap_bytes: int = HARD_BYTES) -> Floor | None:
    """Move the floor of a render above its cap, so that recording goes on whatever the size.

    Raises:
        RevisionConflict: the journal was rewritten meanwhile; nothing was changed.
    """
    floor = plan_floor(journal, cap_bytes)
    if floor is not None:
        journal.replace_memory(floor.memory, floor.first_kept, revision=floor.revision)
    return floor


def _first_kept(entries: Sequence[Entry], layout: LayoutName, room: int) -> int:
    """Give the first entry of the newest whole epochs that fit into the room when rendered."""
    ends = list(accumulate(_rendered_sizes(entries, layout)))
    total = ends[-1] if ends else 0
    for place, entry in enumerate(entries):
        is_edge = place == 0 or entries[place - 1].epoch != entry.epoch
        if is_edge and total - (ends[place - 1] if place else 0) <= room:
            return place
    return len(entries)


def _rendered_sizes(entries: Sequence[Entry], layout: LayoutName) -> list[int]:
    render = empty_memory(layout).render()
    sizes = []
    for entry in entries:
        before = render.size
        render.add(entry)
        render.end_turn()
        sizes.append(render.size - before)
    return sizes


def _request(journal: Journal, entries: tuple[Entry, ...]) -> ConsolidationRequest:
    return ConsolidationRequest(
        owner=journal.owner,
        prior_identity="",
        entries=entries,
        epoch_start=entries[0].epoch,
        epoch_end=entries[-1].epoch,
        text="\n".join(entry.text for entry in entries),
        layout=journal.layout,
    )
