"""The server's protocol with limits that uvicorn does not have: deadlines, and the size of a header."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

__all__ = ["BODY_SECONDS", "HEADER_BYTES", "HEADER_SECONDS", "LimitedProtocol"]

HEADER_SECONDS = 10.0
BODY_SECONDS = 60.0
HEADER_BYTES = 64 * 1024
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class LimitedProtocol(HttpToolsProtocol):
    """Closes a connection whose header or body does not come to its end in time, or is no plain path."""

    header_seconds = HEADER_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._is_in_header = False
        self._header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn
        """Give whoever connects the time of one header."""
        super().connection_made(transport)
        self._set_deadline(self.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._set_deadline(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in bytes; a header that is still open after 64 KiB is refused."""
        before = self._header_bytes if self._is_in_header else 0
        super().data_received(data)
        if self._is_in_header and not self.transport.is_closing():
            self._header_bytes = before + len(data)
            if self._header_bytes > HEADER_BYTES:
                self.send_400_response("")

    def on_message_begin(self) -> None:
        """Start the time of a header."""
        super().on_message_begin()
        self._is_in_header, self._header_bytes = True, 0
        self._set_deadline(self.header_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take in a header; one that trails the body is dropped: the gate has not seen it."""
        if self._is_in_header:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the time of the body; refuse a target that is no path, and a header that is too large."""
        self._is_in_header = False
        self._header_bytes = len(self.url) + sum(
            len(name) + len(value) + 4 for name, value in self.headers
        )
        if self._header_bytes > HEADER_BYTES or not self.url.startswith(b"/"):
            raise ValueError("refused")  # the parser stops, and its caller answers
        earlier = self._cycle()
        is_waiting = earlier is not None and not earlier.response_complete
        self._set_deadline(None if is_waiting else self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the time: the request is here."""
        self._set_deadline(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on to a request that was pipelined: the time of its body starts now."""
        super().on_response_complete()
        next_one = self._cycle()
        if next_one is not None and next_one.more_body and not next_one.response_complete:
            self._set_deadline(self.body_seconds)

    def _cycle(self) -> RequestResponseCycle | None:
        """Give the last request of this connection; before the first there is none."""
        return self.cycle

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self._expire) if seconds else None

    def _expire(self) -> None:
        self._deadline = None
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read; where another answer is under way, only close."""
        self._set_deadline(None)
        cycle = self._cycle()
        is_open = cycle is not None and not cycle.response_complete
        if cycle is not None and is_open and (cycle.response_started or not cycle.more_body):
            self.transport.close()
        elif self._header_bytes > HEADER_BYTES:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        else:
            super().send_400_response(msg)
