"""The close that ends a worker's attempt: whatever came back is kept, nothing is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.execution.certain import certain
from agentjournal.execution.fingerprint import fingerprint
from agentjournal.execution.handed import read_handed
from agentjournal.execution.kept import kept
from agentjournal.execution.logged import logged
from agentjournal.execution.payload import payload_of
from agentjournal.execution.placing import attempt_row, revision_of
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.references import project_faults
from agentjournal.execution.settle import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.errors import Fault
    from agentjournal.execution.contract import Source
    from agentjournal.execution.ending import Ending, Written
    from agentjournal.execution.handed import Handed
    from agentjournal.execution.logged import Logged
    from agentjournal.execution.payload import Payload
    from agentjournal.log.event import Draft
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Transaction

__all__ = ["close_attempt", "close_if"]


def close_attempt(  # noqa: PLR0913 - the parts of an ending
    log: Log,
    ending: Ending,
    written: Written = None,
    *,
    source: Source = "file",
    new_id: Callable[[], str],
    blobs: Mapping[str, str] | None = None,
) -> Logged:
    """Close an attempt with what its worker handed off.

    A valid handoff becomes the closing step. Of any other one what is valid is kept in a `partial`
    close, the rest as its `log`; the answer's `faults` say why. An attempt that was closed before
    takes it as `late`; an unknown one as a quarantined step. The same id again gives the first
    answer.

    Raises:
        NotFoundError: there is no such project.
    """
    ready = _ready(log, ending, read_handed(ending, written, source), blobs)

    def close() -> Logged:
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream_of(ending.project_slug))
            return _store(log, tx, ready, new_id)

    return certain(close)


def close_if(
    log: Log,
    ending: Ending,
    is_due: Callable[[Reader], bool],
    written: Written = None,
    *,
    new_id: Callable[[], str],
) -> Logged | None:
    """Close an attempt with what its worker left, if that is still due once the queue is held."""
    ready = _ready(log, ending, read_handed(ending, written, "file"), None)

    def close() -> Logged | None:
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream_of(ending.project_slug))
            is_stored = log.find(tx, ending.id) is not None
            return _store(log, tx, ready, new_id) if is_stored or is_due(tx) else None

    return certain(close)


@dataclass(frozen=True)
class _Ready:
    """A close whose bytes and digest are made before the queue is entered."""

    draft: Draft
    payload: Payload
    faults: tuple[Fault, ...]


def _ready(log: Log, ending: Ending, handed: Handed, blobs: Mapping[str, str] | None) -> _Ready:
    """Make the event; that of an unknown attempt closes nothing."""
    slug = ending.project_slug
    with log.database.snapshot() as reader:
        if list(project_faults(reader, slug)):
            raise NotFoundError(f"There is no project {slug!r}.", next="Register its plan first.")
        is_known = attempt_row(reader, slug, ending.attempt) is not None
        revision = revision_of(reader, slug, ending.attempt)
        handed = handed.checked(reader, slug)
    step, end = handed.step, ending.end_of(handed.step)
    payload = payload_of(step, blobs) if step else kept(ending, handed, blobs)
    is_success = payload.body["result"] == "success"
    draft = payload.draft(
        "close" if is_known else "step",
        revision=revision,
        end=end,
        exit_status=ending.exit_status,
        fingerprint=None if is_success else fingerprint(end, ending.exit_status, ending.output),
    )
    return _Ready(draft, payload, handed.faults)


def _store(log: Log, tx: Transaction, ready: _Ready, new_id: Callable[[], str]) -> Logged:
    if found := log.find(tx, ready.draft.id):
        return logged(tx, found, ready.payload, faults=ready.faults, is_repeat=True)
    stored = log.append(tx, [ready.draft])[-1]
    settle(log, tx, stored, new_id)
    return logged(tx, stored, ready.payload, faults=ready.faults)
