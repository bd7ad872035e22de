"""Looks at a completion while it passes: what it cost, and whether its prompt kept its prefix."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Semaphore
from typing import TYPE_CHECKING

from agentjournal.proxy.alarm import readable_bytes
from agentjournal.proxy.sent import WATCHED_BYTES, model_of, parsed
from agentjournal.usage.guard import guarded
from agentjournal.usage.request.read import read_request
from agentjournal.usage.wire.answer import AnswerReader, is_completion

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from agentjournal.proxy.alarm import Alarm
    from agentjournal.proxy.caller import Caller
    from agentjournal.proxy.figures import Figures
    from agentjournal.proxy.findings import Findings
    from agentjournal.proxy.headers import Headers
    from agentjournal.proxy.keep import Keeper
    from agentjournal.proxy.watch import Watch
    from agentjournal.usage.observer import Observer
    from agentjournal.usage.request.block import Request
    from agentjournal.usage.subject import Subject

__all__ = ["Look", "Looker"]

_AT_ONCE_BYTES = 32 * 1024  # what is read without a thread: it takes less than a millisecond
_WAITING = 64  # larger ones that may wait for the thread: each is held until it was read


@dataclass(kw_only=True)
class Looker:
    """What all looks at one engine share; `task_of` finds project and task by an attempt's digest."""

    lane: str
    observer: Observer
    watch: Watch
    alarm: Alarm
    figures: Figures
    findings: Findings
    threads: Executor
    keeper: Keeper | None = None
    task_of: Callable[[str], tuple[str, str] | None] = field(default=lambda _: None)
    _room: Semaphore = field(default_factory=lambda: Semaphore(_WAITING), init=False)

    def look(self, method: str, caller: Caller, headers: Headers, body: bytes) -> Look | None:
        """Begin to look at a request, where it asks for a completion."""
        if not is_completion(method, caller.path.decode("latin-1")):
            return None
        encoding = dict(headers).get(b"content-encoding", b"").decode("latin-1")
        return Look(self, caller, body, encoding)

    def later(self, work: Callable[[], None]) -> Future[None] | None:
        """Do the work in a thread; None where too much waits for it already."""
        if not self._room.acquire(blocking=False):
            return None
        future = self.threads.submit(work)
        future.add_done_callback(lambda _: self._room.release())
        return future


class Look:
    """One completion; whatever goes wrong in here, it passes on."""

    def __init__(self, looker: Looker, caller: Caller, body: bytes, encoding: str) -> None:
        self._looker = looker
        self._caller = caller
        self._body = body
        self._encoding = encoding
        self._started = looker.observer.clock.monotonic()
        self._reader: AnswerReader | None = None
        self._reading: Future[None] | None = None
        self._subject = caller.subject
        self._model = ""
        self._sent: int | None = None

    def begin(self, status: int, headers: Headers) -> None:
        """Read the request, now that the engine took it."""
        if not 200 <= status < 300:  # noqa: PLR2004 - HTTP's own
            return
        found = {name: value.decode("latin-1") for name, value in headers}
        self._reader = AnswerReader(
            found.get(b"content-type", ""), found.get(b"content-encoding", "")
        )
        if len(self._body) <= _AT_ONCE_BYTES and self._looker.keeper is None:
            self._examine()
            return
        self._reading = self._looker.later(self._examine)
        if self._reading is None:
            self._looker.figures.unwatched("too busy")

    def feed(self, chunk: bytes) -> None:
        """Look at a part of the answer, after it was passed on."""
        if self._reader is not None:
            self._reader.feed(chunk)

    def end(self) -> None:
        """Tell what the completion cost, as far as the answer came."""
        if self._reader is None:
            return
        if self._reading is None:
            self._finish()
        else:
            self._reading.add_done_callback(lambda _: self._finish())

    def _examine(self) -> None:
        looker, body = self._looker, self._body
        self._body = b""  # read once, and not held for as long as the answer takes
        with guarded():
            self._subject = self._settled_subject()
        with guarded():
            if looker.keeper is not None:
                looker.keeper.keep(self._subject, body)
        with guarded():
            value = parsed(body, self._encoding) if len(body) <= WATCHED_BYTES else None
            if value is None:
                looker.figures.unwatched("too large" if len(body) > WATCHED_BYTES else "unreadable")
                self._model = model_of(self._caller.path)
                return
            request = read_request(value)
            self._model = request.model or model_of(self._caller.path)
            self._sent = readable_bytes(value, request)
            self._compare(request, len(body))

    def _compare(self, request: Request, size: int) -> None:
        subject, looker = self._subject, self._looker
        if subject.owner is None:
            looker.figures.unwatched("no owner")
            return
        found = looker.watch.look((subject.owner, subject.thread), request, size)
        if found is not None:
            lost = looker.alarm.tokens(self._lane, found.difference.again) or None
            announced = self._caller.announces
            looker.findings.broken(found, subject, self._model, lost=lost, announced=announced)

    def _finish(self) -> None:
        with guarded():
            reader, looker = self._reader, self._looker
            if reader is None:
                return
            usage = reader.finish()
            self._model = usage.model or self._model
            looker.observer.observe(
                usage,
                requested_model=self._model,
                lane=looker.lane,
                subject=self._subject,
                ms=int((looker.observer.clock.monotonic() - self._started) * 1000),
            )
            read, sent = usage.input_total, self._sent
            if read and sent is not None and not usage.violations:
                expected = looker.alarm.missing(self._lane, sent, read)
                if expected is not None:
                    looker.findings.cut(self._subject, self._model, sent=expected, read=read)

    def _settled_subject(self) -> Subject:
        """Find project and task of an attempt that came with its token alone."""
        subject = self._subject
        if subject.attempt is None or subject.project is not None:
            return subject
        found = self._looker.task_of(subject.attempt)
        return replace(subject, project=found[0], task=found[1]) if found else subject

    @property
    def _lane(self) -> tuple[str, str]:
        return (self._looker.lane, self._model)
