"""An answer of the engine while it comes: its status and header first, then its body as it arrives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from agentjournal.proxy.headers import Headers

__all__ = ["Answer", "BrokenOff"]

_WAITING_BYTES = 256 * 1024  # what waits for a slow client before the engine has to wait too


class BrokenOff(Exception):  # noqa: N818 - an event, told by its type
    """The engine's answer ended before its end, cannot be read, or did not go on for too long."""

    def __init__(self, *, is_silent: bool = False) -> None:
        super().__init__()
        self.is_silent = is_silent


class Answer:
    """Filled by a connection, emptied by one reader; what waits in between is bounded."""

    def __init__(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self.status = 0
        self.headers: Headers = []
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pause = pause
        self._resume = resume
        self._waiting: list[bytes] = []
        self._size = 0
        self._news = asyncio.Event()
        self._is_whole = False
        self._is_broken = False

    @property
    def is_over(self) -> bool:
        """Say whether nothing more will come."""
        return self._is_whole or self._is_broken

    def start(self, status: int, headers: Headers) -> None:
        """Take in status and header."""
        self.status, self.headers = status, headers
        if not self.started.done():  # whoever asked may have left
            self.started.set_result(None)

    def feed(self, data: bytes) -> None:
        """Take in a part of the body."""
        self._waiting.append(data)
        self._size += len(data)
        if self._size > _WAITING_BYTES:
            self._pause()
        self._news.set()

    def finish(self) -> None:
        """Take in the end: what still waits holds up the connection no longer."""
        self._is_whole = True
        if self._size > _WAITING_BYTES:
            self._resume()
        self._news.set()

    def break_off(self, *, is_silent: bool = False) -> None:
        """Take in that it ends before its end; what came before still counts."""
        if self.is_over:
            return
        self._is_broken = True
        self._news.set()
        if not self.started.done():
            self.started.set_exception(BrokenOff(is_silent=is_silent))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the body as it comes: all that has arrived since the last time, at once.

        Raises:
            BrokenOff: it ends before its end.
        """
        while True:
            if self._waiting:
                data = self._waiting[0] if len(self._waiting) == 1 else b"".join(self._waiting)
                self._waiting.clear()
                if self._size > _WAITING_BYTES and not self.is_over:
                    self._resume()
                self._size = 0
                yield data
            elif self._is_whole:
                return
            elif self._is_broken:
                raise BrokenOff
            else:
                self._news.clear()
                await self._news.wait()
