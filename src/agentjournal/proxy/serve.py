"""Puts a proxy together and runs it until it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import uvicorn

from agentjournal.errors import ConfigurationError, ConflictError
from agentjournal.journal.routing import HEADERS
from agentjournal.proxy.alarm import Alarm
from agentjournal.proxy.engine import Engine
from agentjournal.proxy.engine_page import EnginePage
from agentjournal.proxy.figures import Figures
from agentjournal.proxy.gate import Gate, is_loopback
from agentjournal.proxy.keep import Keeper
from agentjournal.proxy.look import Looker
from agentjournal.proxy.protocol import LimitedProtocol
from agentjournal.proxy.relay import Relay
from agentjournal.proxy.routing import Routes
from agentjournal.proxy.upstream import Upstream
from agentjournal.proxy.watch import Watch
from agentjournal.usage.lane import Lanes
from agentjournal.usage.observer import Observer
from agentjournal.usage.sinks.database import DatabaseSink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agentjournal.system.clock import Clock
    from agentjournal.usage.measurements import Measurements

__all__ = ["HEADERS", "Options", "Proxy", "Upstream"]

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to be refused without a name
_CONNECTIONS = 1000
_KEEP_ALIVE_SECONDS = 75
_GOODBYE_SECONDS = 5
_TURN_SECONDS = 0.0005


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a proxy is set up; `names` are further hosts (with port) under which it may be spoken to."""

    upstream: Upstream
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    token: str | None = field(default=None, repr=False)
    routing_headers: tuple[str, ...] = HEADERS
    routing_body_key: str | None = None
    keep_text: Path | None = None

    def __post_init__(self) -> None:
        """Refuse to listen for others without a token, or on every address without a name.

        Raises:
            ConfigurationError: the address is not this machine's own, and token or names are missing.
        """
        if not self.token and not is_loopback(self.host):
            raise ConfigurationError(
                f"Without a token the proxy listens on loopback only, not on {self.host}.",
                next="Set AGENTJOURNAL_PROXY_TOKEN, or leave --host out.",
            )
        if self.host in _EVERYWHERE and not self.names:
            raise ConfigurationError(
                f"On {self.host} nobody can tell by which name the proxy may be spoken to.",
                next="Name it: --allow-host NAME:PORT, once for each name that clients use.",
            )


class Proxy:
    """One listening proxy: made, it has its port; run, it serves until it is stopped."""

    def __init__(  # noqa: PLR0913 - what it measures with, and whom it tells
        self,
        options: Options,
        *,
        measurements: Measurements,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        tell: Callable[[str], None],
        task_of: Callable[[str], tuple[str, str] | None] = lambda _: None,
    ) -> None:
        self._socket = _listen(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]
        host = f"[{options.host}]" if ":" in options.host else options.host
        self.url = f"http://{host}:{self.port}"
        self.figures = Figures()
        self._measurements = measurements
        self._sink = DatabaseSink(measurements)
        self._threads = ThreadPoolExecutor(1, "agentjournal-proxy")
        self._lanes = Lanes(measurements.lanes())
        self._engine = Engine(options.upstream)
        looker = Looker(
            upstream=options.upstream,
            observer=Observer(
                sinks=(self._sink, self.figures.call),
                source="proxy",
                lanes=self._lanes,
                clock=clock,
                random_bytes=random_bytes,
            ),
            watch=Watch(random_bytes(32)),
            alarm=Alarm(),
            figures=self.figures,
            threads=self._threads,
            store=self._sink,
            tell=tell,
            keeper=Keeper.of(options.keep_text, clock) if options.keep_text else None,
            task_of=task_of,
        )
        relay = Relay(
            gate=Gate.of(options.host, self.port, names=options.names, token=options.token),
            engine=self._engine,
            looker=looker,
            routes=Routes(headers=options.routing_headers, body_key=options.routing_body_key),
            metrics=EnginePage(self._engine, self.figures).page,
            count=self.figures.answer,
        )
        self._server = _Server(
            uvicorn.Config(
                relay,
                http=LimitedProtocol,
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",  # what uvicorn says of a request may hold what is in it
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                limit_concurrency=_CONNECTIONS,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_GOODBYE_SECONDS,
            )
        )

    def run(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Serve until `stop`; in the main thread also until TERM or Ctrl-C, which then is raised."""
        with _short_turns():
            asyncio.run(self._run(on_ready))
        self._threads.shutdown()
        self._sink.flush()
        self._measurements.store_lanes(self._lanes.known())

    def settle(self) -> None:
        """Wait, while it runs, until every request has ended and what was seen is stored."""
        asyncio.run_coroutine_threadsafe(self._quiet(), self._loop).result()
        self._threads.submit(int).result()
        self._sink.flush()

    def stop(self) -> None:
        """Ask it to stop, from any thread: running answers have 5 seconds to end."""
        self._server.should_exit = True

    async def _quiet(self) -> None:
        if running := set(self._server.server_state.tasks):
            await asyncio.wait(running)

    async def _run(self, on_ready: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        on_ready()
        try:
            await self._server.serve([self._socket])
        finally:
            self._engine.close()


class _Server(uvicorn.Server):
    """A server that takes signals as a wish to stop, and lets its caller go on after that."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if signal.SIGINT in self._captured_signals:
            raise KeyboardInterrupt


@contextlib.contextmanager
def _short_turns() -> Iterator[None]:
    """Let threads take turns of half a millisecond: passing on must not wait 5 for a look at a body."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _listen(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    Raises:
        ConfigurationError: this machine has no such address.
        ConflictError: the port is taken.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, kind, protocol, _, address = found[0]
    except socket.gaierror as error:
        raise ConfigurationError(
            f"{host} is no address of this machine.", next="Give --host 127.0.0.1."
        ) from error
    listener = socket.socket(family, kind, protocol)  # named, or asyncio leaves Nagle's delay on
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise ConflictError(
            f"Port {port} of {host} cannot be had: {error.strerror}.",
            next="Give another --port; 0 takes any that is free.",
        ) from error
    return listener
