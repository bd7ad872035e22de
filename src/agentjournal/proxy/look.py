"""Looks at a completion while it passes: what it cost, and whether its prompt kept its prefix."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agentjournal.proxy.alarm import readable_bytes
from agentjournal.system.clock import timestamp
from agentjournal.system.identity import uuid7
from agentjournal.text.visible import one_line
from agentjournal.usage.call import Break
from agentjournal.usage.guard import guarded
from agentjournal.usage.request.read import read_request
from agentjournal.usage.wire.answer import AnswerReader, is_completion
from agentjournal.usage.wire.decoding import Unreadable, decoder_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from agentjournal.proxy.alarm import Alarm
    from agentjournal.proxy.caller import Caller
    from agentjournal.proxy.figures import Figures
    from agentjournal.proxy.headers import Headers
    from agentjournal.proxy.keep import Keeper
    from agentjournal.proxy.upstream import Upstream
    from agentjournal.proxy.watch import Found, Watch
    from agentjournal.usage.observer import Observer
    from agentjournal.usage.request.block import Request
    from agentjournal.usage.subject import Subject

__all__ = ["Look", "Looker"]

_WATCHED_BYTES = 16 * 1024 * 1024
_AT_ONCE_BYTES = 32 * 1024  # what is read without a thread: it takes less than a millisecond
_NAME_BYTES = 300
_IN_PATH = re.compile(r"/models?/([^/]{1,200}?)(?::\w+)?(?:/(?:converse|invoke)[a-z-]*)?$")


@dataclass(kw_only=True)
class Looker:
    """What all looks share: where they tell what they see; `store` takes breaks into the file."""

    upstream: Upstream
    observer: Observer
    watch: Watch
    alarm: Alarm
    figures: Figures
    threads: Executor
    store: Callable[[Break], None]
    tell: Callable[[str], None]
    keeper: Keeper | None = None
    task_of: Callable[[str], tuple[str, str] | None] = field(default=lambda _: None)

    def look(self, method: str, caller: Caller, headers: Headers, body: bytes) -> Look | None:
        """Begin to look at a request, where it asks for a completion."""
        if not is_completion(method, caller.path.decode("latin-1")):
            return None
        encoding = dict(headers).get(b"content-encoding", b"").decode("latin-1")
        return Look(self, caller, body, encoding)


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
        else:
            self._reading = self._looker.threads.submit(self._examine)

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
        with guarded():
            self._subject = self._settled_subject()
            if self._looker.keeper is not None:
                self._looker.keeper.keep(self._subject, self._body)
            if len(self._body) > _WATCHED_BYTES:
                self._looker.figures.unwatched("too large")
                return
            body = self._parsed()
            if body is None:
                self._looker.figures.unwatched("unreadable")
                return
            request = read_request(body)
            self._model = request.model or _model_of(self._caller.path)
            self._sent = readable_bytes(body, request)
            self._compare(request)

    def _compare(self, request: Request) -> None:
        subject = self._subject
        if subject.owner is None:
            self._looker.figures.unwatched("no owner")
            return
        who = (subject.owner, subject.thread)
        found = self._looker.watch.look(who, request, len(self._body))
        if found is not None:
            self._report(found)

    def _report(self, found: Found) -> None:
        """Say where the prefix broke; words of the prompt only where they are kept anyway."""
        difference, announced = found.difference, self._caller.announces
        lost = self._looker.alarm.tokens(self._lane, difference.again) or None
        detail = f"{difference.prompt_at} bytes of the prompt hold"
        if self._looker.keeper is not None:
            detail += f"; before: {difference.before}; after: {difference.after}"
        noted = self._noted("consolidation, announced" if announced else difference.cause, detail)
        path = one_line(difference.path, _NAME_BYTES)
        self._pass_on(
            replace(
                noted,
                turn=found.turn,
                block=one_line(difference.block, _NAME_BYTES),
                path=path,
                byte=difference.at,
                lost=lost,
            )
        )
        if not announced:
            place = path + ("" if difference.at is None else f", byte {difference.at}")
            cost = f"; about {lost} tokens are sent again" if lost else ""
            self._say(
                f"prefix broken: {self._name}, turn {found.turn}: {noted.cause} at {place}{cost}"
            )

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
                lane=self._lane[0],
                subject=self._subject,
                ms=int((looker.observer.clock.monotonic() - self._started) * 1000),
            )
            if usage.input_total and not usage.violations and self._sent is not None:
                self._check_length(usage.input_total)

    def _check_length(self, read: int) -> None:
        expected = self._looker.alarm.missing(self._lane, self._sent or 0, read)
        if expected is not None:
            said = f"about {expected} tokens were sent, {read} were read"
            self._pass_on(self._noted("silent truncation", said))
            self._say(f"silent truncation: {self._name}: {said} by {self._model or 'the engine'}")

    def _noted(self, cause: str, detail: str) -> Break:
        observer = self._looker.observer
        now = observer.clock.now()
        return Break(
            id=uuid7(now, observer.random_bytes),
            at=timestamp(now),
            subject=self._subject,
            model=self._model,
            source="proxy",
            cause=cause,
            detail=detail,
        )

    def _pass_on(self, found: Break) -> None:
        self._looker.figures.broken(found)
        self._looker.store(found)

    def _say(self, text: str) -> None:
        self._looker.tell(one_line(text, 1000))

    def _settled_subject(self) -> Subject:
        """Find project and task of an attempt that came with its token alone."""
        subject = self._subject
        if subject.attempt is None or subject.project is not None:
            return subject
        found = self._looker.task_of(subject.attempt)
        return replace(subject, project=found[0], task=found[1]) if found else subject

    def _parsed(self) -> Mapping[str, object] | None:
        try:
            body = self._body
            if self._encoding:
                body = b"".join(decoder_of(self._encoding)(body))[:_WATCHED_BYTES]
            value = json.loads(body)
        except (Unreadable, ValueError, RecursionError):
            return None
        return value if isinstance(value, Mapping) else None

    @property
    def _lane(self) -> tuple[str, str]:
        return (self._looker.upstream.url, self._model)

    @property
    def _name(self) -> str:
        subject = self._subject
        if subject.project and subject.task:
            return f"{subject.project} {subject.task}"
        return subject.owner or "nobody"


def _model_of(path: bytes) -> str:
    """Read the model out of a path that names it, as Gemini's and Bedrock's do."""
    found = _IN_PATH.search(path.decode("latin-1"))
    return found.group(1) if found else ""
