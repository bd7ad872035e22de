"""The door for programs: an owner's journal in this machine's store, signed by this process."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from agentjournal.compose.services import Services
from agentjournal.compose.world import this_world
from agentjournal.execution.certain import certain
from agentjournal.journal.consolidation import ledger_lines
from agentjournal.lanes.archive.search import CAP_BYTES, search_archive
from agentjournal.lanes.event import Signature
from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.owner import check_owner
from agentjournal.lanes.record import record_turn
from agentjournal.lanes.rewrite import append_ledger, clear
from agentjournal.lanes.transfer import begin_journal, export_snapshot, import_snapshot
from agentjournal.lanes.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agentjournal.journal.consolidate import Consolidated
    from agentjournal.journal.consolidation import Consolidator
    from agentjournal.journal.journal import Journal
    from agentjournal.journal.memory import LayoutName
    from agentjournal.lanes.archive.search import Answer, Vectors
    from agentjournal.lanes.record import Recorded
    from agentjournal.lanes.transfer import ImportedSnapshot

__all__ = ["Keeper", "open_journal"]


class Keeper:
    """One owner's journal in the store: every process that opens it records into the same one.

    Whatever can be repeated takes an `id`, minted by `new_id` before the first try: with the same id
    again it answers as before and stores nothing twice.
    """

    def __init__(self, services: Services, owner: str) -> None:
        self.owner = owner
        self.new_id = services.world.new_id
        self._services = services
        self._kept = KeptJournal(services.log, owner)

    @property
    def journal(self) -> Journal:
        """Give the journal as it is stored now: render it, put it into a `Prompt`; never write."""
        return self._kept.journal

    def record_turn(
        self,
        situation: str = "",
        heard: Sequence[tuple[str, str]] = (),
        own: str = "",
        *,
        result: Mapping[str, object] | None = None,
        id: str | None = None,  # noqa: A002 - the column's name
    ) -> Recorded:
        """Record a turn; `result` is kept with it and never rendered.

        Raises:
            InputError: it is too long; nothing was stored.
            ConflictError: the id is stored with other content.
        """
        turn = Turn(situation=situation, heard=heard, own=own, result=result)
        by = self._sign(id)
        return certain(lambda: record_turn(self._services.log, self.owner, turn, by))

    def consolidate(
        self,
        consolidator: Consolidator,
        keep_fraction: float = 0.5,
        *,
        id: str | None = None,  # noqa: A002 - as above
    ) -> Consolidated:
        """Distil the oldest turns, in the thread that may wait for it; recording goes on meanwhile.

        Raises:
            ConsolidationError: it failed, or brought nothing new; nothing was changed.
            RevisionConflict: somebody else consolidated meanwhile; nothing was changed.
        """
        by = self._sign(id)
        return certain(lambda: self._kept.consolidate(consolidator, by, keep_fraction))

    def search(
        self,
        question: str,
        *,
        limit: int = 5,
        cap: int = CAP_BYTES,
        vectors: Vectors | None = None,
    ) -> Answer:
        """Find what the journal no longer renders; `text` of the answer goes below the boundary."""
        log = self._services.log
        return search_archive(log, self.owner, question, limit=limit, cap=cap, vectors=vectors)

    def append_ledger(self, lines: Iterable[str]) -> int:
        """Add lines to the ledger and count the new ones; where one is new, the prefix is reset."""
        given, by = ledger_lines(lines), self._sign(None)
        return certain(lambda: append_ledger(self._services.log, self.owner, given, by))

    def clear(self) -> None:
        """Let the owner forget everything; the turns stay in the log."""
        by = self._sign(None)
        certain(lambda: clear(self._services.log, self.owner, by))

    def to_json(self) -> str:
        """Give what is rendered as a snapshot of at most 256 KiB.

        Raises:
            NotFoundError: nothing was ever recorded.
            InputError: it is longer.
        """
        return export_snapshot(self._services.log, self.owner)

    def begin_with(self, snapshot: str) -> ImportedSnapshot:
        """Begin the journal with a snapshot.

        Raises:
            InputError: it is none.
            ConflictError: the owner has a journal already.
        """
        by = self._sign(None)
        return certain(lambda: import_snapshot(self._services.log, self.owner, snapshot, by))

    def _sign(self, given: str | None) -> Signature:
        world, actor = self._services.world, self._services.settings.actor
        return Signature(id=given or self.new_id(), actor=actor, at=world.now())


@contextmanager
def open_journal(
    owner: str, *, database: str | None = None, layout: LayoutName | None = None
) -> Iterator[Keeper]:
    """Open the journal of an owner (`lane/NAME`, `agent/NAMESPACE/ID`, `item/ID`) in the store.

    `database` is a path or a PostgreSQL URL, by default the configured one. `layout` is chosen when
    the journal begins and holds for life.

    >>> from agentjournal import Prompt, open_journal
    >>> with open_journal("agent/shop/planner", database=":memory:") as kept:
    ...     told = kept.record_turn("A ticket arrived.", own="I read it.")
    ...     prompt = Prompt.of("You plan.", kept.journal, tail="What next?")
    >>> prompt.cacheable_prefix.splitlines()[-1]
    'You said: I read it.'

    Raises:
        InputError: it names no owner.
        ConflictError: the owner has another layout.
    """
    check_owner(owner)
    with Services.of(this_world(), {"database": database}) as services:
        keeper = Keeper(services, owner)
        if layout is not None:
            begin_journal(services.log, owner, layout, keeper._sign(None))  # noqa: SLF001 - its own
        yield keeper
