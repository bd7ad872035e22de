"""Puts a proxy together and runs it until it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.errors import ConfigurationError
from agentjournal.journal.routing import HEADERS
from agentjournal.proxy.alarm import Alarm
from agentjournal.proxy.engine import Engine
from agentjournal.proxy.engine_page import EnginePage
from agentjournal.proxy.figures import Figures
from agentjournal.proxy.findings import Findings
from agentjournal.proxy.gate import Gate, is_loopback
from agentjournal.proxy.headers import passes
from agentjournal.proxy.keep import Keeper
from agentjournal.proxy.look import Looker
from agentjournal.proxy.relay import Relay
from agentjournal.proxy.routing import Routes
from agentjournal.proxy.server import Server, listen
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

__all__ = ["HEADERS", "Options", "Proxy", "Surroundings", "Upstream"]

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to be refused without a name
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
        """Refuse to listen for others without a token, on every address without a name, before itself.

        A routing header must be one that reaches the engine.

        Raises:
            ConfigurationError: the address is not this machine's own, and token or names are missing;
                or the engine's URL is our own, or a routing header would not reach it.
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
        if is_loopback(self.upstream.host) and self.upstream.port == self.port:
            raise ConfigurationError(
                f"The proxy cannot stand before itself ({self.upstream.url}).",
                next="Give --upstream the engine's own port, or --port another one.",
            )
        for name in self.routing_headers:
            if not passes(name):
                raise ConfigurationError(
                    f"{name!r} is no header that could carry the routing key.",
                    next="Give --routing-header a plain name, like X-Session-Id.",
                )


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a proxy measures with and whom it tells; `task_of` names an attempt's project and task."""

    measurements: Measurements
    clock: Clock
    random_bytes: Callable[[int], bytes]
    tell: Callable[[str], None]
    task_of: Callable[[str], tuple[str, str] | None] = lambda _: None


class Proxy:
    """One listening proxy: made, it has its port; run, it serves until it is stopped."""

    def __init__(self, options: Options, around: Surroundings) -> None:
        self._socket = listen(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]
        host = f"[{options.host}]" if ":" in options.host else options.host
        self.url = f"http://{host}:{self.port}"
        self._measurements = around.measurements
        self._lanes = Lanes(around.measurements.lanes())
        self._sink = DatabaseSink(around.measurements)
        self._threads = ThreadPoolExecutor(1, "agentjournal-proxy")
        self._engine = Engine(options.upstream)
        figures = Figures(lambda: self._sink.dropped)
        relay = Relay(
            gate=Gate.of(options.host, self.port, names=options.names, token=options.token),
            engine=self._engine,
            looker=self._looker(options, around, figures),
            routes=Routes(headers=options.routing_headers, body_key=options.routing_body_key),
            metrics=EnginePage(self._engine, figures).page,
            count=figures.answer,
        )
        self._server = Server.of(relay)

    def _looker(self, options: Options, around: Surroundings, figures: Figures) -> Looker:
        keeper = Keeper.of(options.keep_text, around.clock) if options.keep_text else None
        return Looker(
            lane=options.upstream.url,
            observer=Observer(
                sinks=(self._sink, figures.call),
                source="proxy",
                lanes=self._lanes,
                clock=around.clock,
                random_bytes=around.random_bytes,
            ),
            watch=Watch(around.random_bytes(32)),
            alarm=Alarm(),
            figures=figures,
            findings=Findings(
                figures=figures,
                store=self._sink,
                tell=around.tell,
                clock=around.clock,
                random_bytes=around.random_bytes,
                shows_text=keeper is not None,
            ),
            threads=self._threads,
            keeper=keeper,
            task_of=around.task_of,
        )

    def run(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Serve until `stop`; in the main thread also until TERM or Ctrl-C, which then is raised."""
        try:
            with _short_turns():
                asyncio.run(self._run(on_ready))
        finally:
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
        try:
            await self._server.serve_on(self._socket, on_ready)
        finally:
            self._engine.close()


@contextlib.contextmanager
def _short_turns() -> Iterator[None]:
    """Let threads take turns of half a millisecond: passing on must not wait 5 for a look at a body."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
