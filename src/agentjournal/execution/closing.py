"""The close that ends a worker's attempt: whatever came back is kept, nothing is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.execution.certain import certain
from agentjournal.execution.ending import read_written, text_of
from agentjournal.execution.fingerprint import fingerprint
from agentjournal.execution.kept import kept
from agentjournal.execution.logged import logged
from agentjournal.execution.payload import payload_of
from agentjournal.execution.placing import attempt_row, revision_of
from agentjournal.execution.projection.change import stream_of
from agentjournal.execution.references import project_faults, reference_faults
from agentjournal.execution.settle import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.errors import Fault
    from agentjournal.execution.contract import Source
    from agentjournal.execution.ending import Ending, Written
    from agentjournal.execution.logged import Logged
    from agentjournal.execution.payload import Payload
    from agentjournal.execution.step import Step
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

    A valid handoff becomes the closing step. Anything else is kept as the `log` of a `partial` one,
    and the answer's `faults` say why. An attempt that was closed before takes it as `late`; an
    unknown one as a quarantined step. The same id again gives the first answer.

    Raises:
        NotFoundError: there is no such project.
    """
    step, faults = read_written(ending, written, source)
    ready = _ready(log, _Closing(ending, step, faults, text_of(written), blobs))

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
    step, faults = read_written(ending, written, "file")
    ready = _ready(log, _Closing(ending, step, faults, text_of(written), None))

    def close() -> Logged | None:
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream_of(ending.project_slug))
            is_stored = log.find(tx, ending.id) is not None
            return _store(log, tx, ready, new_id) if is_stored or is_due(tx) else None

    return certain(close)


@dataclass(frozen=True)
class _Closing:
    ending: Ending
    step: Step | None
    faults: tuple[Fault, ...]
    text: str
    blobs: Mapping[str, str] | None

    def payload(self) -> Payload:
        if self.step is None:
            return kept(self.ending, self.text, self.faults)
        return payload_of(self.step, self.blobs)

    def checked(self, reader: Reader) -> _Closing:
        """Keep the handoff as text where it refers to what is not there."""
        faults = tuple(reference_faults(reader, self.step)) if self.step else ()
        return replace(self, step=None, faults=faults) if faults else self

    def draft(self, payload: Payload, place: _Place) -> Draft:
        """Make the event; one of an unknown attempt closes nothing."""
        ending, end = self.ending, self.ending.end_of(self.step)
        is_success = payload.body["result"] == "success"
        mark = None if is_success else fingerprint(end, ending.exit_status, ending.output)
        return payload.draft(
            "close" if place.is_known else "step",
            revision=place.revision,
            end=end,
            exit_status=ending.exit_status,
            fingerprint=mark,
        )


@dataclass(frozen=True)
class _Place:
    revision: int
    is_known: bool


@dataclass(frozen=True)
class _Ready:
    """A close whose bytes and digest are made before the queue is entered."""

    closing: _Closing
    place: _Place
    payload: Payload
    draft: Draft


def _ready(log: Log, closing: _Closing) -> _Ready:
    slug, attempt = closing.ending.project_slug, closing.ending.attempt
    with log.database.snapshot() as reader:
        if list(project_faults(reader, slug)):
            raise NotFoundError(f"There is no project {slug!r}.", next="Register its plan first.")
        is_known = attempt_row(reader, slug, attempt) is not None
        place = _Place(revision_of(reader, slug, attempt), is_known)
    return _made(closing, place)


def _made(closing: _Closing, place: _Place) -> _Ready:
    payload = closing.payload()
    return _Ready(closing, place, payload, closing.draft(payload, place))


def _store(log: Log, tx: Transaction, ready: _Ready, new_id: Callable[[], str]) -> Logged:
    closing = ready.closing
    if found := log.find(tx, closing.ending.id):
        return logged(tx, found, ready.payload, faults=closing.faults, is_repeat=True)
    checked = closing.checked(tx)
    if checked is not closing:
        ready = _made(checked, ready.place)
    stored = log.append(tx, [ready.draft])[-1]
    settle(log, tx, stored, new_id)
    return logged(tx, stored, ready.payload, faults=checked.faults)
