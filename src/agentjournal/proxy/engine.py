"""Asks the engine: one origin, no redirects, no cookies, nothing remembered but open connections."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from typing import TYPE_CHECKING

from agentjournal.proxy.answer import BrokenOff
from agentjournal.proxy.connection import Connection
from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agentjournal.proxy.answer import Answer
    from agentjournal.proxy.headers import Headers
    from agentjournal.proxy.upstream import Upstream

__all__ = ["Engine"]

_CONNECT_SECONDS = 10.0
_SILENT_SECONDS = 3600.0  # an engine may think for long before it says a word
_IDLE_SECONDS = 3.0  # below the 5 after which common servers close: a request must not meet that
_UNSAFE = re.compile(rb"[\x00-\x20\x7f]")
_UNSAFE_VALUE = re.compile(rb"[\x00\r\n]")


class Engine:
    """The upstream, behind connections that are used again, the newest first."""

    def __init__(self, upstream: Upstream, *, silence: float = _SILENT_SECONDS) -> None:
        self.upstream = upstream
        self._silence = silence
        self._tls = ssl.create_default_context() if upstream.scheme == "https" else None
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()

    @contextlib.asynccontextmanager
    async def ask(
        self, method: str, target: bytes, headers: Headers, body: bytes
    ) -> AsyncIterator[Answer]:
        """Send a request and give the answer as soon as its header is there; leaving ends what is left.

        Nothing is sent twice: a connection that breaks off leaves open whether the engine took the request.

        Raises:
            Refusal: the engine cannot be reached, or answers nothing that can be read.
        """
        head = _head(method, target, headers)
        connection = self._free() or await self._connected()
        answer = connection.ask(head, body, is_bodiless=method == "HEAD")
        try:
            try:
                await answer.started
            except BrokenOff as broken:
                if broken.is_silent:
                    raise Refusal(504, f"{self._name} did not answer in time.") from None
                raise Refusal(502, f"{self._name} answered nothing that can be read.") from None
            yield answer
        finally:
            if not answer.is_over:
                connection.close()

    def _free(self) -> Connection | None:
        """Take the newest idle connection that is not too old."""
        now = asyncio.get_running_loop().time()
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable and now - connection.idle_since < _IDLE_SECONDS:
                return connection
            connection.close()
        return None

    async def _connected(self) -> Connection:
        upstream = self.upstream
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, connection = await loop.create_connection(
                    lambda: Connection(self._release, self._lose, self._silence),
                    upstream.host,
                    upstream.port,
                    ssl=self._tls,
                    happy_eyeballs_delay=0.25,
                )
        except TimeoutError:
            raise Refusal(504, f"{self._name} did not take the connection in time.") from None
        except ssl.SSLError:
            raise Refusal(502, f"{self._name} has no certificate that is trusted here.") from None
        except OSError:
            raise Refusal(502, f"{self._name} cannot be reached.") from None
        self._open.add(connection)
        return connection

    def _release(self, connection: Connection) -> None:
        connection.idle_since = asyncio.get_running_loop().time()
        self._idle.append(connection)

    def _lose(self, connection: Connection) -> None:
        self._open.discard(connection)
        if connection in self._idle:
            self._idle.remove(connection)

    @property
    def _name(self) -> str:
        return f"The engine at {self.upstream.url}"

    def close(self) -> None:
        """Close every connection."""
        for connection in list(self._open):
            connection.close()


def _head(method: str, target: bytes, headers: Headers) -> bytes:
    """Write a request's head anew.

    Raises:
        Refusal: something in it could be read as another line.
    """
    if _UNSAFE.search(target) or any(
        _UNSAFE.search(name) or _UNSAFE_VALUE.search(value) for name, value in headers
    ):
        raise Refusal(400, "The request holds characters that no header may hold.")
    lines = [b"%s: %s\r\n" % header for header in headers]
    return b"%s %s HTTP/1.1\r\n%s\r\n" % (method.encode(), target, b"".join(lines))
