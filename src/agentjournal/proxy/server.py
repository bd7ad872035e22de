"""The listening side: a socket, and a server that lets its caller go on when it was asked to stop."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import TYPE_CHECKING

import uvicorn

from agentjournal.errors import ConfigurationError, ConflictError
from agentjournal.proxy.protocol import LimitedProtocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentjournal.proxy.relay import Relay

__all__ = ["CONNECTIONS", "Server", "listen"]

CONNECTIONS = 1000
_KEEP_ALIVE_SECONDS = 75
_GOODBYE_SECONDS = 5


class Server(uvicorn.Server):
    """Serves one application; signals are a wish to stop, and Ctrl-C is raised once it has stopped."""

    @classmethod
    def of(cls, relay: Relay) -> Server:
        """Set it up: only our protocol, our limits, and not a word of its own."""
        return cls(
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
                limit_concurrency=CONNECTIONS,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_GOODBYE_SECONDS,
            )
        )

    async def serve_on(self, listener: socket.socket, on_ready: Callable[[], None]) -> None:
        """Serve until it is asked to stop; say when it answers, and takes signals."""
        self._on_ready = on_ready
        await self.serve([listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take TERM and Ctrl-C while it serves, where this is the thread that may."""
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


def listen(host: str, port: int) -> socket.socket:
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
