"""The wire of one client: its lines, judged one by one, and the frames that answer them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
from concurrent.futures import CancelledError
from itertools import chain
from typing import TYPE_CHECKING, Self

import anyio
import anyio.to_thread

from agentjournal.mcp_server.wire import INVALID_REQUEST, Message, Refusal, admitted, in_ascii

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LONGEST_LINE", "Wire"]

LONGEST_LINE = 16 * 1024 * 1024
LONGEST_ANSWER = 60.0  # seconds that an answer is waited for when the input has ended
_CHUNK = 65536


class Wire:
    """The lines of a client as the SDK reads them, and the frames as it writes them.

    The end of input is passed on when every request has its answer.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=1)
        self._awaited: set[str | int] = set()
        self._answered = anyio.Event()
        self._reading: anyio.CancelScope | None = None
        self._is_gone = False

    def __aiter__(self) -> Self:
        """Begin to read: in a thread that nobody waits for, since only the client can end its wait."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        return self

    async def __anext__(self) -> str:
        """Give the next message; answer what is none."""
        while not self._is_gone and (line := await self._next_line()) is not None:
            match _too_long() if len(line) > LONGEST_LINE else admitted(line):
                case Message(text, id_, gives_up):
                    self._awaited |= {id_} if id_ is not None else set()
                    self._awaited -= {gives_up}
                    return text
                case Refusal(frame):
                    await self.write(frame + "\n")
                case None:
                    continue
        with anyio.move_on_after(LONGEST_ANSWER):
            while self._awaited and not self._is_gone:
                await self._answered.wait()
        raise StopAsyncIteration

    async def write(self, frame: str) -> None:
        """Write one frame; a client that no longer reads ends the reading too."""
        if self._is_gone:
            return
        try:
            await anyio.to_thread.run_sync(_write, self._outgoing, in_ascii(frame))
        except OSError as error:
            is_closed = isinstance(error, BrokenPipeError | ConnectionResetError)
            why = "the client has closed the pipe" if is_closed else f"{error.strerror}"
            sys.stderr.write(f"engmem-mcp: {why}\n")
            self._is_gone = True
            if self._reading is not None:
                self._reading.cancel()
        self._settle(frame)

    async def flush(self) -> None:
        """Nothing waits: each frame is written at once."""

    async def _next_line(self) -> bytes | None:
        with anyio.CancelScope() as reading:
            self._reading = reading
            return await self._lines.get()
        return None

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(
            RuntimeError, CancelledError
        ):  # the loop has ended before the input
            for line in chain(_lines(self._incoming), [None]):
                asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()

    def _settle(self, frame: str) -> None:
        """Note which request has its answer."""
        answer = json.loads(frame)
        if "method" not in answer:
            self._awaited.discard(answer.get("id"))
        self._answered.set()
        self._answered = anyio.Event()


def _lines(descriptor: int) -> Iterator[bytes]:
    """Read lines; one that is too long is cut and the rest of it dropped.

    Plain reads, since a reader of the library would hold its lock when the interpreter ends.
    """
    kept = bytearray()
    while chunk := _chunk(descriptor):
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            kept += part
            yield bytes(kept[: LONGEST_LINE + 1])
            kept.clear()
        kept += rest if len(kept) <= LONGEST_LINE else b""
    if kept:
        yield bytes(kept[: LONGEST_LINE + 1])


def _chunk(descriptor: int) -> bytes:
    """Read on; a client that vanished, and a terminal that hung up, have ended the input."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def _too_long() -> Refusal:
    error = {"code": INVALID_REQUEST, "message": f"invalid request: over {LONGEST_LINE} bytes"}
    return Refusal(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}))


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
