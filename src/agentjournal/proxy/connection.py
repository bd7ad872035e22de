"""One connection to the engine: writes a request, hands what comes back to its answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import httptools

from agentjournal.proxy.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.proxy.headers import Headers

__all__ = ["Connection"]

_HEADER_BYTES = 64 * 1024
_TOGETHER_BYTES = 64 * 1024  # up to here a header and a body are one write
_SUCCESS = 200
_LAST_STATUS = 599
_FRAMING = (b"content-length", b"transfer-encoding")


class Connection(asyncio.Protocol):
    """Carries one request at a time; told `on_free` when it may carry the next, `on_lost` when it is gone.

    An answer that says nothing for `silence` seconds is given up.
    """

    def __init__(
        self,
        on_free: Callable[[Connection], None],
        on_lost: Callable[[Connection], None],
        silence: float,
    ) -> None:
        self._on_free = on_free
        self._on_lost = on_lost
        self._silence = silence
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._answer: Answer | None = None
        self._headers: Headers = []
        self._header_bytes = 0
        self._is_bodiless = False
        self._is_framed = False
        self._timer: asyncio.TimerHandle | None = None
        self._heard = 0.0
        self.idle_since = 0.0

    def ask(self, head: bytes, body: bytes, *, is_bodiless: bool) -> Answer:
        """Send a request; `is_bodiless` says that its answer has no body whatever its header says."""
        transport = cast("asyncio.Transport", self._transport)
        self._answer = Answer(transport.pause_reading, transport.resume_reading)
        self._is_bodiless = is_bodiless
        self._headers, self._header_bytes = [], 0
        if len(body) <= _TOGETHER_BYTES:
            transport.write(head + body)
        else:
            transport.write(head)
            transport.write(body)
        self._heard = self._loop.time()
        self._timer = self._loop.call_later(self._silence, self._check_silence)
        return self._answer

    @property
    def is_usable(self) -> bool:
        """Say whether it is still open."""
        return not cast("asyncio.Transport", self._transport).is_closing()

    def close(self) -> None:
        """Close at once, whatever is under way."""
        cast("asyncio.Transport", self._transport).abort()

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Read what came; whatever cannot be read, or was not asked for, ends the connection."""
        answer = self._answer
        if answer is None:
            self.close()
            return
        self._heard = self._loop.time()
        if not answer.status:
            self._header_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._give_up()
        else:
            if not answer.status and self._header_bytes > _HEADER_BYTES:
                self._give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the answer: whole where only the end of the connection could end it, else broken off."""
        answer = self._answer
        if answer is not None and answer.status and not self._is_framed and exc is None:
            answer.finish()
        self._give_up()
        self._on_lost(self)

    # the parser's side

    def on_message_begin(self) -> None:
        """Begin with an empty header: what stood before was an announcement."""
        if self._answer is None or self._answer.status:
            raise ValueError("more than one answer")
        self._headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take in a header; one that trails the body is dropped."""
        if self._answer is not None and not self._answer.status:
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Start the answer, unless this only announces it."""
        status = self._parser.get_status_code()
        if status < _SUCCESS:
            return
        if status > _LAST_STATUS:
            raise ValueError("no such status")
        self._is_framed = any(name in _FRAMING for name, _ in self._headers)
        answer = cast("Answer", self._answer)
        answer.start(status, self._headers)
        if self._is_bodiless:
            self.on_message_complete()

    def on_body(self, data: bytes) -> None:
        """Hand on a part of the body."""
        if self._answer is not None:
            self._answer.feed(data)

    def on_message_complete(self) -> None:
        """End the answer; the connection is free for another where the engine keeps it open.

        An answer that came before the request was sent to its end leaves a connection that nobody can trust.
        """
        answer = self._answer
        if answer is None or not answer.status:
            return  # an announcement like 100 Continue
        self._stop_timer()
        self._answer = None
        answer.finish()
        is_sent = cast("asyncio.Transport", self._transport).get_write_buffer_size() == 0
        if is_sent and self._parser.should_keep_alive() and not self._is_bodiless:
            self._on_free(self)
        else:
            self.close()

    def _give_up(self, *, is_silent: bool = False) -> None:
        self._stop_timer()
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.break_off(is_silent=is_silent)
        self.close()

    def _check_silence(self) -> None:
        left = self._heard + self._silence - self._loop.time()
        if left <= 0:
            self._give_up(is_silent=True)
        else:
            self._timer = self._loop.call_later(left, self._check_silence)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
