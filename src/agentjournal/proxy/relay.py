"""Passes requests to the engine and answers back, byte for byte, chunk by chunk."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.proxy.answer import BrokenOff
from agentjournal.proxy.caller import caller_of
from agentjournal.proxy.headers import for_client, for_engine
from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from agentjournal.proxy.answer import Answer
    from agentjournal.proxy.asgi import Receive, Scope, Send
    from agentjournal.proxy.caller import Caller
    from agentjournal.proxy.engine import Engine
    from agentjournal.proxy.gate import Gate
    from agentjournal.proxy.look import Look, Looker
    from agentjournal.proxy.routing import Routes

__all__ = ["BODY_BYTES", "METRICS", "Relay"]

BODY_BYTES = 64 * 1024 * 1024
_HELD_BYTES = 512 * 1024 * 1024  # of all bodies that are being sent at once
METRICS = b"/metrics"


@dataclass(kw_only=True)
class Relay:
    """The application: everything passes but `/metrics`, which is our own and is never forwarded."""

    gate: Gate
    engine: Engine
    looker: Looker
    routes: Routes
    metrics: Callable[[], Awaitable[bytes]]
    count: Callable[[int], None]
    _held: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: bytes = scope["raw_path"]
        try:
            self.gate.check(scope["headers"], scope["http_version"])
            if path == METRICS:
                await self._answer_metrics(scope["method"], send)
            else:
                caller = caller_of(scope["headers"], path)
                await self._pass(scope, caller, receive, send)
        except Refusal as refusal:
            self.count(refusal.status)
            await refusal.answer(send, path)

    async def _answer_metrics(self, method: str, send: Send) -> None:
        if method not in ("GET", "HEAD"):
            raise Refusal(400, "The metrics can only be read.")
        page = await self.metrics()
        headers = [
            (b"content-type", b"text/plain; version=0.0.4; charset=utf-8"),
            (b"content-length", str(len(page)).encode()),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": page})

    async def _pass(self, scope: Scope, caller: Caller, receive: Receive, send: Send) -> None:
        with contextlib.ExitStack() as held:
            body = await self._read(scope, receive, held)
            if body is None:
                return  # the client left before it had asked
            async with _while_there(receive) as client:
                await self._exchange(scope, caller, body, send, client)

    async def _exchange(
        self, scope: Scope, caller: Caller, body: bytes, send: Send, client: _Client
    ) -> None:
        """Ask the engine and hand its answer on; where it breaks off, so do we."""
        look = self.looker.look(scope["method"], caller, scope["headers"], body)
        headers = scope["headers"]
        if look is not None:
            added, body = self.routes.add(caller.subject.owner, headers, body)
            headers = [*headers, *added]
        has_body = bool(body) or any(
            name in (b"content-length", b"transfer-encoding") for name, _ in headers
        )
        upstream = self.engine.upstream
        length = len(body) if has_body else None
        async with self.engine.ask(
            scope["method"],
            upstream.target(caller.path, scope["query_string"]),
            for_engine(headers, upstream.authority, length),
            body,
        ) as answer:
            self.count(answer.status)
            try:
                await self._hand_on(answer, send, look, client)
            finally:
                if look is not None:
                    look.end()

    @staticmethod
    async def _hand_on(answer: Answer, send: Send, look: Look | None, client: _Client) -> None:
        headers = for_client(answer.headers, answer.status)
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        if look is not None:
            look.begin(answer.status, answer.headers)
        try:
            async for chunk in answer:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                if look is not None:
                    look.feed(chunk)
        except BrokenOff:
            return  # unfinished: the server closes the connection, so that the client sees the cut
        client.is_served = True
        await send({"type": "http.response.body", "body": b""})

    async def _read(
        self, scope: Scope, receive: Receive, held: contextlib.ExitStack
    ) -> bytes | None:
        """Read the whole request, None where the client went away before its end.

        Raises:
            Refusal: the body is larger than what passes, or too many are being sent.
        """
        sizes = [value for name, value in scope["headers"] if name == b"content-length"]
        self._check_size(int(sizes[0]) if sizes else 0)
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            if chunk := message.get("body", b""):
                size += len(chunk)
                self._held += len(chunk)
                held.callback(self._release, len(chunk))
                self._check_size(size)
                chunks.append(chunk)
            if not message.get("more_body", False):
                return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def _check_size(self, size: int) -> None:
        if size > BODY_BYTES:
            raise Refusal(413, f"Bodies over {BODY_BYTES} bytes do not pass.")
        if self._held > _HELD_BYTES:
            raise Refusal(503, "Too much is being sent at once; try again.")

    def _release(self, size: int) -> None:
        self._held -= size


class _Client:
    """Whether the client has its whole answer: then its leaving ends nothing."""

    is_served = False


@contextlib.asynccontextmanager
async def _while_there(receive: Receive) -> AsyncIterator[_Client]:
    """Run a block that ends when the client leaves, so that an engine stops working for nobody."""
    client, task = _Client(), asyncio.current_task()
    has_left = False

    async def watch() -> None:
        nonlocal has_left
        await receive()  # the body is here: what comes now is that the client left, or has it all
        if not client.is_served and task is not None:
            has_left = True
            task.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield client
    except asyncio.CancelledError:
        if not has_left or task is None or task.uncancel():
            raise
    finally:
        watcher.cancel()
