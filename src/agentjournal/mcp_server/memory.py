"""The store as a long-lived server holds it: what each tool does, by the functions of the commands."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agentjournal.compose.asking import ask, occasion
from agentjournal.compose.documents import Documents
from agentjournal.compose.stamped import stamp_of
from agentjournal.config.engmem import mode_file, saved_engmem_mode
from agentjournal.engmem.answer.request import SearchRequest
from agentjournal.engmem.answer.scope import AllRepositories, Scope, Unscoped, repositories
from agentjournal.engmem.ledger.assessment import Assessment, read_verdict
from agentjournal.engmem.ledger.baseline import record_baseline
from agentjournal.engmem.ledger.cost_row import Baseline
from agentjournal.engmem.ledger.feedback import record_feedback
from agentjournal.engmem.reading.read import ReadRequest, read_text
from agentjournal.engmem.writing.completing import complete_draft
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.superseding import mark_superseded
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.mcp_server.progress import listener

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agentjournal.compose.world import World
    from agentjournal.config.engmem import Mode
    from agentjournal.engmem.index.store_index import StoreIndex

    Given = Mapping[str, Any]

__all__ = ["Memory"]


class Memory:
    """One store: its index stays open, and a file that changed is seen by the next call."""

    def __init__(
        self, root: Path, cache_dir: Path, world: World, *, is_read_only: bool = False
    ) -> None:
        self.root = root
        self.world = world
        self.is_read_only = is_read_only
        self._documents = Documents(root, cache_dir, lambda: listener(sys.stderr.write))

    def calls(self) -> dict[str, Callable[[Given], str]]:
        """Give the function of each tool by its name."""
        return {
            "engmem_search": self.search,
            "engmem_search_by_role": self.search,
            "engmem_read": self.read,
            "engmem_create_draft": self.create_draft,
            "engmem_complete_draft": self.complete_draft,
            "engmem_mark_superseded": self.mark_superseded,
            "engmem_record_feedback": self.record_feedback,
            "engmem_record_baseline": self.record_baseline,
        }

    def warm(self) -> None:
        """Open the index before anybody asks; what is wrong is told when somebody does."""
        with suppress(AgentJournalError):
            self._index()

    def mode_line(self) -> str:
        """Say which mode sessions are counted in, and who chose it."""
        file = self._mode_file
        try:
            saved = saved_engmem_mode(file)
        except AgentJournalError as error:
            return f"engmem mode for this session: unknown ({error.message})"
        source = f"saved choice in {file}" if saved else f"default \u2014 no saved choice in {file}"
        return f"engmem mode for this session: {saved or 'daily'} ({source})"

    def search(self, given: Given) -> str:
        """Answer as `engmem search` does."""
        request = SearchRequest(
            query=given["query"],
            session=given.get("session_id"),
            role=given.get("role"),
            scope=_scope(given),
            names_drafts=not self.is_read_only,
        )
        world = self.world
        when = occasion(self.root, cwd=world.cwd, now=world.clock.now(), channel="mcp")
        return ask(self._index(), request, when).text.rstrip("\n")

    def read(self, given: Given) -> str:
        """Read as `engmem read` does."""
        request = ReadRequest(
            reference=given["id"], role=given.get("role"), session=given.get("session_id")
        )
        return read_text(self.root, self._listed(), request, stamp_of(self.world, "mcp"))

    def create_draft(self, given: Given) -> str:
        """Create as `engmem draft create` does."""
        mode: Mode = saved_engmem_mode(self._mode_file) or "daily"
        return create_draft(
            self.root, given["id"], given["content"].encode(), mode=mode, channel="mcp"
        )

    def complete_draft(self, given: Given) -> str:
        """Complete as `engmem draft complete` does."""
        version = given.get("expected_version", "")
        return complete_draft(self.root, given["id"], given["content"].encode(), version)

    def mark_superseded(self, given: Given) -> str:
        """Mark a document as overturned."""
        successor, version = given["superseded_by"], given["expected_version"]
        return mark_superseded(self.root, given["id"], successor, version)

    def record_feedback(self, given: Given) -> str:
        """Record as `engmem feedback record` does."""
        assessment = Assessment(
            session=given["session_id"],
            document=given["doc_id"],
            verdict=read_verdict(given["assessment"]),
            decision=given.get("decision"),
            source=given.get("source"),
        )
        return record_feedback(self.root, self._listed(), assessment, stamp_of(self.world, "mcp"))

    def record_baseline(self, given: Given) -> str:
        """Record as `engmem cost record-baseline` does."""
        baseline = Baseline(
            session=given["session_id"],
            tokens=given.get("tokens"),
            seconds=given.get("seconds"),
            call_id=given.get("call_id"),
        )
        return record_baseline(self.root, self._listed(), baseline, stamp_of(self.world, "mcp"))

    @property
    def _mode_file(self) -> Path:
        return mode_file(self.world.environment, self.world.home)

    def _index(self) -> StoreIndex:
        return self._documents.now(int(self.world.clock.now().timestamp() * 1e9))

    def _listed(self) -> StoreIndex:
        index = self._index()
        if index.scan_error:
            raise InputError(f"{index.scan_error}.", next="Make it a folder that can be read.")
        return index


def _scope(given: Given) -> Scope | None:
    """Give the one scope that the arguments name."""
    names = [*([given["repo"]] if "repo" in given else []), *given.get("repos", [])]
    if names:
        return repositories(names)
    if "unscoped" in given:
        return Unscoped()
    return AllRepositories() if "all_repos" in given else None
