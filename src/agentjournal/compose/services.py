"""Builds the services of one process from its settings, each when it is first asked for.

What only some commands need is imported where it is built: `tried` is asked before every plan, and
pays for nothing that dispatches work.
"""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from agentjournal.compose.store_word import store_word
from agentjournal.config.settings import Settings, load_settings
from agentjournal.errors import NotFoundError
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.lanes.fold import LANE_TABLES, LaneFold
from agentjournal.log.log import Log
from agentjournal.log.seal import seal_pending
from agentjournal.storage.open import open_database
from agentjournal.system.git import repository_root
from agentjournal.system.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.brief.brief import Brief
    from agentjournal.brief.caps import BriefCaps
    from agentjournal.compose.world import World
    from agentjournal.execution.observed import Observed
    from agentjournal.execution.policy import Limits
    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.recall.claim import Source

__all__ = ["Services"]


class Services:
    """One process's services; leaving the block closes what was opened."""

    def __init__(self, settings: Settings, world: World, *, is_reading: bool = False) -> None:
        self.settings = settings
        self.world = world
        self.is_reading = is_reading
        self.notes: list[str] = []  # what could not be had, for the person at the terminal

    @classmethod
    def of(cls, world: World, flags: Mapping[str, str | None], *, is_reading: bool = False) -> Self:
        """Read the settings of this world; services that only read make no store.

        Raises:
            ConfigurationError: a setting is wrong.
        """
        settings = load_settings(
            environment=world.environment,
            cwd=world.cwd,
            home=world.home,
            flags=flags,
            login=world.login,
        )
        return cls(settings, world, is_reading=is_reading)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "log" in vars(self):
            self.log.database.close()

    @cached_property
    def log(self) -> Log:
        """Open the store, bring it up to date, and take in what waited for it."""
        settings = self.settings
        database = open_database(
            self._location,
            schema=settings.schema,
            busy_wait=settings.busy_wait_seconds,
            allow_network_fs=settings.allow_network_fs,
        )
        log = Log(database, [ExecutionFold(), LaneFold()], [EXECUTION_TABLES, LANE_TABLES])
        log.migrate()
        self._drain(log)
        seal_pending(log)
        return log

    @property
    def _location(self) -> str:
        """Say where the store is opened: a read finds an empty one in memory where there is none.

        Raises:
            NotFoundError: the place was named, and there is none.
        """
        location = self.settings.database
        is_file = "://" not in location and location != ":memory:"
        if not self.is_reading or not is_file or Path(location).exists():
            return location
        if self.settings.origins.get("database", "default") != "default":
            raise NotFoundError(
                f"There is no store at {location}.", next="Check the path; nothing was made there."
            )
        return ":memory:"

    def _drain(self, log: Log) -> None:
        """Store the closes that waited for this store; where none does, nothing is loaded for it."""
        if log.database.location != ":memory:" and self.spool.counts()[0]:
            from agentjournal.orchestrator.close import take_spooled

            self.spool.drain(take_spooled(log, self.spool, self.world.new_id))

    @cached_property
    def spool(self) -> Spool:
        """Give the place where closes wait for a store that cannot take them."""
        return Spool(
            self.settings.data_dir / "spool", self.world.new_id, own=store_word(self.settings)
        )

    @cached_property
    def root(self) -> Path | None:
        """Give the project's folder: that of its file, else the repository's top."""
        return self.settings.project_root or repository_root(self.world.cwd)

    def root_of(self, slug: str) -> Path | None:
        """Give the project's folder where one stands in it: its own file has to name it."""
        return self.settings.project_root if self.settings.project_slug == slug else None

    def observed(self, slug: str) -> Observed:
        """Look at the project's plan, and at its folder where one stands in it."""
        from agentjournal.compose.observe import observe
        from agentjournal.compose.plan_file import sha256_on_disk
        from agentjournal.execution.names import plan_file

        plan = plan_file(self.log, slug)
        is_here = self.settings.project_slug in (None, slug)
        return observe(
            self.root if is_here else None,
            plan_sha256=sha256_on_disk(plan, self.root_of(slug)) if plan else None,
        )

    def sources(self) -> Sequence[Source]:
        """Give what briefs ask: what is in force in the log, and the documents of past tasks."""
        from agentjournal.recall.logged import LoggedClaims

        return [LoggedClaims(self.log.database), *self._briefed]

    def all_sources(self) -> Sequence[Source]:
        """Give every source of claims: besides those, the candidates harvested here."""
        from agentjournal.recall.harvest.index import harvested_claims, index_path
        from agentjournal.recall.logged import LoggedClaims

        sources = [LoggedClaims(self.log.database), *self._documents]
        if self.root is None:
            return sources
        return [
            *sources,
            harvested_claims(index_path(self.settings.cache_dir, self.root)),
        ]

    @cached_property
    def _briefed(self) -> Sequence[Source]:
        """Give the documents without those that their store keeps out of briefs."""
        if not self._documents:
            return []
        from agentjournal.engmem.withheld import read_withheld
        from agentjournal.recall.without import Without

        withheld = read_withheld(self.settings.engmem_store)
        if withheld.fault:
            self.notes.append(f"No document enters a brief: {withheld.fault}")
        if withheld.is_everything:
            return []
        return [Without(source, withheld.holds) for source in self._documents]

    def note_served(self, slug: str, brief: Brief) -> None:
        """Note in the store of documents what a brief quotes of it: that is a cost of recall."""
        from agentjournal.compose.served import record_served

        self.notes += record_served(self, slug, brief)

    @cached_property
    def _documents(self) -> Sequence[Source]:
        store = self.settings.engmem_store
        if not (store / "sessions").exists():
            return []
        from agentjournal.compose.documents import open_documents
        from agentjournal.recall.documented import DocumentedClaims

        now = int(self.world.clock.now().timestamp() * 1e9)
        index = open_documents(store, self.settings.cache_dir, now=now)
        if index.scan_error:
            self.notes.append(f"Documents were not asked: {index.scan_error}")
            return []
        return [DocumentedClaims(index)]

    @cached_property
    def limits(self) -> Limits:
        """Give how often a task may come back."""
        from agentjournal.execution.policy import Limits

        settings = self.settings
        return Limits(
            max_attempts=settings.max_attempts,
            max_contracts_missing=settings.max_contracts_missing,
            max_crashes=settings.max_crashes,
        )

    @cached_property
    def caps(self) -> BriefCaps:
        """Give the sizes of a brief."""
        from agentjournal.brief.caps import BriefCaps

        return BriefCaps(total=self.settings.brief_bytes)

    @property
    def worker_actor(self) -> str:
        """Give the name under which a worker of this process writes."""
        return "worker-1"

    @cached_property
    def workshop(self) -> Workshop:
        """Give what dispatching work needs."""
        from agentjournal.compose.machine import this_machine
        from agentjournal.orchestrator.workshop import Workshop
        from agentjournal.system.identity import attempt_token

        settings, world = self.settings, self.world
        return Workshop(
            log=self.log,
            spool=self.spool,
            machine=this_machine(),
            attempts=settings.data_dir / "attempts",
            folder=self.root or world.cwd,
            environment={**world.environment, "AGENTJOURNAL_DATABASE": settings.database},
            new_id=world.new_id,
            new_token=partial(attempt_token, world.random_bytes),
            clock=world.clock,
            sources=self.sources,
            observed=self.observed,
            limits=self.limits,
            caps=self.caps,
            lease_seconds=settings.lease_seconds,
            heartbeat_seconds=settings.heartbeat_seconds,
            served=self.note_served,
        )
