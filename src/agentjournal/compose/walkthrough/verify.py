"""Checks whether a demonstration was carried out: by its records, its searches and its code."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.search_row import searches
from agentjournal.engmem.store import read_store
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.compose.walkthrough.demo import Demo
    from agentjournal.engmem.document import Document

__all__ = ["Check", "verify"]

TIMEOUT = 60.0  # seconds
_LABELLED = r"(?im)^\s*(?:[-*]\s*)?\**{}\**:\**[ \t]*(?!not stated in the available material)\S"


@dataclass(frozen=True)
class Check:
    """One thing that should be so."""

    is_met: bool
    name: str
    detail: str

    def __str__(self) -> str:
        """Give the line that is printed."""
        return f"{'ok' if self.is_met else 'missing'}: {self.name}: {self.detail}"


def verify(demo: Demo, python: str) -> list[Check]:
    """Make the checks of a demonstration."""
    try:
        documents = [each for each in read_store(demo.store).documents if each.status == "active"]
    except AgentJournalError as error:
        return [Check(is_met=False, name="store", detail=error.message)]
    if demo.name == "codex":
        records = [each for each in documents if _decides(each)]
        return [_record(records, "2"), _recall(demo, records, documents), _acceptance(demo, python)]
    parcels = [each for each in documents if "parcels" in each.repos and _decides(each)]
    labels = [each for each in documents if "labels" in each.repos and _decides(each)]
    return [
        _handed(demo, "codex to claude", parcels, labels),
        _handed(demo, "claude to codex", labels, parcels),
    ]


def _decides(document: Document) -> bool:
    """Say whether a record has a decision about grams, with its reason and its source."""
    log = "\n".join(each.text for each in document.sections if each.role == "decisions")
    labels = ("Decision", "Reason", "Source")
    return "grams" in log and all(re.search(_LABELLED.format(label), log) for label in labels)


def _record(records: Sequence[Document], step: str) -> Check:
    if not records:
        told = f"no saved record has a Decision about grams with its Reason and Source: repeat step {step}"
        return Check(is_met=False, name="record", detail=told)
    return Check(is_met=True, name="record", detail=records[0].id)


def _recall(demo: Demo, records: Sequence[Document], documents: Sequence[Document]) -> Check:
    known = {each.id for each in documents}
    for record in records:
        for session in _sessions_that_saw(demo, record):
            told = f"{record.id} was shown to {session}" + (
                "" if session in known else " (not saved yet)"
            )
            return Check(is_met=True, name="recall", detail=told)
    told = "no later session's search showed the record: repeat step 4"
    return Check(is_met=False, name="recall", detail=told)


def _handed(demo: Demo, name: str, given: Sequence[Document], taken: Sequence[Document]) -> Check:
    if not given:
        side = "parcels" if name.startswith("codex") else "labels"
        told = f"no saved record linked to {side} has a Decision about grams with its Reason and Source"
        return Check(is_met=False, name=name, detail=told)
    known = {each.id for each in taken}
    for record in given:
        for session in _sessions_that_saw(demo, record):
            if session in known:
                told = f"{record.id} was shown to {session}"
                return Check(is_met=True, name=name, detail=told)
    told = f"no saved session of the other side was shown {given[0].id}"
    return Check(is_met=False, name=name, detail=told)


def _sessions_that_saw(demo: Demo, record: Document) -> list[str]:
    rows = [row for row in searches(demo.store) if row and record.id in row.surfaced]
    return [row.session for row in rows if row.session and row.session != record.id]


def _acceptance(demo: Demo, python: str) -> Check:
    """Run the example's own check: code that the agent wrote, which its person asked for."""
    name = "acceptance check"
    try:
        done = subprocess.run(  # noqa: S603 - the demonstration's own code
            [python, "-m", "demo_parcels.check"],
            cwd=demo.parcels,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(is_met=False, name=name, detail=f"it does not run ({error})")
    said = done.stdout.decode(errors="replace").strip().splitlines() or ["it said nothing"]
    return Check(is_met=done.returncode == 0, name=name, detail=said[0])
